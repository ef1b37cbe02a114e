"""LogicVista: what the visual-logic dataset is."""

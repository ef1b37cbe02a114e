"""LogicVista's skills and capabilities, and which of them can be told for a published item.

The names are those of the paper (sections 3.2.1 and 3.2.2); the definitions are in our own words.
"""

SKILLS = {
    "inductive": "Find the rule behind a few examples and say what continues or fits them.",
    "deductive": "Decide what must hold, must not hold or stays open, given stated premises.",
    "numerical": "Read quantities from a picture and compute with them.",
    "spatial": "Turn, fold, cut or join shapes in the mind and tell what results.",
    "mechanical": "Understand a physical device or situation and predict how it behaves.",
}
"""The five reasoning skills; a published item has exactly one."""

CAPABILITIES = {
    "diagram": "Understand a schematic drawing, its parts and how they relate.",
    "ocr": "Read text that is part of the picture.",
    "patterns": "See what repeats or alternates across shapes, numbers or figures.",
    "graphs": "Read curves and points against axes.",
    "tables": "Look up and combine values of tables and charts of parts.",
    "3d shapes": "Recognize solid bodies from flat drawings of them.",
    "puzzles": "Follow the constraints that a puzzle puts into its figures.",
    "sequences": "Follow an ordered series of figures or items to its next one.",
    "physics": "Apply how forces, motion, heat, light or current act in a drawn situation.",
}
"""The paper's nine capabilities."""

RELEASED_CAPABILITIES = ("diagram", "ocr")
"""The capabilities that the release tells per item; it holds nothing on the other seven."""

BROAD_CAPABILITIES = {
    "diagram": ("diagram",),
    "ocr": ("ocr",),
    "diagram and ocr": ("diagram", "ocr"),
}
"""The values of the release's `broad_capability`, and the paper's capabilities in each."""

SPECIFIC_CAPABILITIES = (
    "3d pattern",
    "advanced mechanical",
    "chart",
    "common sense mechanical",
    "common sense ocr",
    "complex ocr",
    "infographic",
    "rotation pattern",
    "rule based pattern",
    "sequence pattern",
    "table",
)
"""The values of the release's `specific_capability`: finer than the paper's nine, and not them."""

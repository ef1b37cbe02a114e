"""Importers of published data that is not ours to redistribute."""

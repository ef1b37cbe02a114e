"""Version of the LogicVista data and of its errata."""

DATA_VERSION = "1.0"
"""`N.x`; N changes when scores on the rows stop being comparable."""

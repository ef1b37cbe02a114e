"""Flowcharts drawn by the project itself, with exact annotations."""

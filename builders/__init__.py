"""Makers of dataset rows and of what is published."""

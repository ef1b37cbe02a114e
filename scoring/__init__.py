"""Requests, inference, scores, comparisons and reports."""

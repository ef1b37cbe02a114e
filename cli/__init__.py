"""The `flowlearn` command: a thin shell over the libraries."""

"""Pure functions and values that every metric is made of."""

"""Version of the FlowLearn dataset.

`N.x`: N changes when data or scores stop being comparable, x when they stay so.
"""

VERSION = "1.0"

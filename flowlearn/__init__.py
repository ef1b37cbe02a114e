"""FlowLearn: what the flowchart-understanding dataset is."""

"""Web app of the metric (Gradio); a Space runs this file as a script."""

from pathlib import Path

from space_app import make_app

app = make_app(
    Path(__file__).resolve().parent,
    example=[
        {
            "predictions": "flowchart LR\na(mix) --> b(bake a cake)",
            "references": ["1. yes\n2. no\n3. no"],
        },
        {
            "predictions": "flowchart LR\na(start) --> b(stop)",
            "references": ["1. yes\n2. yes\n3. yes"],
        },
    ],
    options={"edge_labels": True},
)

if __name__ == "__main__":
    app.launch()

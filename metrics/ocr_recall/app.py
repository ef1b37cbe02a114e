"""Web app of the metric (Gradio); a Space runs this file as a script."""

from pathlib import Path

from space_app import make_app

app = make_app(
    Path(__file__).resolve().parent,
    example=[
        {
            "predictions": "flowchart LR\na(mix) --> b(bake a cake)",
            "references": ["mix", "bake", "a cake", "serve"],
        },
        {
            "predictions": "flowchart LR\na(start) --> b(stop)",
            "references": [{"text": "start", "box": [0, 0, 40, 20]}],
        },
    ],
    options={"lines": "merged"},
)

if __name__ == "__main__":
    app.launch()

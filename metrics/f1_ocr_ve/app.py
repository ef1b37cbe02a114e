"""Web app of the metric (Gradio); a Space runs this file as a script."""

from pathlib import Path

from space_app import make_app

app = make_app(
    Path(__file__).resolve().parent,
    example=[
        {
            "predictions": "flowchart LR\na(mix) --> b(bake a cake)",
            "texts": ["mix", "bake", "a cake", "serve"],
            "verdicts": ["1. yes\n2. no\n3. no"],
        },
        {
            "predictions": "flowchart LR\na(start) --> b(stop)",
            "texts": [{"text": "start", "box": [0, 0, 40, 20]}],
            "verdicts": ["1. yes\n2. yes\n3. yes"],
        },
    ],
    options={"lines": "merged"},
)

if __name__ == "__main__":
    app.launch()

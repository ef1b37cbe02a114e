"""Web app of the metric (Gradio); a Space runs this file as a script."""

from pathlib import Path

from space_app import make_app

app = make_app(
    Path(__file__).resolve().parent,
    example=[
        {"predictions": 'The text in the red box is "lansing".', "references": "lansing"},
        {"predictions": "monotrocal", "references": "monotrochal"},
    ],
    options={"mode": "paper"},
)

if __name__ == "__main__":
    app.launch()

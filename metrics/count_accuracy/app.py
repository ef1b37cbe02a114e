"""Web app of the metric (Gradio); a Space runs this file as a script."""

from pathlib import Path

from space_app import make_app

app = make_app(
    Path(__file__).resolve().parent,
    example=[
        {"predictions": "4 nodes and 5 arrows", "references": 5},
        {"predictions": "5 + 3 = 8", "references": 8},
    ],
    options={"mode": "meaning", "counted": "arrows"},
)

if __name__ == "__main__":
    app.launch()

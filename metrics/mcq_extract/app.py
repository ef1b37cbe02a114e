"""Web app of the metric (Gradio); a Space runs this file as a script."""

from pathlib import Path

from space_app import make_app

app = make_app(
    Path(__file__).resolve().parent,
    example=[
        {
            "predictions": "A is mirrored and C has a dot too many. The answer is B.",
            "references": "B",
            "choices": ["A", "B", "C", "D"],
        },
        {
            "predictions": "The weight must be 35 lb.",
            "references": "C",
            "choices": {"A": "25 lb", "B": "30 lb", "C": "35 lb"},
        },
    ],
    options={"multi": True},
)

if __name__ == "__main__":
    app.launch()

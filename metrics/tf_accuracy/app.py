"""Web app of the metric (Gradio); a Space runs this file as a script."""

from pathlib import Path

from space_app import make_app

app = make_app(
    Path(__file__).resolve().parent,
    example=[
        {"predictions": "False. It would be true the other way round.", "references": "false"},
        {"predictions": "true", "references": "true"},
    ],
    options={"mode": "meaning"},
)

if __name__ == "__main__":
    app.launch()

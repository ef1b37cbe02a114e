"""Web app of the metric (Gradio); a Space runs this file as a script."""

from pathlib import Path

from space_app import make_app

app = make_app(
    Path(__file__).resolve().parent,
    example=[
        {
            "predictions": "mix points to bake. bake points to eat.",
            "references": "mix points to bake. bake points to cool.",
        },
        {
            "predictions": "The chart shows a loop from start to stop and back.",
            "references": "start points to stop. stop points to start.",
        },
    ],
    options={"measures": ["bleu", "rouge_l"]},
)

if __name__ == "__main__":
    app.launch()

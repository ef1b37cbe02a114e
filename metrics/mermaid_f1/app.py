"""Web app of the metric (Gradio); a Space runs this file as a script."""

from pathlib import Path

from space_app import make_app

app = make_app(
    Path(__file__).resolve().parent,
    example=[
        {
            "predictions": "```mermaid\nflowchart TD\nx[mix] --> y[bake]\n```",
            "references": "flowchart LR\na(mix) --> b(bake)\nb --> c(cool)",
        },
        {
            "predictions": "flowchart TD\nx[start] --> y[stop",
            "references": "flowchart LR\na(start) --> b(stop)",
        },
    ],
    options={"mode": "lenient", "threshold": 0.9},
)

if __name__ == "__main__":
    app.launch()

"""The web app of a metric's Space: items in as JSON Lines, the result out as JSON."""

import json
from pathlib import Path
from typing import Any

import evaluate


def score_lines(metric: Any, lines: str, options: str) -> dict[str, Any]:
    """Score items given as JSON Lines.

    Args:
        metric: The loaded metric module.
        lines: One JSON object a line with one entry for each input, e.g. `predictions`.
        options: A JSON object of the metric's options, or nothing.

    Raises:
        ValueError: The text is not JSON of that form, or the metric refuses the items.
    """
    names = list(metric.accepts)
    items = []
    for number, line in enumerate(filter(str.strip, lines.split("\n")), 1):
        try:
            item = json.loads(line)
        except ValueError as error:
            raise ValueError(f"line {number}: not JSON ({error})") from error
        if not isinstance(item, dict) or set(item) != set(names):
            raise ValueError(f"line {number}: expected an object with {', '.join(names)}")
        items.append(item)
    columns = {name: [item[name] for item in items] for name in names}
    result: dict[str, Any] = metric.compute(**columns, **json.loads(options or "{}"))
    return result


def make_app(folder: Path, example: list[dict[str, Any]], options: dict[str, Any]) -> Any:
    """Return the Gradio app of the metric in a folder.

    Args:
        folder: The metric's folder, named `<name>` or a Space's clone with `<name>.py` in it.
        example: Items to begin with.
        options: Options to begin with.
    """
    import gradio

    card = (folder / "README.md").read_text(encoding="utf-8").split("---", 2)[2]
    name = card.split("# ", 1)[1].split("\n", 1)[0].strip()
    metric = evaluate.load(str(folder / f"{name}.py"))

    def score(lines: str, options: str) -> dict[str, Any]:
        try:
            return score_lines(metric, lines, options)
        except (ValueError, TypeError) as error:
            raise gradio.Error(str(error)) from error

    with gradio.Blocks(title=name) as app:
        gradio.Markdown(f"# {name}")
        items = gradio.Code(
            "\n".join(json.dumps(item) for item in example), language="json", label="Items"
        )
        settings = gradio.Code(json.dumps(options), language="json", label="Options")
        button = gradio.Button("Score", variant="primary")
        result = gradio.JSON(label="Result")
        gradio.Markdown(card)
        button.click(score, [items, settings], result, api_name="score")
    return app

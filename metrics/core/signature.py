"""Signatures: the string beside a score that says how the score was made."""

from collections.abc import Mapping

Option = str | int | float | bool | None


def _render(value: Option) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    return format(value, "g") if isinstance(value, float) else str(value)


def signature(name: str, version: str, options: Mapping[str, Option]) -> str:
    """Render a metric's signature.

    Args:
        name: Metric name, e.g. `mermaid_f1`.
        version: Metric version `N.x`; N changes when scores stop being comparable.
        options: Every option that can change the score, in a fixed order.

    Returns:
        `name|option:value|…|version:N.x`, version last (the form of sacrebleu's signatures).

    >>> signature("tf_accuracy", "1.0", {"mode": "paper", "strip_think": False})
    'tf_accuracy|mode:paper|strip_think:no|version:1.0'
    """
    parts = [name, *(f"{key}:{_render(value)}" for key, value in options.items())]
    return "|".join([*parts, f"version:{version}"])

"""YAML as js-yaml reads it with its JSON schema: front matter and `@{…}` of Mermaid.

PyYAML finds the structure, this module the values, because PyYAML's own (YAML 1.1) takes `yes`
for true and allows a key twice.
"""

import math
import re
from typing import Any

import yaml

YamlValue = str | int | float | bool | None | list[Any] | dict[str, Any]

_INTEGER = re.compile(r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0o[0-7_]+|0|[1-9][0-9_]*|[0-9][0-9_]*)$")
_FLOAT = re.compile(
    r"(?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?)$"
)
_TAGS = frozenset({"str", "seq", "map", "null", "bool", "int", "float"})
_CONSTANTS: dict[str, YamlValue] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    # JavaScript takes NaN for false, so that it is as good as nothing.
    **dict.fromkeys((".nan", ".NaN", ".NAN"), None),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}


class YamlError(ValueError):
    """Text that is not YAML."""


def load_yaml(text: str) -> YamlValue:
    """Read one YAML document.

    Raises:
        YamlError: The text is not YAML, holds several documents or a key twice.
    """
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        node = yaml.compose(text, Loader=loader)
        return None if node is None else _value(node)
    except (yaml.YAMLError, RecursionError) as error:
        raise YamlError(str(error).partition("\n")[0]) from error


def _value(node: yaml.Node) -> YamlValue:
    if node.tag.removeprefix("tag:yaml.org,2002:") not in _TAGS:
        raise YamlError(f"unknown tag {node.tag}")
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        pairs = [(key_text(_value(key)), _value(value)) for key, value in node.value]
        result = dict(pairs)
        if len(result) < len(pairs):
            raise YamlError("a key stands twice")
        return result
    is_plain = not getattr(node, "style", None)
    return _scalar(node.value) if is_plain else str(node.value)


def _scalar(text: str) -> YamlValue:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.match(text):
        digits = text.replace("_", "").lower()
        prefix = digits.lstrip("+-")[:2]
        return int(digits, {"0b": 2, "0x": 16, "0o": 8}.get(prefix, 10))
    if _FLOAT.match(text):
        return float(text.replace("_", ""))
    return text


def key_text(value: YamlValue) -> str:
    """Write a value as JavaScript's `String(value)` does."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, list):
        return ",".join("" if item is None else key_text(item) for item in value)
    return "[object Object]" if isinstance(value, dict) else str(value)

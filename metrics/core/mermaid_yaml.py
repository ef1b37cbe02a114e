"""YAML as js-yaml reads it with its JSON schema: front matter and `@{…}` of Mermaid.

PyYAML finds the structure, this module the values, because PyYAML's own (YAML 1.1) takes `yes`
for true and allows a key twice.
"""

import math
import re
from collections.abc import Iterator
from typing import Any

import yaml

YamlValue = str | int | float | bool | None | list[Any] | dict[str, Any]

_INTEGER = re.compile(r"[-+]?(?:0b[01]+|0x[0-9a-fA-F]+|0o[0-7]+|[0-9]+)$")
_FLOAT = re.compile(r"(?:[-+]?[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$")
# What js-yaml reads and PyYAML does not: a key without value (`shape:,`), a value without key
# (`{ : 40 }`), a value or key that begins with a colon (`{a: :b}`), a value that begins with a
# question mark, and anchors with signs (`&amp;`), which mean nothing without an alias.
_JS_ONLY = re.compile(
    r"""(?P<quoted>"(?:\\.|[^"\\])*"|'[^']*')|(?P<value>:(?=[,}]))|(?P<key>(?<=[{,])\s*:(?=\s))"""
    r"|(?P<colon>(?<=:[ ])[:?][^\s,\[\]{}\"']+|(?<=[\s{,]):[^\s,:\[\]{}\"']+(?=:\s))"
    r"|(?<=[\s:,\[{])&[^\s,\[\]{}]+"
)
# Characters that PyYAML takes for line ends or refuses everywhere. js-yaml refuses those that
# cannot be printed (half surrogate pairs among them), but not in quotes.
_NOT_FOR_PYYAML = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_STAND_IN = re.compile("[\U000f0000-\U000fffff]")
_OFFSET = 0xF0000
_PRINTABLE = "\x85\u2028\u2029"
_FIRST_EXPONENT = 1e21
_MAX_DIGITS = 200
_MAX_VALUES = 100_000
_TAGS = frozenset({"str", "seq", "map", "null", "bool", "int", "float"})
_TYPES = {"null": (type(None),), "bool": (bool,), "int": (int,), "float": (int, float)}
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
    if text.strip() == "...":  # the end of a document that has not begun
        return None
    stood_in = bool(_NOT_FOR_PYYAML.search(text) and not _STAND_IN.search(text))
    if stood_in:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        text = _NOT_FOR_PYYAML.sub(lambda match: chr(_OFFSET + ord(match[0])), text)
    try:
        node = _compose(text if text.endswith("\n") else f"{text}\n")
        if isinstance(node, yaml.ScalarNode) and _falls_back(text):
            raise YamlError("a line stands further left than the first")
        return None if node is None else _value(node, stood_in, iter(range(_MAX_VALUES)))
    except RecursionError as error:
        raise YamlError("nested too deep") from error
    except UnicodeEncodeError as error:
        raise YamlError("half a surrogate pair") from error


def _compose(text: str) -> yaml.Node | None:
    """Find a document's structure; what only js-yaml reads is spelt out where PyYAML fails."""
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    node: yaml.Node | None
    try:
        node = yaml.compose(text, Loader=loader)
    except yaml.YAMLError:
        try:
            node = yaml.compose(_JS_ONLY.sub(_spelt_out, text), Loader=loader)
        except yaml.YAMLError as error:
            raise YamlError(str(error).partition("\n")[0]) from error
    return node


def _spelt_out(match: re.Match[str]) -> str:
    if match["value"] or match["key"]:
        return ": " if match["value"] else "null: "
    if match["colon"]:
        return f"'{match['colon']}'"
    return match["quoted"] or ""


def _falls_back(text: str) -> bool:
    """Tell whether a line is indented less than the first; js-yaml ends a bare text there."""
    lines = [line for line in text.split("\n") if line.strip()]
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    return any(indent < indents[0] for indent in indents)


def _value(node: yaml.Node, stood_in: bool, budget: Iterator[int]) -> YamlValue:
    if next(budget, None) is None:  # aliases of aliases multiply
        raise YamlError("too many values")
    if node.tag.removeprefix("tag:yaml.org,2002:") not in _TAGS:
        raise YamlError(f"unknown tag {node.tag}")
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, stood_in, budget) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        pairs = [
            (key_text(_value(key, stood_in, budget)), _value(value, stood_in, budget))
            for key, value in node.value
        ]
        result = dict(pairs)
        if len(result) < len(pairs):
            raise YamlError("a key stands twice")
        return result
    style = getattr(node, "style", None)
    text = _without_stand_ins(node.value, style in ("'", '"')) if stood_in else str(node.value)
    value = text if style else _scalar(text)
    types = _TYPES.get(node.tag.removeprefix("tag:yaml.org,2002:"))
    if types and type(value) not in types:
        raise YamlError(f"{value!r} is not of the type that its tag says")
    return value


def _without_stand_ins(text: str, in_quotes: bool) -> str:
    """Put the characters back for which others stood in.

    Raises:
        YamlError: One of them cannot be printed and stands outside quotes.
    """
    text = _STAND_IN.sub(lambda match: chr(ord(match[0]) - _OFFSET), text)
    if not in_quotes and not set(_NOT_FOR_PYYAML.findall(text)).issubset(_PRINTABLE):
        raise YamlError("a character that cannot be printed")
    return text


def _scalar(text: str) -> YamlValue:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.match(text) and len(text) < _MAX_DIGITS:
        base = {"0b": 2, "0x": 16, "0o": 8}.get(text.lstrip("+-")[:2], 10)
        return int(text, base)
    number = float(text) if _FLOAT.match(text) else math.inf
    return text if math.isinf(number) else number


def key_text(value: YamlValue) -> str:
    """Write a value as JavaScript's `String(value)` does."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return _number_text(float(value))
    if isinstance(value, list):
        return ",".join("" if item is None else key_text(item) for item in value)
    return "[object Object]" if isinstance(value, dict) else str(value)


def _number_text(number: float) -> str:
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number.is_integer() and abs(number) < _FIRST_EXPONENT:
        return str(int(number))
    return re.sub(r"e([-+])0*", r"e\1", repr(number))

"""Configuration of the simulated subset: every knob, the presets, validation."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from builders.simulated.legibility import link_contrast
from builders.simulated.shapes import LINK_STYLES, SHAPES
from common.errors import UserError

Weights = dict[str, float]
Rate = float

_NOT_DRAWN = {"preset", "name", "train", "test"}
_DIRECTIONS = ("TB", "TD", "BT", "LR", "RL")

FITTED_WORD_LENGTHS: Weights = {
    "2": 15, "3": 60, "4": 195, "5": 426, "6": 804, "7": 1134, "8": 1416, "9": 1473, "10": 1219,
    "11": 1022, "12": 780, "13": 539, "14": 378, "15": 242, "16": 133, "17": 86,
}  # fmt: skip
"""Lengths of the words that the published generator drew, fitted to its 13,068 labels."""

FITTED_WORDS_PER_LABEL: Weights = {"1": 4, "2": 9, "3": 9, "4": 9, "5": 9}
"""Words per label that the published generator tried, fitted to its 13,068 labels."""


class SimulatedConfig(BaseModel):
    """What to draw; each field is a key of the YAML file and a flag of the command line."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    preset: str = Field("flowlearn-word", description="Preset that the other keys change.")
    name: str | None = Field(
        None,
        pattern=r"^[a-z0-9_]+$",
        description="Name of the dataset's config that is made; default by preset.",
    )
    seed: int = Field(0, ge=0, description="Seed of all randomness.")
    train: int = Field(8000, ge=0, description="Charts of the train split, ids from 0.")
    test: int = Field(2000, ge=0, description="Charts of the test split, ids after train's.")

    min_nodes: int = Field(3, ge=2, le=60, description="Fewest nodes of a chart.")
    max_nodes: int = Field(10, ge=2, le=60, description="Most nodes of a chart.")
    node_shapes: Weights = Field({"rounded": 1}, description="Node shapes and their weights.")

    label_style: Literal["word", "char", "list"] = Field(
        "word",
        description="Labels of words, of single letters, or whole lines of `word_list`.",
    )
    word_list: str | None = Field(None, description="File of words, one a line; default English.")
    words_per_label: Weights = Field(
        FITTED_WORDS_PER_LABEL,
        description="Words per label and their weights; words too many are dropped.",
    )
    word_lengths: Weights | None = Field(
        FITTED_WORD_LENGTHS,
        description="Lengths of words and their weights; null takes the list's own.",
    )
    max_label_chars: int = Field(20, ge=1, le=200, description="Longest label that is not wrapped.")
    wrapped_label_rate: Rate = Field(0, ge=0, le=1, description="Share of long, wrapped labels.")
    min_wrapped_words: int = Field(5, ge=2, le=40, description="Fewest words of a wrapped label.")
    max_wrapped_words: int = Field(10, ge=2, le=40, description="Most words of a wrapped label.")
    wrap_width: int = Field(200, ge=50, le=1000, description="Width in px at which labels wrap.")

    link_styles: Weights = Field(
        {"-->": 1, "==>": 1, "-..->": 1}, description="Link styles and their weights."
    )
    backward_links: Weights = Field(
        {"0": 2, "1": 1, "2": 1, "3": 1},
        description="Numbers of extra backward links and their weights.",
    )
    antiparallel: bool = Field(True, description="Whether links both ways between two nodes occur.")
    connected: bool = Field(False, description="Whether every chart is one connected piece.")
    self_loop_rate: Rate = Field(0, ge=0, le=1, description="Share of nodes linked to themselves.")
    double_link_rate: Rate = Field(0, ge=0, le=1, description="Share of links that stand twice.")
    link_label_rate: Rate = Field(0, ge=0, le=1, description="Share of links that have a label.")

    subgraph_rate: Rate = Field(0, ge=0, le=1, description="Share of charts with a subgraph.")
    subgraph_link_rate: Rate = Field(
        0, ge=0, le=1, description="Share of subgraphs that a link from outside points to."
    )

    orientations: Weights = Field(
        dict.fromkeys(_DIRECTIONS, 1.0), description="Directions of flow and their weights."
    )
    backgrounds: Weights = Field(
        {"FFFFFF": 1, "C0C0C0": 1, "random": 1},
        description="Background colours (six hexadecimal digits, or random) and their weights.",
    )
    theme: Literal["default", "neutral", "dark", "forest", "base"] = Field(
        "default", description="Mermaid's theme."
    )
    min_contrast: float = Field(
        3.0, ge=1, le=15, description="Least contrast (WCAG) of links and texts; 1 allows all."
    )

    fallback_fonts: tuple[str, ...] = Field(
        (), description="Font files for characters that DejaVu Sans lacks, tried in order."
    )
    rasterizer: Literal["lunasvg", "resvg", "cairosvg", "screenshot"] = Field(
        "lunasvg", description="What turns the SVG into pixels."
    )
    jpeg_quality: int = Field(95, ge=1, le=100, description="Quality of the JPEG.")

    @field_validator("node_shapes", "link_styles", "orientations", "backgrounds", "backward_links",
                     "words_per_label", "word_lengths")  # fmt: skip
    @classmethod
    def _weights_are_odds(cls, value: Weights | None) -> Weights | None:
        if value is None:
            return None
        if any(weight < 0 for weight in value.values()) or sum(value.values()) <= 0:
            raise ValueError("weights must be 0 or more, and one of them above 0")
        return {key: weight for key, weight in value.items() if weight > 0}

    @field_validator("backward_links", "words_per_label", "word_lengths", mode="before")
    @classmethod
    def _number_keys(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        for key in value:
            if not str(key).isdecimal():
                raise ValueError(f"{key!r} is not a whole number")
        return {str(key): weight for key, weight in value.items()}

    @field_validator("backgrounds", mode="before")
    @classmethod
    def _colours(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        # YAML reads 000000 as a number.
        colours = {
            (f"{key:06}" if isinstance(key, int) else str(key).removeprefix("#")): weight
            for key, weight in value.items()
        }
        for colour in colours:
            if colour != "random" and not (
                len(colour) == 6 and all(c in "0123456789abcdefABCDEF" for c in colour)
            ):
                raise ValueError(f"{colour!r} is neither six hexadecimal digits nor 'random'")
        return {key if key == "random" else key.upper(): w for key, w in colours.items()}

    @model_validator(mode="after")
    def _possible(self) -> SimulatedConfig:
        for low, high in (("min_nodes", "max_nodes"), ("min_wrapped_words", "max_wrapped_words")):
            if getattr(self, low) > getattr(self, high):
                raise ValueError(
                    f"{low} ({getattr(self, low)}) is above {high} ({getattr(self, high)})"
                )
        _known("node_shapes", self.node_shapes, SHAPES)
        _known("link_styles", self.link_styles, LINK_STYLES)
        _known("orientations", self.orientations, _DIRECTIONS)
        if self.label_style == "list" and not self.word_list:
            raise ValueError("label_style 'list' needs a word_list")
        if self.label_style == "char" and self.max_nodes > 26:
            raise ValueError("label_style 'char' has 26 letters: max_nodes must be 26 or less")
        if "0" in self.words_per_label or (self.word_lengths and "0" in self.word_lengths):
            raise ValueError("words_per_label and word_lengths start at 1")
        for colour in self.backgrounds:
            if colour != "random" and link_contrast(self.theme, colour) < self.min_contrast:
                raise ValueError(
                    f"background {colour}: the links of theme {self.theme} have contrast "
                    f"{link_contrast(self.theme, colour):.2f}, below min_contrast "
                    f"{self.min_contrast:g}"
                )
        best = max(link_contrast(self.theme, colour) for colour in ("000000", "FFFFFF"))
        if best < self.min_contrast:
            raise ValueError(
                f"no background gives the links of theme {self.theme} a contrast of "
                f"{self.min_contrast:g} (at the most {best:.2f})"
            )
        return self

    def config_name(self) -> str:
        """Return the name of the dataset's config that this makes."""
        return self.name or CONFIG_NAMES[self.preset]

    def canonical(self) -> str:
        """Return the configuration as canonical JSON."""
        return json.dumps(self.model_dump(), sort_keys=True, separators=(",", ":"))

    def drawing_hash(self) -> str:
        """Return the hash of all that decides a single row: everything but name and counts."""
        values = self.model_dump(exclude=_NOT_DRAWN)
        if self.word_list:
            values["word_list"] = hashlib.sha256(Path(self.word_list).read_bytes()).hexdigest()
        text = json.dumps(values, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def __hash__(self) -> int:
        """Hash by value, so that what is made for a configuration can be kept."""
        return hash(self.canonical())


def _known(key: str, given: Weights, known: Any) -> None:
    if unknown := [name for name in given if name not in known]:
        raise ValueError(f"{key}: unknown {', '.join(unknown)}; known are {', '.join(known)}")


_RICH_SHAPES = dict.fromkeys(SHAPES, 1.0)

PRESETS: dict[str, dict[str, Any]] = {
    "flowlearn-word": {},
    "flowlearn-char": {"label_style": "char", "link_styles": {"==>": 1}},
    "upstream-word": {"min_contrast": 1.0},
    "rich": {
        "node_shapes": _RICH_SHAPES,
        "link_styles": dict.fromkeys(LINK_STYLES, 1.0),
        "link_label_rate": 0.3,
        "wrapped_label_rate": 0.15,
        "subgraph_rate": 0.4,
        "subgraph_link_rate": 0.3,
        "self_loop_rate": 0.02,
        "double_link_rate": 0.03,
        "connected": True,
    },
}
"""What each preset changes of the defaults."""

CONFIG_NAMES = {
    "flowlearn-word": "simulated",
    "flowlearn-char": "simulated_char",
    "rich": "simulated_rich",
    "upstream-word": "simulated_upstream",
}
"""Config of the dataset that a preset makes."""


def load_config(path: str | None = None, **changes: Any) -> SimulatedConfig:
    """Read a configuration: preset, then YAML file, then single keys.

    Args:
        path: YAML file of keys, or `None`.
        changes: Keys that override the file's.

    Raises:
        UserError: The file cannot be read, or a key or value is not allowed.
    """
    where = path or "command line"
    values = {**(_read_yaml(path) if path else {}), **changes}
    preset = values.setdefault("preset", "flowlearn-word")
    if preset not in PRESETS:
        raise UserError(f"{where}: unknown preset {preset!r}", f"choose of {', '.join(PRESETS)}")
    try:
        return SimulatedConfig(**{**PRESETS[preset], **values})
    except ValidationError as error:
        faults = [_explain(fault) for fault in error.errors()]
        raise UserError(
            f"{where}: " + "\n  ".join(faults), "`flowlearn build simulated --help` lists all keys"
        ) from error


def _explain(fault: Any) -> str:
    key = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return f"unknown key {key!r}"
    message = fault["msg"].removeprefix("Value error, ")
    return f"{key}: {message}" if key else message


def _read_yaml(path: str) -> dict[str, Any]:
    try:
        values = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(
            f"configuration {path}: {error.strerror}", "name a readable file"
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UserError(f"configuration {path}: not YAML: {error}", "mend the file") from error
    if values is None:
        return {}
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise UserError(f"configuration {path}: expected keys and values", "write `key: value`")
    return values

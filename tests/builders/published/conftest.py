"""A made-up LogicVista release of full size, with the real one's quirks and none of its text."""

import io
import json
import random
import shutil
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from builders.published.logicvista import import_logicvista

_SKILLS = (
    ("inductive", 107),
    ("deductive", 93),
    ("numerical", 95),
    ("spatial", 79),
    ("mechanical", 74),
)
_SPECIFIC = {
    "inductive": "sequence pattern",
    "deductive": "complex ocr",
    "numerical": "table",
    "spatial": "3d pattern",
    "mechanical": "advanced mechanical",
}
_WORDS = ("red", "round", "left", "heavy", "none of these", "twice as far")
_TWINS = (("v1_41", ("v1_42", "v1_43", "v1_44")), ("v1_100", ("v1_101",)))


def _question(number: int, rng: random.Random) -> tuple[str, str]:
    labels = "ABCDE"[: rng.choice((3, 4, 5))]
    texts = rng.sample(_WORDS, len(labels))
    written = " ".join(f"({label}) {text}" for label, text in zip(labels, texts, strict=True))
    question = f"Made-up question {number}? Select from {', '.join(labels)}. {written}"
    return question, rng.choice(labels)


def stand_in_records() -> dict[str, dict]:
    rng = random.Random(0)
    skills = [skill for skill, count in _SKILLS for _ in range(count)]
    rng.shuffle(skills)
    made = {}
    for number, skill in enumerate(skills):
        question, answer = _question(number, rng)
        made[f"v1_{number}"] = {
            "imagename": f"v1_{number}.png",
            "question": question,
            "answer": answer,
            "reasoning": f"Made-up reason {number}.",
            "skill": [skill],
            "broad_capability": [("diagram", "ocr", "diagram and ocr")[number % 3]],
            "specific_capability": [_SPECIFIC[skill]],
            "imagesource": "nobody",
            "sourcelink": "https://example.org/",
            "liscenced": ("true", "false")[number % 2],
        }
    for item in ("v1_1", "v1_2", "v1_5"):
        made[item] |= {"question": "Which two figures (A-D) fit?", "answer": "A, C"}
    made["v1_2"]["answer"] = made["v1_5"]["answer"] = "B, D"
    made["v1_4"] |= {"question": "Which one is odd? Select answers from A-I", "answer": "G"}
    made["v1_21"] |= {"question": "Which of boxes A to F fits?", "answer": "F"}
    made["v1_20"] |= {"question": "Which is right? Select from 1-5", "answer": "3"}
    made["v1_190"] |= {"question": "Which shape? Select from 1, 2, 3, 4, and 5", "answer": "B"}
    made["v1_382"] |= {"question": "", "answer": "", "reasoning": ""}
    made["v1_400"] |= {"question": "Which figure is turned?", "answer": "D", "reasoning": ""}
    made["v1_220"]["sourceli,nk"] = made["v1_220"].pop("sourcelink")
    return made


def picture(number: int, mode: str = "RGB") -> bytes:
    image = Image.new(mode, (40 + number % 7, 30), "white")
    ImageDraw.Draw(image).text((2, 8), str(number), fill="black")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def write_stand_in(root: Path, data: str = "data") -> Path:
    """Write the release, `dataset.json` in the folder `data`, and return `root`."""
    images = root / data / "images"
    images.mkdir(parents=True)
    (root / data / "dataset.json").write_text(
        json.dumps(stand_in_records(), indent=1), encoding="utf-8"
    )
    for number in range(448):
        mode = "RGBA" if number % 9 == 0 else "RGB"
        (images / f"v1_{number}.png").write_bytes(picture(number, mode))
    for first, others in _TWINS:
        for other in others:
            (images / f"{other}.png").write_bytes((images / f"{first}.png").read_bytes())
    return root


@pytest.fixture(scope="session")
def stand_in(tmp_path_factory):
    return write_stand_in(tmp_path_factory.mktemp("release"))


@pytest.fixture(scope="session")
def imported(stand_in, tmp_path_factory):
    return import_logicvista(stand_in, tmp_path_factory.mktemp("project") / "logicvista")


@pytest.fixture
def copy(stand_in, tmp_path):
    """A copy of the stand-in to damage."""
    return Path(shutil.copytree(stand_in, tmp_path / "copy"))


@pytest.fixture(scope="session")
def twins():
    """Items with one picture: the first of them, and the others."""
    return _TWINS

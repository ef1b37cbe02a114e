"""A metric folder as small as one can be."""

from pathlib import Path

_CARD = """---
title: tiny
sdk: gradio
sdk_version: 6.31.0
app_file: app.py
license: apache-2.0
---
# tiny

Version %s: the revision pins it.
"""
_SCRIPT = '''"""The module."""

import datasets
import evaluate

from .counting import count


class Tiny(evaluate.Metric):
    def _info(self):
        return evaluate.MetricInfo(
            description="d",
            citation="",
            inputs_description="",
            features=datasets.Features({"predictions": datasets.Value("string")}),
        )

    def _compute(self, predictions):
        return {"count": count(predictions), "signature": "tiny|version:%s"}
'''
_APP = """from space_app import make_app

app = make_app(None, example=[{"predictions": "a"}, {"predictions": "b"}], options={})
"""


def write_tiny_metric(root: Path, version: str = "1.0", doubled: bool = False) -> Path:
    """Write the metric `tiny` with a linked sibling; return its folder.

    Args:
        root: Folder that stands for `metrics`.
        version: Version to sign.
        doubled: Whether it counts everything twice: other code under the same version.
    """
    (root / "core").mkdir(parents=True, exist_ok=True)
    times = " * 2" if doubled else ""
    (root / "core" / "counting.py").write_text(f"def count(items):\n    return len(items){times}\n")
    folder = root / "tiny"
    folder.mkdir(exist_ok=True)
    (folder / "counting.py").unlink(missing_ok=True)
    (folder / "counting.py").symlink_to("../core/counting.py")
    (folder / "tiny.py").write_text(_SCRIPT % version)
    (folder / "app.py").write_text(_APP)
    (folder / "README.md").write_text(_CARD % version)
    (folder / "requirements.txt").write_text("evaluate\n")
    return folder

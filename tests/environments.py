"""Environments of other packages and versions, in `out/compat`, each made once (`make compat`)."""

import subprocess
import venv
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = ROOT / "out" / "compat"


@cache
def python_with(name: str, requirements: tuple[str, ...]) -> str:
    """Return the interpreter of an environment.

    Args:
        name: Its name.
        requirements: What pip installs into it.
    """
    folder = ENVIRONMENTS / name
    done = folder / "done"
    wanted = "\n".join(requirements)
    python = str(folder / "bin" / "python")
    if not done.is_file() or done.read_text() != wanted:
        venv.create(folder, clear=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *requirements], check=True)
        done.write_text(wanted)
    return python

"""Environments of other packages and versions, in `out/compat`, each made once (`make compat`)."""

import subprocess
import venv
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = ROOT / "out" / "compat"


@cache
def python_with(name: str, requirements: tuple[str, ...], bare: tuple[str, ...] = ()) -> str:
    """Return the interpreter of an environment.

    Args:
        name: Its name.
        requirements: What pip installs into it.
        bare: What pip installs afterwards, without dependencies.
    """
    folder = ENVIRONMENTS / name
    done = folder / "done"
    wanted = "\n".join((*requirements, *bare))
    python = str(folder / "bin" / "python")
    if not done.is_file() or done.read_text() != wanted:
        venv.create(folder, clear=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *requirements], check=True)
        if bare:
            subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", *bare], check=True)
        done.write_text(wanted)
    return python

import subprocess
import sys

import pytest

RUN = [sys.executable, "-c", "from cli.main import main; main()"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "nothing does not exist"),
        (["."], "has no dataset.json"),
    ],
)
def test_problems_are_told_without_a_traceback(tmp_path, arguments, message):
    made = subprocess.run(
        [*RUN, "import", "logicvista", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 1
    assert message in made.stderr
    assert "Traceback" not in made.stderr
    assert not list(tmp_path.iterdir())

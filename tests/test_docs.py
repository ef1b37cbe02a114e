"""Every example of the documentation runs, and every command that it names exists."""

import re
import shlex
from pathlib import Path

import pytest
import typer
from small_dataset import write_small_dataset

from cli.main import app

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of a page in a language."""
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as the project's root looks after a build."""
    write_small_dataset(tmp_path / "flowlearn")
    (tmp_path / "metrics").symlink_to(ROOT / "metrics")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_examples_run_one_after_the_other(page: Path, project: Path) -> None:
    namespace: dict[str, object] = {"__name__": page.stem}
    for number, block in enumerate(blocks(page, "python")):
        exec(compile(block, f"{page.name}, block {number}", "exec"), namespace)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_exist(page: Path) -> None:
    for block in blocks(page, "console"):
        for line in filter(None, map(str.strip, block.splitlines())):
            words = shlex.split(line, comments=True)
            if words[0] == "make":
                assert re.search(rf"^{words[1]}:", MAKEFILE, re.MULTILINE), line
            elif words[0] == "flowlearn":
                check_command(words[1:], line)


def check_command(words: list[str], line: str) -> None:
    """Check that the subcommands and the long options of a command line exist."""
    command = typer.main.get_command(app)
    names = [word for word in words if not word.startswith("-")]
    while hasattr(command, "commands"):
        name = names.pop(0)
        assert name in command.commands, line
        command = command.commands[name]
    known = {option for parameter in command.params for option in parameter.opts}
    known |= {option for parameter in command.params for option in parameter.secondary_opts}
    assert {word for word in words if word.startswith("--")} <= known | {"--help"}, line


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        assert page.relative_to(ROOT / "docs").as_posix() in navigation

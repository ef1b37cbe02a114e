"""The strict parser against the real mermaid.js in the real Chromium, on mutated code."""

import json
import random
import runpy
from collections import Counter
from pathlib import Path

import pytest

from builders.toolchain import chromium_path, mermaid_source
from common.errors import UserError
from metrics.core.diagram import DiagramSyntaxError
from metrics.core.mermaid import parse_flowchart

FUZZ = Path(__file__).parents[1] / "fuzz" / "fuzz_mermaid.py"
LONGEST = 3000
READ_ALL = """async (codes) => {
  mermaid.initialize({startOnLoad: false, logLevel: 5, maxEdges: 1e9, securityLevel: 'loose'});
  const answers = [];
  for (const code of codes) {
    try {
      const {db} = await mermaid.mermaidAPI.getDiagramFromText(code);
      answers.push({
        nodes: [...db.getVertices().values()].map(node => [node.id, String(node.text)]),
        links: db.getEdges().map(edge => [edge.start, edge.end, edge.stroke]),
      });
    } catch (error) {
      answers.push(null);
    }
  }
  return JSON.stringify(answers);
}"""


def ask_mermaid(codes: list[str]) -> list[dict | None]:
    """Return what mermaid.js reads; `None` for what it refuses."""
    sync_api = pytest.importorskip("playwright.sync_api")
    try:
        source, program = mermaid_source(), chromium_path()
    except UserError as error:
        pytest.skip(str(error))
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        page = browser.new_page()
        page.add_script_tag(content=source)
        answers = json.loads(page.evaluate(READ_ALL, codes))
        browser.close()
    return answers


def is_plain(label: str) -> bool:
    """Tell whether Mermaid's sanitizer and encoding leave a label as it is."""
    return not any(sign in label for sign in "<>&ﬂ\xa0")


def agrees(code: str, answer: dict | None) -> bool:
    try:
        diagram = parse_flowchart(code)
    except DiagramSyntaxError:
        return answer is None
    if answer is None:
        return False
    labels = {node.id: node.label for node in diagram.nodes}
    theirs = dict(answer["nodes"])
    links = Counter((link.source, link.target, link.stroke) for link in diagram.links)
    # Mermaid calls links whose ends contradict each other invalid; they are drawn as plain ones.
    expected = Counter((start, end, stroke) for start, end, stroke in answer["links"])
    for start, end, stroke in list(expected):
        if stroke == "INVALID":
            expected[start, end, "normal"] += expected.pop((start, end, stroke))
    return (
        links == expected
        and labels.keys() == theirs.keys()
        and all(
            theirs[name] == label
            for name, label in labels.items()
            if is_plain(label) and is_plain(theirs[name])
        )
    )


@pytest.mark.browser
def test_agrees_with_mermaid_on_mutated_code():
    fuzz = runpy.run_path(str(FUZZ))
    rng = random.Random(7)
    seeds = [code for code in fuzz["read_codes"]() if len(code) < LONGEST]
    codes = [fuzz["mutate"](rng.choice(seeds), rng) for _ in range(1000)]
    answers = ask_mermaid(codes)
    differing = [c for c, answer in zip(codes, answers, strict=True) if not agrees(c, answer)]
    assert differing == []

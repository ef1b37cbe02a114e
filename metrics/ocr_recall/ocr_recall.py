"""The `evaluate` module ocr_recall; the scoring itself is in recall_ocr.py."""

# evaluate copies only the siblings that this script names itself, hence the unused imports.
# ruff: noqa: F401

from typing import ClassVar

import evaluate

from .bootstrap import Resampling
from .citations import REFERENCE_FREE
from .diagram import Node
from .dot import parse_dot
from .dot_graph import TooManyLinksError
from .dot_labels import record_text
from .dot_tokens import DotTokens
from .elements import Elements
from .items import require_items
from .languages import Parsed
from .matching import Pair
from .mermaid import parse_flowchart
from .mermaid_ahead import Found
from .mermaid_arrows import LooseArrow
from .mermaid_brackets import Label
from .mermaid_graph import FlowGraphError
from .mermaid_header import read_header
from .mermaid_letters import javascript_regex
from .mermaid_lexer import FlowSyntaxError
from .mermaid_lines import LineByLine
from .mermaid_locate import Block
from .mermaid_loose import Start
from .mermaid_nodes import NodeReader
from .mermaid_paper import read_paper
from .mermaid_parser import parse
from .mermaid_plain import read_plain
from .mermaid_recover import recover
from .mermaid_shapes import SHAPE_NAMES
from .mermaid_source import Edit
from .mermaid_spelling import respell
from .mermaid_state import parse_state
from .mermaid_state_lines import read_lines
from .mermaid_state_tokens import StateSyntaxError
from .mermaid_strict import read_strictly
from .mermaid_yaml import YamlError
from .module import CheckedInputs, decode, plain
from .plantuml import parse_plantuml
from .plantuml_activity import read_activity
from .plantuml_arrows import Drawn
from .plantuml_component import read_components
from .plantuml_flow import ActivityFlow
from .plantuml_legacy import read_legacy
from .plantuml_lines import Line
from .plantuml_state import read_states
from .plantuml_text import label_text
from .recall_ocr import RecallOptions, score_recall
from .reply import Answer
from .signature import signature
from .state_chart import StateChart
from .text_lines import TextLine

_DESCRIPTION = """
Recall_OCR: the share of the texts that an OCR engine reads in a diagram's picture which the code
generated from that picture holds. No gold code is needed.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str or dict): The models' replies with code in Mermaid, GraphViz DOT or
        PlantUML, in a fence or not, or the elements themselves, `{"nodes": [text, …], "links":
        [[source, target, label], …]}`. `None` and NaN have no elements, reason `missing`.
    references (list of list): For each picture the texts read in it, as `flowlearn ocr` writes
        them: a text, or a dict with `text` and optionally `polygon` (four corners) or `box` (`x0,
        y0, x1, y1`), and `confidence`.
    lines (str, default "merged"): `"merged"` joins the lines of wrapped labels; `"raw"` takes every
        line by itself, the paper's literal formula.
    threshold (float, default 0.9): Least similarity of a match, inclusive.
    assignment (str, default "best-first"): How pairs are chosen, each text at most once:
        `"best-first"`, or `"maximum"`, as many pairs as possible.
    edge_labels (bool, default True): Whether texts may be found in labels of links too.
    language (str, default "auto"): Diagram language; `"auto"` detects it.
    reader (str, default "given"): What read the texts, for the signature.
    clusters (list, default None): One key an item, e.g. its image; the bootstrap draws whole
        clusters.
    bootstrap (int, default 0): Number of bootstrap resamples; 0 for no intervals.
    seed (int, default 0): Seed of the bootstrap.
Returns:
    recall (float or None; 0 to 1, higher is better): Mean of the pictures' recalls; `None` if no
        picture has text.
    micro_recall (float or None; 0 to 1, higher is better): Texts found in all pictures / all texts.
    undefined (int): Pictures without text; they have recall `None`, reason `no_ocr_text`, and are
        left out of the mean.
    items (list of dict): For each picture `recall`, `reason`, `matched`, `texts`, `found`, and
        `missed`: each missed text with its box and the generated element nearest to it.
    intervals (dict): Percentile bootstrap interval (95 %) of `micro_recall`, if asked for.
    signature (str): How the scores were made; scores compare only under the same signature.
Examples:
    >>> import evaluate
    >>> ocr_recall = evaluate.load("metrics/ocr_recall")
    >>> result = ocr_recall.compute(
    ...     predictions=["flowchart LR\\na(mix) --> b(bake a cake)"],
    ...     references=[["mix", "bake", "a cake", "serve"]],
    ... )
    >>> round(result["recall"], 4), [miss["text"] for miss in result["items"][0]["missed"]]
    (0.6667, ['serve'])
"""


class OcrRecall(CheckedInputs, evaluate.Metric):
    """Recall of the texts of pictures in generated code."""

    accepts: ClassVar = {"predictions": (str, dict), "references": (list,)}

    def _info(self):
        return self.module_info(_DESCRIPTION, _KWARGS_DESCRIPTION, REFERENCE_FREE)

    def _compute(
        self,
        predictions,
        references,
        lines="merged",
        threshold=0.9,
        assignment="best-first",
        edge_labels=True,
        language="auto",
        reader="given",
        clusters=None,
        bootstrap=0,
        seed=0,
    ):
        options = RecallOptions(lines, threshold, assignment, edge_labels, language, reader)
        resampling = Resampling(bootstrap, seed, clusters)
        return plain(score_recall(decode(predictions), decode(references), options, resampling))

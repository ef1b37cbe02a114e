"""The `evaluate` module f1_ocr_ve; the scoring itself is in reference_free.py."""

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
from .precision_ve import PrecisionOptions
from .recall_ocr import RecallOptions
from .reference_free import score_reference_free
from .reply import Answer
from .signature import signature
from .state_chart import StateChart
from .text_lines import TextLine
from .ve_protocol import VeAnswers

_DESCRIPTION = """
F1_OCR-VE: the harmonic mean of Recall_OCR and Precision_VE, a quality score of code generated from
a diagram's picture that needs no gold code. Beside it, recall and precision of edges against the
arrows that a detector finds in the picture.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str or dict): The models' replies with code in Mermaid, GraphViz DOT or
        PlantUML, in a fence or not, or the elements themselves, `{"nodes": [text, …], "links":
        [[source, target, label], …]}`. `None` and NaN have no elements, reason `missing`.
    texts (list of list): For each picture the texts read in it, as `flowlearn ocr` writes
        them: a text, or a dict with `text` and optionally `polygon` (four corners) or `box` (`x0,
        y0, x1, y1`), and `confidence`.
    verdicts (list of list): For each picture the verifier's replies, one a call of the
        protocol (`flowlearn ve requests` splits the elements into calls; missing calls are `None`
        or left out at the end), or one bool an element, nodes first.
    arrows (list of list, default None): For each picture `[source text, target text]` of each arrow
        found in it, or `[source text, target text, label, directed]`: one that is not directed (two
        heads, or none) supports an edge of either direction. `None`: no edge scores.
    lines (str, default "merged"): `"merged"` joins the lines of wrapped labels; `"raw"` takes every
        line by itself.
    threshold (float, default 0.9): Least similarity of a match, inclusive.
    assignment (str, default "best-first"): How texts and elements are paired, each at most once:
        `"best-first"`, or `"maximum"`, as many pairs as possible.
    edge_labels (bool, default True): Whether labels of links count, in both scores.
    language (str, default "auto"): Diagram language; `"auto"` detects it.
    reader, verifier, finder (str, default "given"): What read the texts, what verified, and what
        found the arrows, for the signatures.
Returns:
    f1, recall, precision (float or None; 0 to 1, higher is better): Means over the pictures where
        they are defined.
    edge_recall, edge_precision (float or None; 0 to 1, higher is better): The same of edges; `None`
        without arrows.
    undefined (int): Pictures without an F1, because there is no text or no generated element.
    items (list of dict): For each picture `f1`, `reason`, and `recall`, `precision`, `edges` with
        their lists.
    signature, edge_signature (str): How the scores were made; scores compare only under the same
        signature.
Examples:
    >>> import evaluate
    >>> f1_ocr_ve = evaluate.load("metrics/f1_ocr_ve")
    >>> result = f1_ocr_ve.compute(
    ...     predictions=["flowchart LR\\na(mix) --> b(bake)"],
    ...     texts=[["mix", "bake", "serve"]],
    ...     verdicts=[["1. yes\\n2. yes\\n3. yes"]],
    ...     arrows=[[["mix", "bake"], ["bake", "serve"]]],
    ... )
    >>> round(result["f1"], 4), result["edge_recall"]
    (0.8, 0.5)
"""


class F1OcrVe(CheckedInputs, evaluate.Metric):
    """Reference-free quality of generated code."""

    accepts: ClassVar = {
        "predictions": (str, dict),
        "texts": (list,),
        "verdicts": (list,),
    }

    def _info(self):
        return self.module_info(_DESCRIPTION, _KWARGS_DESCRIPTION, REFERENCE_FREE)

    def _compute(
        self,
        predictions,
        texts,
        verdicts,
        arrows=None,
        lines="merged",
        threshold=0.9,
        assignment="best-first",
        edge_labels=True,
        language="auto",
        reader="given",
        verifier="given",
        finder="given",
    ):
        return plain(
            score_reference_free(
                decode(predictions),
                decode(texts),
                decode(verdicts),
                arrows,
                RecallOptions(lines, threshold, assignment, edge_labels, language, reader),
                PrecisionOptions(edge_labels, threshold, language, verifier),
                finder,
            )
        )

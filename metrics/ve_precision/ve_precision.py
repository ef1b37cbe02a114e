"""The `evaluate` module ve_precision; the scoring itself is in precision_ve.py."""

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
from .precision_ve import PrecisionOptions, score_precision
from .recall_ocr import RecallOptions
from .reply import Answer
from .signature import signature
from .state_chart import StateChart
from .text_lines import TextLine
from .ve_protocol import VeAnswers

_DESCRIPTION = """
Precision_VE: the share of the elements of generated code which an independent model sees in the
picture. No gold code is needed; where it is given, the verifying model itself is scored.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str or dict): The models' replies with code in Mermaid, GraphViz DOT or
        PlantUML, in a fence or not, or the elements themselves, `{"nodes": [text, …], "links":
        [[source, target, label], …]}`. `None` and NaN have no elements, reason `missing`.
    references (list of list): For each picture the verifier's replies, one a call of the
        protocol (`flowlearn ve requests` splits the elements into calls; missing calls are `None`
        or left out at the end), or one bool an element, nodes first.
    gold (list of str or dict, default None): Gold code (or elements) of each picture, to score the
        verifier itself.
    edge_labels (bool, default True): Whether edges are asked about with their labels.
    threshold (float, default 0.9): Least similarity at which an element is in the gold, inclusive.
    language (str, default "auto"): Diagram language; `"auto"` detects it.
    verifier (str, default "given"): What verified, for the signature.
    clusters (list, default None): One key an item, e.g. its image; the bootstrap draws whole
        clusters.
    bootstrap (int, default 0): Number of bootstrap resamples; 0 for no intervals.
    seed (int, default 0): Seed of the bootstrap.
Returns:
    precision (float or None; 0 to 1, higher is better): Mean of the pictures' precisions; `None`
        where none is defined.
    micro_precision (float or None; 0 to 1, higher is better): Entailed elements of all pictures /
        all elements.
    undefined (int): Pictures without generated elements: precision `None`, the reason is how the
        reply was read (`empty`, `missing`, `refusal`, `not_a_diagram`).
    missing, odd (int): Elements without a verdict, and with an unclear one: both count as no.
    ve_f1, ve_fpr, ve_fnr (float or None): Micro F1, false positive rate and false negative rate of
        the verifier against gold; `None` without gold.
    items (list of dict): For each picture `precision`, `reason`, `entailed`, `elements`,
        `hallucinated` (the elements that were not entailed), `missing`, `odd`, `surplus`,
        `confusion`.
    intervals (dict): Percentile bootstrap interval (95 %) of `micro_precision`, if asked for.
    signature (str): How the scores were made; scores compare only under the same signature.
Examples:
    >>> import evaluate
    >>> ve_precision = evaluate.load("metrics/ve_precision")
    >>> result = ve_precision.compute(
    ...     predictions=["flowchart LR\\na(mix) --> b(bake)"],
    ...     references=[["1. yes\\n2. no\\n3. no"]],
    ...     gold=["flowchart LR\\na(mix) --> b(boil)"],
    ... )
    >>> round(result["precision"], 4), result["items"][0]["hallucinated"]
    (0.3333, ['Node: "bake"', 'Edge: "mix" --> "bake"'])
    >>> result["ve_f1"], result["ve_fpr"], result["ve_fnr"]
    (1.0, 0.0, 0.0)
"""


class VePrecision(CheckedInputs, evaluate.Metric):
    """Precision of generated code by visual entailment."""

    accepts: ClassVar = {"predictions": (str, dict), "references": (list,)}

    def _info(self):
        return self.module_info(_DESCRIPTION, _KWARGS_DESCRIPTION, REFERENCE_FREE)

    def _compute(
        self,
        predictions,
        references,
        gold=None,
        edge_labels=True,
        threshold=0.9,
        language="auto",
        verifier="given",
        clusters=None,
        bootstrap=0,
        seed=0,
    ):
        options = PrecisionOptions(edge_labels, threshold, language, verifier)
        resampling = Resampling(bootstrap, seed, clusters)
        return plain(
            score_precision(decode(predictions), decode(references), gold, options, resampling)
        )

"""The `evaluate` module ve_precision; the scoring itself is in precision_ve.py."""

# evaluate copies only the siblings that this script names itself, hence the unused imports.
# ruff: noqa: F401

from typing import ClassVar

import evaluate

from .accuracy import Resampling
from .bootstrap import Interval
from .diagram import Node
from .dot import parse_dot
from .dot_graph import TooManyLinksError
from .dot_labels import record_text
from .dot_tokens import Token
from .elements import Elements
from .languages import Parsed
from .matching import Pair
from .mermaid import parse_flowchart
from .mermaid_ahead import Found
from .mermaid_arrows import LooseArrow
from .mermaid_brackets import Label
from .mermaid_graph import FlowGraphError
from .mermaid_letters import javascript_regex
from .mermaid_lexer import FlowSyntaxError
from .mermaid_lines import spans_statements
from .mermaid_locate import Block
from .mermaid_loose import Start
from .mermaid_paper import read_paper
from .mermaid_parser import parse
from .mermaid_recover import recover
from .mermaid_shapes import SHAPE_NAMES
from .mermaid_source import Edit
from .mermaid_state import parse_state
from .mermaid_state_lines import read_lines
from .mermaid_state_tokens import StateSyntaxError
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
    predictions (list of str or dict): The models' replies with diagram code in any language, or
        the elements themselves: {"nodes": [text, ...], "links": [[source, target, label], ...]}.
    references (list of list): For each picture the verifier's replies, one a call of the protocol
        (`flowlearn` splits the elements into calls), or one bool an element, nodes first.
    gold (list of str or dict): Gold code of each picture, to score the verifier; default None.
    edge_labels (bool): Edges are asked about with their labels (default True).
    threshold (float): Least similarity at which an element is in the gold (default 0.9).
    language (str): Diagram language; "auto" (default) detects it.
    verifier (str): What verified, for the signature (default "given").
    clusters (list): One key an item: the bootstrap draws whole clusters.
    bootstrap (int): Number of bootstrap resamples; 0 (default) for no interval.
    seed (int): Seed of the bootstrap (default 0).
Returns:
    precision (float or None): Mean of the pictures' precisions; None where none is defined.
    micro_precision (float or None): Entailed elements of all pictures / all elements.
    undefined (int): Pictures without generated elements, left out of the mean.
    missing, odd (int): Elements without a verdict, and with an unclear one: both count as no.
    ve_f1, ve_fpr, ve_fnr (float or None): Micro F1, false positive and false negative rate of the
        verifier, where gold is given.
    items (list of dict): For each picture: precision, reason, entailed, elements, hallucinated,
        missing, odd, surplus, confusion.
    intervals (dict): 95 % bootstrap interval of micro_precision, if asked for.
    signature (str): How the score was made.
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

_CITATION = """
@article{nguyen2026online,
  title = {An Online Reference-Free Evaluation Framework for Flowchart Image-to-Code Generation},
  author = {Nguyen, Giang Son and Lim, Zi Pong and Modi, Sarthak Ketanbhai and Teo, Yon Shin
            and Wang, Wenya},
  year = {2026}
}
"""


class VePrecision(CheckedInputs, evaluate.Metric):
    """Precision of generated code by visual entailment."""

    accepts: ClassVar = {"predictions": (str, dict), "references": (list,)}

    def _info(self):
        return self.module_info(_DESCRIPTION, _KWARGS_DESCRIPTION, _CITATION)

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

"""The `evaluate` module mermaid_f1; the scoring itself is in mermaid_score.py."""

# evaluate copies only the siblings that this script names itself, hence the unused imports.
# ruff: noqa: F401

from typing import ClassVar

import evaluate

from .bootstrap import Resampling
from .citations import FLOWLEARN
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
from .mermaid_score import Options, score_flowcharts
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
from .reply import Answer
from .signature import signature
from .state_chart import StateChart

_DESCRIPTION = """
Precision, recall and F1 of flowchart code, on the level of nodes and on the level of links, as in
FlowLearn (Tables 7 and 12).
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str): The model's whole replies. `None` and NaN score 0, reading `missing`.
    references (list of str): Gold code, bare or in a ``` fence.
    mode (str, default "paper"): `"paper"`: the first closed ``` fence, read as the published scores
        do, texts compared as they stand. `"lenient"`: as a careful person reads, recovering from
        errors; texts compared with Unicode, white space and quotes normalized.
    threshold (float, default 1.0): Least similarity at which two texts match, inclusive; 1 asks for
        equality. Similarity is 1 − Levenshtein distance / length of the longer text; of a link, the
        smaller one of its two ends.
    assignment (str, default "best-first"): How partners are chosen below threshold 1:
        `"best-first"`, the most similar free pair again and again, or `"maximum"`, as many pairs as
        possible. No element has two partners.
    multiset (bool, default True): Whether an element that occurs twice counts twice.
    link_labels (bool, default False): Whether the label of a link must match too.
    language (str, default "mermaid"): Language of the code in lenient mode: `"mermaid"`, `"dot"`,
        `"plantuml"`, or `"auto"` to detect it in each text.
    clusters (list, default None): One key an item, e.g. its image; the bootstrap draws whole
        clusters.
    bootstrap (int, default 0): Number of bootstrap resamples; 0 for no intervals.
    seed (int, default 0): Seed of the bootstrap.
Returns:
    node_precision, node_recall, node_f1, link_precision, link_recall, link_f1 (float; 0 to 1,
        higher is better): Means of the replies' scores (macro average, as in the paper).
    micro_node_precision, micro_node_recall, micro_node_f1, micro_link_precision,
        micro_link_recall, micro_link_f1 (float; 0 to 1, higher is better): The same six from the
        counts of all replies together (micro average).
    readings (dict): How many replies were read as `fence`, `unclosed_fence`, `no_fence` (code
        without one; in paper mode: nothing), `not_a_diagram`, `refusal`, `empty`, `missing`.
    recovered (int): Replies of which lines had to be left out.
    items (list of dict): For each reply its `reading`, the `skipped` lines with the reason, and
        `nodes` and `links`, each with `tp`, `fp`, `fn`, `precision`, `recall`, `f1` and the lists
        `matched` (gold, predicted, similarity), `missed` and `extra`.
    intervals (dict): Percentile bootstrap intervals (95 %) of the twelve scores, if asked for.
    signature (str): How the scores were made; scores compare only under the same signature.
Examples:
    >>> import evaluate
    >>> mermaid_f1 = evaluate.load("metrics/mermaid_f1")
    >>> gold = "flowchart LR\\na(mix) --> b(bake)\\nb --> c(cool)"
    >>> reply = "```mermaid\\nflowchart TD\\nx[mix] ==> y[bake]\\n```"
    >>> result = mermaid_f1.compute(predictions=[reply], references=[gold])
    >>> result["node_precision"], result["node_f1"], result["link_recall"]
    (1.0, 0.8, 0.5)
    >>> result["items"][0]["links"]["missed"]
    [['bake', 'cool']]
    >>> result["signature"][:42]
    'mermaid_f1|mode:paper|threshold:1|assignme'
"""


class MermaidF1(CheckedInputs, evaluate.Metric):
    """Precision, recall and F1 of flowchart code."""

    accepts: ClassVar = {"predictions": (str,), "references": (str,)}

    def _info(self):
        return self.module_info(_DESCRIPTION, _KWARGS_DESCRIPTION, FLOWLEARN)

    def _compute(
        self,
        predictions,
        references,
        mode="paper",
        threshold=1.0,
        assignment="best-first",
        multiset=True,
        link_labels=False,
        language="mermaid",
        clusters=None,
        bootstrap=0,
        seed=0,
    ):
        return plain(
            score_flowcharts(
                decode(predictions),
                decode(references),
                options=Options(mode, threshold, assignment, multiset, link_labels, language),
                resampling=Resampling(bootstrap, seed, clusters),
            )
        )

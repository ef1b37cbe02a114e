"""The `evaluate` module ocr_recall; the scoring itself is in recall_ocr.py."""

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
    predictions (list of str or dict): The models' replies with diagram code in any language, or
        the elements themselves: {"nodes": [text, ...], "links": [[source, target, label], ...]}.
    references (list of list): For each picture the texts read in it, as `flowlearn ocr` writes
        them: a text, or {"text", "polygon" or "box", "confidence"}.
    lines (str): "merged" (default) joins the lines of wrapped labels; "raw" takes every line by
        itself, the paper's literal formula.
    threshold (float): Least similarity of a match, 1 - d / max(length) (default 0.9).
    assignment (str): "best-first" (default) or "maximum" one-to-one matching.
    edge_labels (bool): Texts may be found in labels of links too (default True).
    language (str): Diagram language; "auto" (default) detects it.
    reader (str): What read the texts, for the signature (default "given").
    clusters (list): One key an item: the bootstrap draws whole clusters.
    bootstrap (int): Number of bootstrap resamples; 0 (default) for no interval.
    seed (int): Seed of the bootstrap (default 0).
Returns:
    recall (float or None): Mean of the pictures' recalls; None where no picture has text.
    micro_recall (float or None): Texts found in all pictures / all texts.
    undefined (int): Pictures without text, left out of the mean.
    items (list of dict): For each picture: recall, reason, matched, texts, found, missed (text,
        box, nearest generated element, similarity).
    intervals (dict): 95 % bootstrap interval of micro_recall, if asked for.
    signature (str): How the score was made.
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

_CITATION = """
@article{nguyen2026online,
  title = {An Online Reference-Free Evaluation Framework for Flowchart Image-to-Code Generation},
  author = {Nguyen, Giang Son and Lim, Zi Pong and Modi, Sarthak Ketanbhai and Teo, Yon Shin
            and Wang, Wenya},
  year = {2026}
}
"""


class OcrRecall(CheckedInputs, evaluate.Metric):
    """Recall of the texts of pictures in generated code."""

    accepts: ClassVar = {"predictions": (str, dict), "references": (list,)}

    def _info(self):
        return self.module_info(_DESCRIPTION, _KWARGS_DESCRIPTION, _CITATION)

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

"""The tasks of FlowLearn and their prompts.

Prompts and templates stand as the FlowLearn paper prints them (Tables 1, 2 and 8), except where
a comment says that the published replies were made with another wording.
"""

from dataclasses import dataclass
from typing import Literal, get_args

Task = Literal[
    "ocr",
    "true_a_to_b",
    "false_a_to_b",
    "true_between",
    "false_between",
    "description",
    "mermaid",
    "num_nodes",
    "num_arrows",
]

TASKS: tuple[Task, ...] = get_args(Task)

_TRUE_FALSE = (
    "The given image is a simulated flowchart. Based on the process outlined in the flowchart, "
    'determine the correctness of the given statement. Answer with either "true" or "false".'
)
_OCR = (
    "A flowchart will be provided where a red box is drawn around the text node of interest. "
    "Answer with the text inside the red box. Ensure that the transcription is precise, "
    "reflecting the exact letters."
)
_DESCRIPTION = (
    "The image contains a flowchart. Generate the description of the flowchart, reflecting the "
    "text nodes and arrows as depicted."
)
_MERMAID = (
    "The image contains a flowchart. Generate the Mermaid code to represent the flowchart, "
    "reflecting the text nodes and arrows as depicted."
)
_NUM_NODES = (
    "The given image contains a simulated flowchart. You should find all text nodes and determine "
    "the total number of text nodes in the flowchart. Answer the question with a number."
)
_NUM_ARROWS = (
    "The given image contains a simulated flowchart. You should find all arrows and determine the "
    "total number of arrows in the flowchart. Answer the question with a number."
)

PROMPTS: dict[Task, str] = {
    "ocr": _OCR,
    "true_a_to_b": _TRUE_FALSE,
    "false_a_to_b": _TRUE_FALSE,
    "true_between": _TRUE_FALSE,
    "false_between": _TRUE_FALSE,
    "description": _DESCRIPTION,
    "mermaid": _MERMAID,
    "num_nodes": _NUM_NODES,
    "num_arrows": _NUM_ARROWS,
}
"""Task description that opens a prompt (FlowLearn Tables 1 and 2)."""

PROMPT_MERMAID_AS_RELEASED = _MERMAID.replace("a flowchart", "a simulated flowchart", 1)
"""The Mermaid prompt of the released code, which differs from the printed one."""

STATEMENT_A_TO_B = "Arrow points from node '{a}' to node '{b}'."
STATEMENT_BETWEEN = "Arrow exists between node '{a}' and node '{b}'."
# The published questions have no article, unlike the templates of paper section 3.3.

DESCRIPTION_SENTENCE = "{a} points to {b}."

QUESTION_NUM_NODES = "How many nodes are in the flowchart?"
QUESTION_NUM_ARROWS = "How many arrows are in the flowchart?"

ANSWER_ONLY = (
    "\nEnsure the generated answers only contain the answer to the question and no other "
    "information."
)
"""What the released code appends to the prompt of API models."""

QUERY_SUFFIX = " The answer is"
CHAIN_OF_THOUGHT_SUFFIX = " Let's think step by step."
CHAIN_OF_THOUGHT_ANSWER = (
    "First, the flowchart includes the following nodes: {nodes}\n\n"
    "Then, it contains the following edges: {edges}\n\n"
    "Finally, the Mermaid code for the flowchart is: {mermaid}"
)
"""Answer template of the chain-of-thought study (FlowLearn Table 8)."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question on a chart.

    Attributes:
        task: Which task it belongs to.
        question: Text that follows the task's prompt; empty where the prompt says all.
        answer: Gold answer; empty where the chart cannot have such a question.
        node: Id of the node whose text is asked for (`ocr`), else empty.
        box: Box of that text, `(x0, y0, x1, y1)` in pixels; empty for other tasks.
        reason: Why the chart cannot have such a question; empty where it has one.
    """

    task: Task
    question: str = ""
    answer: str = ""
    node: str = ""
    box: tuple[float, ...] = ()
    reason: str = ""

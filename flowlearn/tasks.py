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

STATEMENT_A_TO_B = "Arrow points from node '{a}' to node '{b}'."
STATEMENT_BETWEEN = "Arrow exists between node '{a}' and node '{b}'."
# The published questions have no article, unlike the templates of paper section 3.3.

DESCRIPTION_SENTENCE = "{a} points to {b}."

QUESTION_NUM_NODES = "How many nodes are in the flowchart?"
QUESTION_NUM_ARROWS = "How many arrows are in the flowchart?"

_ANSWER_ONLY = (
    "\nEnsure the generated answers only contain the answer to the question and no other "
    "information."
)
_CHAIN_OF_THOUGHT_ANSWER = (
    "First, the flowchart includes the following nodes: {nodes}\n\n"
    "Then, it contains the following edges: {edges}\n\n"
    "Finally, the Mermaid code for the flowchart is: {mermaid}"
)

Style = Literal["plain", "answer-only", "chain-of-thought"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """How a task is asked.

    Attributes:
        instruction: What opens the prompt.
        question_end: What follows the question.
        answer: How the answers of solved examples are written.
    """

    instruction: str
    question_end: str = ""
    answer: str = "{answer}"


def task_prompt(task: Task, style: Style = "plain", as_released: bool = False) -> Prompt:
    """Return how a task is asked.

    Args:
        task: The task.
        style: `plain`: as the paper prints it. `answer-only`: as the released code asks models
            behind an API. `chain-of-thought`: as in the paper's study on `mermaid` (Table 8).
        as_released: The wording of the released code, which differs from the printed one in the
            task `mermaid`.

    >>> task_prompt("num_nodes", "answer-only").question_end
    ' The answer is'
    """
    instruction = PROMPTS[task]
    if as_released and task == "mermaid":
        instruction = instruction.replace("a flowchart", "a simulated flowchart", 1)
    if style == "answer-only":
        return Prompt(instruction + _ANSWER_ONLY, " The answer is")
    if style == "chain-of-thought":
        thinking = f"{instruction} Let's think step by step."
        return Prompt(thinking, answer=_CHAIN_OF_THOUGHT_ANSWER)
    return Prompt(instruction)


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

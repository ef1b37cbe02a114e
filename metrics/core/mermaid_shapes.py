"""Shapes of nodes: the names that mermaid.js 12.3.0 takes in `A@{ shape: … }`, and its brackets."""

_NAMES = """
anchor bang bolt bow-rect bow-tie-rectangle bpmn-activity bpmn-annotation bpmn-boundary
bpmn-data bpmn-data-store bpmn-end bpmn-gateway bpmn-intermediate bpmn-start brace brace-l
brace-r braces browser bucket card choice circ circle cloud collate com-link comment
composite console cross-circ crossed-circle curv-trap curved-trapezoid cyl cylinder das
data-store database datastore db dbl-circ decision delay diam diamond directory disk display
div-proc div-rect divided-process divided-rectangle doc docs document documents
double-circle doublecircle event extract f-circ filled-circle flag flip-tri flipped-triangle
folder fork fr-circ fr-rect framed-circle framed-rectangle h-cyl half-rounded-rectangle hex
hexagon horizontal-cylinder hourglass icon in-out internal-storage inv-trapezoid join
junction lean-l lean-left lean-r lean-right lightning-bolt lin-cyl lin-doc lin-proc lin-rect
lined-cylinder lined-document lined-process lined-rectangle loop-limit manual manual-file
manual-input notch-pent notch-rect notched-pentagon notched-rectangle note odd out-in
paper-tape person pill prepare priority proc process processes procs question rect rectangle
rounded shaded-process sl-rect sloped-rectangle sm-circ small-circle st-doc st-rect
stacked-document stacked-rectangle stadium start state stop stored-data subproc subprocess
subroutine summary tag-doc tag-proc tag-rect tagged-document tagged-process tagged-rectangle
terminal text trap-b trap-t trapezoid trapezoid-bottom trapezoid-top tri triangle win-pane
window-pane
"""
SHAPE_NAMES = frozenset(_NAMES.split())

# Opening token, then the closing tokens that may follow the text and the shape each makes.
BRACKET_SHAPES: dict[str, dict[str, str]] = {
    "SQUARE_START": {"SQUARE_END": "square"},
    "ROUND_START": {"ROUND_END": "round"},
    "STADIUM_START": {"STADIUM_END": "stadium"},
    "SUBROUTINE_START": {"SUBROUTINE_END": "subroutine"},
    "CYLINDER_START": {"CYLINDER_END": "cylinder"},
    "ELLIPSE_START": {"ELLIPSE_END": "ellipse"},
    "DOUBLE_CIRCLE_START": {"DOUBLE_CIRCLE_END": "doublecircle"},
    "DIAMOND_START": {"DIAMOND_END": "diamond"},
    "TAG_END": {"SQUARE_END": "odd"},
    "SLANT_RIGHT_START": {"SLANT_LEFT_END": "trapezoid", "SLANT_RIGHT_END": "lean_right"},
    "SLANT_LEFT_START": {"SLANT_RIGHT_END": "inv_trapezoid", "SLANT_LEFT_END": "lean_left"},
}
# Shapes whose opening and closing tokens come twice.
DOUBLED_BRACKETS = {"ROUND_START": "circle", "DIAMOND_START": "hexagon"}

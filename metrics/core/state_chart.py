"""The builder of state diagrams, shared by the languages that have them.

Pseudo states have no name in the source, so they get one here (Mermaid's own, where it has one):

* `[*]` as a source is `<scope>_start`, as a target `<scope>_end`; the scope is `root` or the
  composite state around. In a composite state split by `--`, each region has its own:
  `<scope>_region<k>_start`, k from 1.
* Their label is the source's own sign, `[*]`; their shapes are `stateStart` and `stateEnd`.

A composite state is a group, not a node; its regions are not groups of their own.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from .diagram import Arrow, Diagram, Group, Link, Node, Skipped, Stroke

PSEUDO = "[*]"

# How far up a chain of groups is searched before a regrouping is refused.
_MAX_CLIMB = 100


@dataclass(slots=True)
class _Scope:
    """The inside of a composite state, or of the whole diagram."""

    name: str
    regions_before: int = 0
    regions: int = 1
    last_region_empty: bool = True

    @property
    def split(self) -> bool:
        """Whether it has regions: something must follow the last divider, says Mermaid."""
        return self.regions > 1 and not self.last_region_empty

    def pseudo_id(self, region: int, role: str) -> str:
        """Return the id of the start or end state of a region."""
        number = self.regions_before + region
        return f"{self.name}_region{number}_{role}" if self.split else f"{self.name}_{role}"


# A state's key while building: its id, or for a pseudo state what its id will be made of.
_Key = str | tuple[int, int, str]


@dataclass(slots=True)
class _State:
    shape: str
    descriptions: list[str] = field(default_factory=list)
    composite: bool = False
    parent: str | None = None


@dataclass(slots=True)
class StateChart:
    """A state diagram while it is read, statement by statement.

    Attributes:
        moves: A later mention inside another composite state moves a state there (Mermaid's way;
            in PlantUML the first mention settles it).
    """

    moves: bool = True
    _states: dict[_Key, _State] = field(default_factory=dict)
    _links: list[tuple[_Key, _Key, str, Stroke, Arrow]] = field(default_factory=list)
    _scopes: list[_Scope] = field(default_factory=lambda: [_Scope("root")])
    _open: list[int] = field(default_factory=lambda: [0])
    _scope: _Scope = field(init=False)
    # Regions that a composite state had when it was closed: it may be opened again.
    _regions: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._scope = self._scopes[0]

    @property
    def depth(self) -> int:
        """Return how many composite states are open."""
        return len(self._open) - 1

    def _mention(self, name: str, role: str, shape: str) -> tuple[_Key, _State]:
        scope = self._scope
        scope.last_region_empty = False
        key: _Key = name
        if name == PSEUDO:
            key, shape = (self._open[-1], scope.regions, role), f"state{role.capitalize()}"
        state = self._states.get(key)
        may_move = self.moves or state is None
        if state is None:
            state = self._states[key] = _State(shape)
        if may_move and len(self._open) > 1 and self._may_hold(scope.name, key):
            state.parent = scope.name
        return key, state

    def _may_hold(self, parent: str | None, key: _Key) -> bool:
        """Tell whether a group may hold a state without holding itself."""
        if not self._states[key].composite and parent != key:
            return True
        for _ in range(_MAX_CLIMB):
            if parent is None:
                return True
            if parent == key:
                return False
            parent = self._states[parent].parent
        return False

    def state(
        self,
        name: str,
        descriptions: tuple[str, ...] = (),
        shape: str = "rect",
        role: str = "start",
    ) -> list[str]:
        """Declare a state, or add to one; the first shape stays.

        Args:
            name: Name in the source, perhaps `[*]`.
            descriptions: Texts that it gets here.
            shape: Its shape, if this is its first mention.
            role: What a `[*]` is here, `start` or `end`.

        Returns:
            All descriptions that the state has by now.
        """
        state = self._mention(name, role, shape)[1]
        if descriptions:
            state.descriptions += filter(None, descriptions)
        return state.descriptions

    def link(
        self,
        source: str,
        target: str,
        label: str = "",
        stroke: Stroke = "normal",
        arrow: Arrow = "point",
    ) -> None:
        """Add a transition and declare its ends."""
        start = self._mention(source, "start", "rect")[0]
        end = self._mention(target, "end", "rect")[0]
        self._links.append((start, end, label, stroke, arrow))

    def is_composite(self, name: str) -> bool:
        """Tell whether a state has been opened."""
        state = self._states.get(name)
        return state is not None and state.composite

    def open(self, name: str) -> None:
        """Enter the inside of a composite state."""
        if name == PSEUDO:
            name = self._scope.pseudo_id(self._scope.regions, "start")
        self._mention(name, "start", "rect")[1].composite = True
        self._scope = _Scope(name, self._regions.get(name, 0))
        self._scopes.append(self._scope)
        self._open.append(len(self._scopes) - 1)

    def divide(self) -> None:
        """Begin the next concurrent region of the composite state around."""
        self._scope.regions += 1
        self._scope.last_region_empty = True

    def occupy(self) -> None:
        """Note that the region at hand has a statement, perhaps one that declares nothing."""
        self._scope.last_region_empty = False

    def close(self) -> None:
        """Leave the composite state around."""
        scope = self._scopes[self._open.pop()]
        self._scope = self._scopes[self._open[-1]]
        if scope.split:
            self._regions[scope.name] = scope.regions_before + scope.regions

    def _written(self, key: _Key) -> str:
        if isinstance(key, str):
            return key
        index, region, role = key
        return self._scopes[index].pseudo_id(region, role)

    def diagram(
        self,
        direction: str | None,
        skipped: tuple[Skipped, ...] = (),
        decode: Callable[[str], str] = str,
    ) -> Diagram:
        """Return what was built.

        Args:
            direction: Direction of the whole diagram, `None` where the source names none.
            skipped: What a recovering parser left out.
            decode: Applied to every id and text.
        """
        names = {key: decode(self._written(key)) for key in self._states}
        nodes: dict[str, Node] = {}
        groups: dict[str, str] = {}
        members: dict[str, dict[str, None]] = {}
        for key, state in self._states.items():
            name = names[key]
            text = decode("\n".join(state.descriptions)) if state.descriptions else ""
            if state.parent is not None:
                members.setdefault(decode(state.parent), {})[name] = None
            if state.composite:
                groups[name] = text or name
            elif name not in nodes:
                sign = name if isinstance(key, str) else PSEUDO
                nodes[name] = Node(name, text or sign, _shape(state))
        return Diagram(
            nodes=tuple(node for node in nodes.values() if node.id not in groups),
            links=tuple(
                Link(names[source], names[target], decode(label), stroke, arrow)
                for source, target, label, stroke, arrow in self._links
            ),
            groups=tuple(
                Group(name, label, tuple(members.get(name, ()))) for name, label in groups.items()
            ),
            direction=direction,
            skipped=skipped,
        )


def _shape(state: _State) -> str:
    if not state.descriptions:
        return state.shape
    return "rect" if len(state.descriptions) == 1 else "rectWithTitle"

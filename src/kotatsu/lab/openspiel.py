"""Every game as an OpenSpiel game: import this module, then ``pyspiel.load_game("kimono", {"players": 3})``.

Seats are asked one at a time, as ``kotatsu.lab.turns`` describes, and every random draw is a chance node, so
a state never contains what nobody knows yet: plain MCTS does not cheat. How that is done depends on what a
game hides (``kotatsu.lab.secrecy``):

* nothing, or only what players have to remember: draws are chance nodes as they come;
* something that no seat knows (Kakuzu's grid): it is drawn anew before every step, from a seed whose bytes
  are the chance nodes;
* something one seat knows and another does not: the game has imperfect information.

Methods without a description do what the methods of the same name do in ``pyspiel``.
"""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar, Literal

import msgspec
import numpy as np
import pyspiel

from kotatsu.engine.contract import AnyGame, Fact, Options
from kotatsu.engine.driver import Driver
from kotatsu.engine.match import check_players, read_options
from kotatsu.engine.registry import game
from kotatsu.lab.chance import BYTE, SEED_BYTES, ScriptedRandom, Undecided, seeded
from kotatsu.lab.encoding import Encoding, encoding, games_in_turns, in_words, rewards, usual_players
from kotatsu.lab.secrecy import profile
from kotatsu.lab.turns import WAIT, AskedSeat, Choice, TurnResult, begin, choose

SETUP: Literal["setup"] = "setup"
"""What a node is ``doing`` before the first seat is asked."""


class Node:
    """A node of the game tree. Immutable, so that it need not be copied.

    Either it is a decision of ``asked.seat``, or the end, or it is the chance ``event`` that the step
    ``doing`` has reached.

    Args:
        asked: the position and the seat that is asked; ``None`` during the setup.
        facts: all facts so far.
        doing: the choice that is being carried out, or ``SETUP``.
        script: the outcomes of the chance events of this step so far.
        event: the chance event to decide next; ``None`` if there is none.
    """

    __slots__ = ("asked", "doing", "event", "facts", "script")

    def __init__(
        self,
        asked: AskedSeat | None,
        facts: tuple[Fact, ...] = (),
        doing: Choice | Literal["setup"] = SETUP,
        script: tuple[int, ...] = (),
        event: Undecided | None = None,
    ) -> None:
        self.asked = asked
        self.facts = facts
        self.doing = doing
        self.script = script
        self.event = event

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        event = None if self.event is None else self.event.args
        return _restore, (self.asked, self.facts, self.doing, self.script, event)


class KotatsuGame(pyspiel.Game):  # type: ignore[misc]
    """A game with a number of players and options, given in ``params``. Each of our games has a subclass.

    ``root`` is the node before any chance event is decided. ``seeded`` is whether chance nodes are the bytes
    of seeds rather than the draws themselves.

    Raises:
        BadTable: the number of players or an option is not possible.
    """

    name: ClassVar[str]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        name = self.name
        self.kind: AnyGame = game(name)
        chosen = {**_parameters(self.kind), **(params or {})}
        players = int(chosen.pop("players"))
        check_players(self.kind, players)
        self.options: Options = read_options(self.kind, chosen)
        self.driver = Driver(self.kind, players, self.options)
        self.encoding: Encoding = encoding(name, players)
        self.players = players
        self.seeded = not profile(name).listable
        self._rng = ScriptedRandom()
        outcomes, self._events = self.encoding.chances
        if self.seeded:
            outcomes, self._events = BYTE, SEED_BYTES * (self.encoding.longest + 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.action_count,
            max_chance_outcomes=outcomes,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if players == 1 else 0.0,
            max_game_length=self.encoding.longest,
        )
        super().__init__(_game_type(self.kind, players), info, params or {})
        self.root = self.step(Node(None))

    def new_initial_state(self, *_: Any) -> KotatsuState:
        """Return the state at ``root``."""
        return KotatsuState(self)

    def state_at(self, state: Any, seat: int) -> KotatsuState:
        """Return the OpenSpiel state for a ``state`` of our game in which ``seat`` is asked."""
        found = KotatsuState(self)
        found.node = Node(AskedSeat(state, seat))
        return found

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound on the chance nodes of a game."""
        return self._events

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> Observer:
        """Return an observer of what a seat sees, or with perfect recall of all it was told.

        Args:
            iig_obs_type: which information it shows; by default what the seat sees, without perfect recall.
            params: there are none.

        Raises:
            ValueError: ``params`` is not empty.
        """
        if params:
            raise ValueError(f"there are no observation parameters, but {params} were given")
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    def step(self, node: Node) -> Node:
        """Carry out what ``node`` is doing; return the node of the next decision or chance event."""
        try:
            asked, facts = self._stepped(node)
        except Undecided as event:
            return Node(node.asked, node.facts, node.doing, node.script, event)
        return Node(asked, node.facts + tuple(facts))

    def _stepped(self, node: Node) -> TurnResult:
        rng: Random = seeded(node.script, len(node.facts)) if self.seeded else self._rng.follow(node.script)
        if node.doing == SETUP or node.asked is None:
            return begin(self.driver, rng)
        asked = node.asked
        if self.seeded and profile(self.kind.name).secret == "unknown":
            asked = asked._replace(state=self.kind.imagine(asked.state, None, rng))
        assert not isinstance(node.doing, str)
        return choose(self.driver, asked, node.doing, rng)


class KotatsuState(pyspiel.State):  # type: ignore[misc]
    """A state of a ``KotatsuGame``: the present ``node``; OpenSpiel keeps the history."""

    def __init__(self, game: KotatsuGame) -> None:
        super().__init__(game)
        self.node = game.root

    def current_player(self) -> int:
        """Return the seat that is asked, or OpenSpiel's number for chance or the end."""
        node = self.node
        if node.event is not None:
            return int(pyspiel.PlayerId.CHANCE)
        assert node.asked is not None
        return int(pyspiel.PlayerId.TERMINAL) if node.asked.seat is None else node.asked.seat

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        node = self.node
        return node.event is None and node.asked is not None and node.asked.seat is None

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the present chance event with their probabilities."""
        assert self.node.event is not None
        return self.node.event.odds()

    def returns(self) -> list[float]:
        """Return the reward of each seat; 0 until the game is over."""
        kind, asked = self.get_game().kind, self.node.asked
        outcome = None if asked is None else kind.outcome(asked.state)
        return [0.0] * self.num_players() if outcome is None else list(rewards(outcome))

    def _legal_actions(self, player: int) -> list[int]:
        legal: list[int] = self.get_game().encoding.legal(self.node.asked)
        return legal

    def _apply_action(self, action: int) -> None:
        node, table = self.node, self.get_game()
        if node.event is not None:
            script = (*node.script, int(action))
            following = node.event.then(int(action))
            node = Node(node.asked, node.facts, node.doing, script, following)
            self.node = node if following is not None else table.step(node)
        else:
            self.node = table.step(Node(node.asked, node.facts, table.encoding.choice(int(action))))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            event = self.node.event
            return event.names[action] if event is not None else str(action)
        name: str = self.get_game().encoding.name(action)
        return name

    def __str__(self) -> str:
        """The spectator's view, and the present decision or chance event."""
        node, kind = self.node, self.get_game().kind
        lines = [] if node.asked is None else [_json(kind.view(node.asked.state, None))]
        if node.event is not None:
            lines.append(f"{_in_words(node.doing)}: {list(node.script)}")
        elif node.asked is not None and node.asked.seat is not None:
            lines.append(f"seat {node.asked.seat} is asked, waiting: {sorted(node.asked.waiting)}")
        return "\n".join(lines)


class Observer:
    """What a seat sees, as a tensor and as JSON; with perfect recall all facts it was told, as lines of JSON.

    ``tensor`` is ``None`` where there is only text; ``dict`` has its blocks by name.

    Args:
        table: the game.
        kind: which information to show.
    """

    def __init__(self, table: KotatsuGame, kind: pyspiel.IIGObservationType) -> None:
        self._table = table
        self._remembers = kind.perfect_recall
        self._public = kind.public_info
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not self._remembers and self._public:
            layout = table.encoding.layout
            self.tensor = np.zeros(table.encoding.size, np.float32)
            starts = np.cumsum([0, *layout.values()])
            self.dict = {
                name: self.tensor[start : start + size]
                for (name, size), start in zip(layout.items(), starts, strict=False)
            }

    def set_from(self, state: KotatsuState, player: int) -> None:
        """Write what ``player`` sees in ``state`` into ``tensor``."""
        if self.tensor is None:
            return
        asked = state.node.asked
        if asked is None:
            self.tensor.fill(0.0)
            return
        view = self._table.kind.view(asked.state, player if self._private else None)
        self.tensor[:] = self._table.encoding.observe(view, player)

    def string_from(self, state: KotatsuState, player: int) -> str | None:
        """Return what ``player`` sees in ``state``, or was told up to it, as text."""
        if self._remembers:
            return "\n".join(map(_json, known_facts(self._table, state.node.facts, player)))
        if not self._public:
            return "" if profile(self._table.kind.name).secret != "private" else self._seen(state, player)
        return self._seen(state, player if self._private else None)

    def _seen(self, state: KotatsuState, player: int | None) -> str:
        asked = state.node.asked
        return "" if asked is None else _json(self._table.kind.view(asked.state, player))


def _restore(
    asked: AskedSeat | None,
    facts: tuple[Fact, ...],
    doing: Choice | Literal["setup"],
    script: tuple[int, ...],
    event: tuple[tuple[float, ...], tuple[str, ...], int] | None,
) -> Node:
    return Node(asked, facts, doing, script, None if event is None else Undecided(*event))


def known_facts(table: KotatsuGame, facts: tuple[Fact, ...], seat: int) -> list[Fact]:
    """Return what ``seat`` may know of all ``facts`` of a game of ``table`` so far."""
    kind = table.kind
    state = kind.empty(table.players, table.options)
    heard = []
    for fact in facts:
        state = kind.fold(state, fact)
        known = kind.redact(state, fact, seat)
        if known is not None:
            heard.append(known)
    return heard


def _game_type(kind: AnyGame, players: int) -> pyspiel.GameType:
    private = profile(kind.name).secret == "private"
    information = pyspiel.GameType.Information
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=kind.name,
        long_name=kind.name.capitalize(),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if private else information.PERFECT_INFORMATION,
        utility=utility.GENERAL_SUM if players == 1 else utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(kind.seats),
        min_num_players=min(kind.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(kind),
        default_loadable=True,
    )


def _parameters(kind: AnyGame) -> dict[str, Any]:
    """``players`` and the game's options, with their defaults."""
    plain: dict[str, Any] = msgspec.to_builtins(kind.options_type())
    return {"players": usual_players(kind), **plain}


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _in_words(doing: Choice | str) -> str:
    if isinstance(doing, str):
        return doing
    return "wait" if doing is WAIT else in_words(doing)


def register() -> None:
    """Register every game that is played in turns with ``pyspiel``, unless it is registered already."""
    known = set(pyspiel.registered_names())
    for name in games_in_turns():
        if name not in known:
            kind = game(name)
            own = type(f"{name.capitalize()}Game", (KotatsuGame,), {"name": name, "__module__": __name__})
            globals()[own.__name__] = own  # where pickle looks for it
            pyspiel.register_game(_game_type(kind, usual_players(kind)), own)


register()

"""Messages beside the card: whose turn it is, what a key would do, what others did; and the line of keys."""

from collections.abc import Sequence

from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Static

from fivedice.base.language import marked
from fivedice.cli.game.lines import (
    after_game,
    announced_lines,
    announcement_step,
    forced_lines,
    game_and_round,
    odds_line,
    offer_notes,
)
from fivedice.cli.language import box_name, chosen, numbered, say
from fivedice.cli.terminal.board import Board
from fivedice.cli.terminal.hint import Hint
from fivedice.cli.terminal.palette import Palette
from fivedice.game.record import Record
from fivedice.game.turn import Turn
from fivedice.game.wording import filled_names
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.explanation.dice import dice_text

_DROP_ORDER = (
    marked("colours"),
    marked("choose"),
    marked("keep"),
    marked("scratch"),
    marked("undo"),
    marked("hint"),
    marked("score"),
    marked("announce"),
    marked("first box"),
    marked("skip"),
    marked("roll"),
    marked("learn"),
    marked("review"),
    marked("new game"),
    marked("quit"),
    marked("help"),
)
"""What keys do, in the order in which a narrow terminal drops them: obvious ones first, help (which lists all keys)
last."""

_MAX_TURNS = 3
"""The number of other seats' turns shown if there is room."""


class Messages(Static):
    """Paragraphs of at most `columns` columns; `is_spacious` separates them by blank lines."""

    columns = 0

    paragraphs: reactive[tuple[Content, ...]] = reactive((), layout=True)
    is_spacious: reactive[bool] = reactive(True, layout=True)

    def render(self) -> Content:
        return Content("\n\n" if self.is_spacious else "\n").join(self.paragraphs)


def paragraphs(
    board: Board, hint: Hint, ended: Sequence[str], palette: Palette, width: int, *, is_brief: bool
) -> tuple[Content, ...]:
    """The messages, most important first. An open hint replaces those after the board's message."""
    session, position, quiet = board.session, board.position, palette.quiet
    others = [Content.styled(line, quiet) for line in _others(board, 1 if is_brief else _MAX_TURNS)]
    message = board.message or (hint.warning if hint.is_open else "")
    if session.saved.problem:
        others.append(Content.styled(session.saved.problem, palette.warning))
    if ended:
        file, sentence = session.saved.file, session.saved.sentence.split("\n")[0]
        saved = Content.styled(say("Saved as {file}", file=file.name) if file else sentence, quiet)
        headline, *details = ended
        return (Content.styled(headline, palette.best), *map(Content, details), *others, saved)
    rounds = Content.styled(game_and_round(position), quiet)
    if hint.estimator and (odds := hint.estimator.odds(position)):  # once a hint was asked for
        others.append(Content.styled(odds_line(odds, session.names), quiet))
    mover = say("Your turn") if position.seat == session.you else session.name
    left = say("no rolls left, choose a box") if board.is_human_turn else say("no rolls left")
    if position.rolls_left:
        left = numbered("1 roll left", "{n} rolls left", position.rolls_left)
    result = [rounds, Content.styled(f"{mover}: {left}", "bold")]
    hinted = hint.content(board, width, quiet, is_brief=is_brief)
    if hinted and is_brief:
        return (*([Content(message)] if message else []), hinted, result[1])
    if message:
        result.append(Content(message))
    elif board.is_human_turn and not hinted:
        result += [Content(text) for text in (_enter(board),) if text]
    if hinted:
        return (*result, hinted)
    if position.dice:
        result += map(Content, forced_lines(position))
    return (*result, *others)


def key_line(board: Board, hint: Hint, width: int) -> Content:
    """The keys that work now, as many as fit; each can be clicked."""
    keys = _keys(board, hint)
    while len(keys) > 1 and sum(len(f"{key} {say(what)}") + 2 for key, what, _ in keys) - 2 > width:
        keys.remove(min(keys, key=lambda key: _DROP_ORDER.index(key[1])))
    texts = [Content.from_markup(f"[@click=app.{action}][b]{key}[/b] {say(what)}[/]") for key, what, action in keys]
    gap = "   " if sum(len(text) + 3 for text in texts) - 3 <= width else "  "
    return Content(gap).join(texts)


def _keys(board: Board, hint: Hint) -> list[tuple[str, str, str]]:
    position = board.position
    result = []
    if board.session.is_over:
        result += [(key, what, f"after({what!r})") for key, what in after_game(board.session).items()]
    elif board.is_computer_turn:
        result.append(("space", "skip", "roll"))
    elif not position.dice:
        result.append(("r", "roll", "roll"))
    else:
        if position.rolls_left:
            result += [("r", "roll", "roll"), (f"1–{position.ruleset.dice % 10}", "keep", "nothing")]
        result += [("↑↓" if len(position.ruleset.columns) == 1 else "↑↓←→", "choose", "move(0,1)")]
        result.append((say("Enter"), "announce" if board.can_announce else "score", "score"))
        if board.can_scratch:
            result.append(("x", "scratch", "score(True)"))
    if board.has_new_marks or board.session.can_undo:
        result.append(("u", "undo", "undo"))
    if board.is_human_turn and not (hint.refusal or board.session.available.advice):
        result.append(("h", "hint", "hint"))
    return [*result, ("t", "colours", "palette"), ("?", "help", "help"), ("q", "quit", "leave")]


def _enter(board: Board) -> str:
    """What Enter would score."""
    offer, ruleset = board.offers.get(board.cursor), board.position.ruleset
    if board.can_announce:
        name = box_name(ruleset, ruleset.boxes[board.cursor].id)
        return say("Enter announces {box}: this turn must then end there.", box=name)
    if offer is None:
        return ""
    values: dict[str, object] = {"box": box_name(ruleset, offer.action.box), "points": offer.points}
    result = say("{box} would score {points}.", **values)
    if notes := offer_notes(offer):
        result = say("{box} would score {points} ({more}).", **values, more=", ".join(notes))
    return " ".join([*announced_lines(board.position), result])


def _others(board: Board, max_turns: int) -> list[str]:
    """The turns since the last turn of the seat to move, and the computer player's turn in progress."""
    record, seat = board.session.record, board.position.seat
    finished: list[Turn] = []
    for turn in reversed(record.turns):
        if turn.offer:
            if turn.seat == seat or len(finished) == max_turns:
                break
            finished.insert(0, turn)
    names = board.session.names
    lines = [describe(record, names[turn.seat], turn) for turn in finished]
    if board.is_computer_turn and board.position.dice:
        lines.append(describe(record, names[seat], record.turns[-1], board.keeping))
    return lines


def describe(record: Record, name: str, turn: Turn, keeping: Dice | None = None) -> str:
    """A turn in one line: `greedy: kept 33, kept 333, Threes 9`. `keeping` are dice about to be kept."""
    kept: Sequence[Dice] = [keep.dice for keep in turn.keeps] + ([] if keeping is None else [keeping])
    steps = announcement_step(record.ruleset, turn, is_over=True)
    steps += [
        say("kept {dice}", dice=dice_text(record.ruleset, dice)) if dice else say("rolled all again") for dice in kept
    ]
    if turn.offer:
        action = turn.offer.action
        box = filled_names(record.ruleset, turn, chosen())
        bonus = f" +{turn.offer.bonus}" if turn.offer.bonus else ""
        steps.append(say("scratched {box}", box=box) if action.is_scratch else f"{box} {turn.offer.points}{bonus}")
    text = ", ".join(steps)
    return f"{name}: {text if turn.offer else f'{text} …'.strip()}"

"""`fivedice verify`: exit status 0 if every die agrees, 1 if one does not, and 2 without a proof."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fivedice.game.action import Score
from fivedice.game.proof_notes import Questions, UndoneTurn, UsedHelp
from fivedice.game.verification import verify_record
from tests.cli.run_command import fivedice, refused
from tests.game.table_game import TABLE_DICE, table_game
from tests.game.test_record import REAL_DICE

NOBODY = "Only someone who knew the secret could have influenced or foreseen them."
NO_PERSON = "Only someone who knew the secret could have influenced them, or foreseen dice of a person's seat."
AFTER_COMPUTERS = "Turns undone after only computer players had rolled"
FORESEEN = "But dice were foreseen. Turns undone after a person's seat had rolled"


def test_one_sentence_says_that_there_is_nothing_to_verify_of_real_dice(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(REAL_DICE)
    assert refused("verify", str(file)).endswith("real dice, entered by hand: there is nothing to verify\n")


def test_a_finished_game_with_correct_dice_has_status_0(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    record = table_game(opening="highest_roll")
    file.write_text(str(record))
    result = fivedice("verify", str(file))
    assert (result.status, result.err) == (0, "")
    assert TABLE_DICE.commitment in result.out
    num = verify_record(record).dice
    assert f"  dice        all {num} are those of the secret, which matches the commitment\n" in result.out
    assert (
        f"  points      they follow from the turns by the rules, and so does the result: {record.result}\n"
        in result.out
    )
    assert "  rules       yahtzee, digest 423d5fcbe6c00ba5\n" in result.out
    assert "  who began   seat 1, by dice: those of the secret\n" in result.out
    assert "  help        not proved\n" in result.out
    assert "  names       not proved\n" in result.out
    assert "  date        not proved\n" in result.out
    assert "nonce       seat 0 (Ann) 5f3a\n" in result.out
    assert "nonce       watcher 0 00ff\n" in result.out
    assert TABLE_DICE.secret.hex() not in result.out


def test_the_output_states_what_is_proved_and_what_is_not() -> None:
    out = fivedice("verify", "-", lines=str(table_game(max_turns=1))).out
    assert "What this proves, if the commitment above is the one that you were shown before the first roll:" in out
    assert "If a nonce above is yours" in out
    assert "The last nonce is that of watcher 0:" in out
    assert "What it does not prove:" in out
    assert "no game was discarded" in out
    assert "no player knew the secret" in out


def test_a_game_that_was_played_offline_proves_nothing_about_its_dice() -> None:
    text = str(table_game(max_turns=1)).replace("  faces: 6\n", "  faces: 6\n  source: browser\n")
    result = fivedice("verify", "-", lines=text)
    assert result.status == 0
    assert "What this proves" not in result.out
    assert result.out.rstrip().endswith("the game was played offline, and the player's browser chose the secret.")
    assert json.loads(fivedice("verify", "-", "--json", lines=text).out)["offline"] is True


@pytest.mark.parametrize(
    ("undone", "sentences", "others"),
    [
        ([], [NOBODY], [AFTER_COMPUTERS, FORESEEN]),
        ([UndoneTurn(0, Score("ones"))], [NOBODY], [AFTER_COMPUTERS, FORESEEN]),
        ([UndoneTurn(0, Score("ones"), (1,))], [NO_PERSON, f"{AFTER_COMPUTERS}: 1."], [NOBODY, FORESEEN]),
        (
            [UndoneTurn(0, Score("ones"), rolled) for rolled in [(), (1,), (0,), (0, 1), (1,), (1,)]],
            [f"{AFTER_COMPUTERS}: 3.", f"{FORESEEN}: 2.", "could have influenced them.\n"],
            [NOBODY, NO_PERSON],
        ),
    ],
)
def test_the_sentences_hold_for_the_turns_that_were_undone(
    undone: list[UndoneTurn], sentences: list[str], others: list[str]
) -> None:
    record = table_game(max_turns=2)
    assert record.proof
    text = str(record.with_proof(replace(record.proof, undone=tuple(undone))))
    result = fivedice("verify", "-", lines=text)
    assert result.status == 0
    assert f"  undone      {len(undone)} turn{'' if len(undone) == 1 else 's'}, says the record" in result.out
    for sentence in sentences:
        assert sentence in result.out
    for sentence in others:
        assert sentence not in result.out


def test_the_help_that_was_used_is_named_among_what_is_not_proved() -> None:
    record = table_game(max_turns=1)
    assert record.proof
    text = str(record.with_proof(replace(record.proof, help=UsedHelp("tutor", (Questions(0, 3, 2),)))))
    out = fivedice("verify", "-", lines=text).out
    assert "  help        tutor, seat 0 asked 3 changed 2, says the record: not proved\n" in out
    assert "- who played, when, and with what help" in out


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "result: 14 0",
            "result: 260 0",
            "points      WRONG: line 8: result '260 0, unfinished', but the turns come to",
        ),
        ("digest: 423d", "digest: 523d", "rules       WRONG: line 4: digest '523d5fcbe6c00ba5' is not that of yahtzee"),
        ("ruleset: yahtzee", "ruleset: kismet", "points      NOT CHECKED, because of the rules"),
        ("0: 13456", "0: 13455", "points      NOT CHECKED, since line 10 is not as committed"),
    ],
)
def test_forged_points_results_and_rules_are_reported_with_status_1(old: str, new: str, sentence: str) -> None:
    text = str(table_game(max_turns=1))
    assert old in text, text
    result = fivedice("verify", "-", lines=text.replace(old, new))
    assert (result.status, result.err) == (1, "")
    assert sentence in result.out
    assert "What this proves" not in result.out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            str(table_game(max_turns=0)).partition("\nproof:")[0],
            "the record carries no proof: its dice cannot be checked",
        ),
        (
            str(table_game(max_turns=0)).replace(f"  secret: {TABLE_DICE.secret.hex()}\n", ""),
            "the secret of table k7Qm2x is not revealed yet: it will be when the game ends or the table closes, "
            "no later than 30 days after its last action",
        ),
        (str(table_game(max_turns=0)).replace("turn 0: ", "turn 0: z"), "standard input, line 21: "),
        ("milk and eggs", "standard input, line 1: a record begins with"),
    ],
)
def test_a_record_without_a_complete_proof_has_status_2(text: str, sentence: str) -> None:
    assert refused("verify", "-", lines=text).startswith(f"fivedice: {sentence}")


def test_a_game_with_a_proof_cannot_be_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(str(table_game(max_turns=1)))
    sentence = "the dice of this game are those of table k7Qm2x; it cannot continue with other dice"
    assert sentence in refused("play", "--resume", str(file), "--plain")
    assert file.read_text() == str(table_game(max_turns=1))

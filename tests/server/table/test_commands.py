"""Commands are decoded strictly."""

import msgspec
import pytest

from fivedice.server.table.verbs import AddNonce, AnyCommand, Roll, Score

decoder = msgspec.json.Decoder(AnyCommand)


def with_head(rest: str) -> bytes:
    """A command in JSON with an id and a version."""
    return f'{{"id": "abcdefgh", "version": 3, {rest}}}'.encode()


def test_a_command_is_decoded_by_its_type() -> None:
    command = decoder.decode(with_head('"type": "roll", "seat": 1, "kept": [true, false]'))
    assert command == Roll(id="abcdefgh", version=3, seat=1, kept=[True, False])
    command = decoder.decode(with_head('"type": "score", "seat": 0, "box": "ones", "scratch": true'))
    assert command == Score(id="abcdefgh", version=3, seat=0, box="ones", scratch=True)
    assert decoder.decode(with_head('"type": "add_nonce", "nonce": "0f"')) == AddNonce(
        id="abcdefgh", version=3, nonce="0f"
    )


def test_every_command_survives_a_round_trip_through_json() -> None:
    for kind in (
        "sit",
        "add_nonce",
        "roll_off",
        "roll",
        "score",
        "undo",
        "stand_in",
        "return",
        "resign",
        "close",
        "rematch",
    ):
        fields = '"seat": 1, "name": "Ann", "nonce": "0f", "kept": [], "box": "ones"'
        wanted = {"sit": "name", "add_nonce": "nonce", "roll": "kept", "score": "box"}.get(kind, "")
        rest = ", ".join(field for field in fields.split(", ") if field.split('"')[1] in ("seat", wanted))
        command = decoder.decode(with_head(f'"type": "{kind}", {rest}'))
        assert decoder.decode(msgspec.json.encode(command)) == command


@pytest.mark.parametrize(
    "rest",
    [
        '"type": "roll", "seat": false, "kept": []',  # false is not a seat
        '"type": "roll", "seat": 0, "kept": [1, 0]',  # 1 is not a mark
        '"type": "roll", "seat": 0, "kept": ["true"]',
        '"type": "roll", "seat": 0, "kept": [true, null]',
        '"type": "roll", "seat": 0, "kept": true',
        '"type": "roll", "seat": 0, "kept": {}',
        '"type": "roll", "seat": 0',  # `kept` is missing
        '"type": "roll", "seat": 0, "kept": [' + ",".join(["true"] * 11) + "]",
        '"type": "roll", "seat": 0.0, "kept": []',
        '"type": "roll", "seat": -1, "kept": []',
        '"type": "roll", "seat": 12, "kept": []',
        '"type": "roll", "seat": 1e400, "kept": []',
        '"type": "roll", "seat": ' + "9" * 400 + ', "kept": []',
        '"type": "roll", "seat": 0, "kept": [], "dice": [6, 6, 6, 6, 6]',  # clients do not send dice
        '"type": "roll", "seat": 0, "kept": [], "anyway": 1',
        '"type": "score", "seat": 0, "box": ["ones"]',
        '"type": "score", "seat": 0, "box": ""',
        '"type": "score", "seat": 0, "box": "' + "x" * 82 + '"',
        '"type": "score", "seat": 0, "box": "ones", "points": 50',
        '"type": "sit", "seat": 0, "name": "' + "x" * 641 + '"',
        '"type": "add_nonce", "nonce": ""',
        '"type": "add_nonce", "nonce": "0F"',
        '"type": "add_nonce", "nonce": "0f\\n"',
        '"type": "add_nonce", "nonce": "' + "0" * 65 + '"',
        '"type": "stand_in", "seat": 0, "turns": 2',
        '"type": "stand_in", "seat": 0, "turns": true',
        '"type": "created", "seat": 0',  # an event is not a command
        '"type": ["roll"], "seat": 0, "kept": []',
        '"seat": 0, "kept": []',
    ],
)
def test_an_invalid_command_is_rejected(rest: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        decoder.decode(with_head(rest))


@pytest.mark.parametrize(
    "head",
    [
        '"id": "short", "version": 3',
        '"id": "abcdefg\\n", "version": 3',
        '"id": "abcdefgh\\n", "version": 3',
        '"id": "abc defgh", "version": 3',
        '"id": 12345678, "version": 3',
        '"id": "' + "x" * 65 + '", "version": 3',
        '"version": 3',
        '"id": "abcdefgh"',
        '"id": "abcdefgh", "version": 0',
        '"id": "abcdefgh", "version": true',
        '"id": "abcdefgh", "version": "3"',
        '"id": "abcdefgh", "version": 1000001',
    ],
)
def test_an_invalid_id_or_version_is_rejected(head: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        decoder.decode(f'{{"type": "undo", "seat": 0, {head}}}')


@pytest.mark.parametrize("text", ["", "[]", "null", "3", '"roll"', "{", "[" * 5000, "\x00"])
def test_text_other_than_a_json_object_is_rejected(text: str) -> None:
    with pytest.raises((msgspec.ValidationError, msgspec.DecodeError, RecursionError)):
        decoder.decode(text)

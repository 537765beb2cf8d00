"""What a browser and a server tell each other about passkeys: options with a challenge, and answers to check.

The library `webauthn` makes and checks them. It is imported where it is used, which takes a second at first: call these
functions in a thread.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fivedice.base.errors import MalformedError

if TYPE_CHECKING:
    from webauthn.registration.verify_registration_response import VerifiedRegistration


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """Who asks for a passkey: the name under which browsers know this server, and the origin of its page."""

    id: str
    origin: str


NOT_VALID = "this passkey is not valid here: try again, or sign in with another one or the printed code"


class RefusedPasskeyError(ValueError):
    """The answer of a passkey is not valid."""


def creation_options(party: RelyingParty, challenge: bytes, name: str, holder: str, known: list[bytes]) -> Any:
    """The options for a new passkey of an account, as JSON; authenticators that have one of the known are left out."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = generate_registration_options(
        rp_id=party.id,
        rp_name="fivedice",
        user_name=name,
        # Not the holder's id, which other devices of the account need not know.
        user_id=hashlib.sha256(f"passkey {holder}".encode()).digest(),
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=id) for id in known],
    )
    return json.loads(options_to_json(options))


def request_options(party: RelyingParty, challenge: bytes) -> Any:
    """The options to sign in with any passkey of this server, as JSON."""
    from webauthn import generate_authentication_options, options_to_json

    return json.loads(options_to_json(generate_authentication_options(rp_id=party.id, challenge=challenge)))


def answered(credential: dict[str, Any]) -> tuple[bytes, bytes]:
    """The id of the passkey that answered, and the challenge to which; raises `MalformedError`."""
    from webauthn.helpers import base64url_to_bytes, parse_client_data_json

    try:
        data = base64url_to_bytes(credential["response"]["clientDataJSON"])
        return base64url_to_bytes(credential["rawId"]), parse_client_data_json(data).challenge
    except Exception:  # noqa: BLE001
        # The library raises what its parsers do, for whatever a client sends.
        raise MalformedError("credential: want what the browser returned for the passkey") from None


def created(party: RelyingParty, challenge: bytes, credential: dict[str, Any]) -> "VerifiedRegistration":
    """The passkey that a browser has created; raises `RefusedPasskeyError`."""
    from webauthn import verify_registration_response

    try:
        return verify_registration_response(
            credential=credential, expected_challenge=challenge, expected_rp_id=party.id, expected_origin=party.origin
        )
    except Exception as error:
        raise RefusedPasskeyError(NOT_VALID) from error


def signed(party: RelyingParty, challenge: bytes, credential: dict[str, Any], public: bytes) -> int:
    """The counter of a passkey that has signed the challenge; raises `RefusedPasskeyError`.

    It is not compared here: one that did not grow is a sign of a copy, and no proof, since passkeys are synchronized.
    """
    from webauthn import verify_authentication_response

    try:
        return verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=public,
            credential_current_sign_count=0,
        ).new_sign_count
    except Exception as error:
        raise RefusedPasskeyError(NOT_VALID) from error

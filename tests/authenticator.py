"""`Authenticator`: a passkey in software, which answers as browsers do."""

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256


def encoded(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def decoded(value: str) -> bytes:
    return urlsafe_b64decode(value + "=" * (-len(value) % 4))


class Authenticator:
    """One passkey of one site; `origin` is that of the page which asks."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.id = secrets.token_bytes(16)
        self._key = generate_private_key(SECP256R1())
        self.signs = 0

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to options for a new passkey."""
        numbers = self._key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        made = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public)
        data = self._data(options["rp"]["id"], 0x45) + made
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._credential("webauthn.create", options["challenge"], {"attestationObject": encoded(attested)})

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to options to sign in."""
        self.signs += 1
        data = self._data(options["rpId"], 0x05)
        client = self._client_data("webauthn.get", options["challenge"])
        signature = self._key.sign(data + hashlib.sha256(client).digest(), ECDSA(SHA256()))
        return self._credential(
            "webauthn.get", options["challenge"], {"authenticatorData": encoded(data), "signature": encoded(signature)}
        )

    def _data(self, party: str, flags: int) -> bytes:
        return hashlib.sha256(party.encode()).digest() + bytes([flags]) + self.signs.to_bytes(4, "big")

    def _client_data(self, type: str, challenge: str) -> bytes:
        return json.dumps({"type": type, "challenge": challenge, "origin": self.origin}).encode()

    def _credential(self, type: str, challenge: str, response: dict[str, Any]) -> dict[str, Any]:
        client = encoded(self._client_data(type, challenge))
        id = encoded(self.id)
        return {"id": id, "rawId": id, "type": "public-key", "response": {"clientDataJSON": client, **response}}

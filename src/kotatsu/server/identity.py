"""The identity of a browser: a random id in a signed cookie, and nothing else about the person.

The key that signs is in the data directory. Whoever has the cookie is the visitor.
"""

from __future__ import annotations

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

COOKIE = "kotatsu"
COOKIE_MAX_AGE_S = 365 * 24 * 3600  # a year; browsers cap it at 400 days
_SECRET_BYTES = 32  # the size of a SHA-256 digest, as RFC 2104 recommends for HMAC keys
_VISITOR_BYTES = 16  # 128 random bits, which nobody can guess


class Identity:
    """Signs visitors' ids with HMAC-SHA-256 and the key ``secret``, and checks the signatures."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def from_directory(cls, directory: Path) -> Identity:
        """Return an identity with the key of a data directory, which only its owner can read; made once.

        Raises:
            OSError: the key cannot be read or written.
        """
        path = directory / "secret.key"
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            secret = path.read_bytes()
            if len(secret) >= _SECRET_BYTES:
                return cls(secret)
            path.unlink()  # the power failed while it was being written: no cookie was signed with it
            return cls.from_directory(directory)
        secret = secrets.token_bytes(_SECRET_BYTES)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        return cls(secret)

    def new_visitor(self) -> str:
        """Return a new id that nobody can guess."""
        return secrets.token_urlsafe(_VISITOR_BYTES)

    def sign(self, visitor: str) -> str:
        """Return the value of a visitor's cookie."""
        return f"{visitor}.{self._signature(visitor)}"

    def read(self, value: str | None) -> str | None:
        """Return the visitor of a cookie's value; ``None`` without a cookie or if its signature is wrong."""
        if value is None or not value.isascii():
            return None
        visitor, _, signature = value.rpartition(".")
        return visitor if hmac.compare_digest(self._signature(visitor), signature) else None

    def _signature(self, visitor: str) -> str:
        return hmac.new(self._secret, visitor.encode(), sha256).hexdigest()


def cookie_header(value: str, *, secure: bool) -> bytes:
    """Return the ``Set-Cookie`` header for a ``value``: hidden from scripts, not sent by other sites.

    ``secure`` restricts it to HTTPS.
    """
    flags = "; Secure" if secure else ""
    return f"{COOKIE}={value}; Path=/; Max-Age={COOKIE_MAX_AGE_S}; HttpOnly; SameSite=Lax{flags}".encode()

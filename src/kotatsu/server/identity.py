"""Who a browser is: a random id in a signed cookie, and nothing else about the person.

The secret that signs lives in the data directory. Whoever holds the cookie is the visitor.
"""

from __future__ import annotations

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

COOKIE = "kotatsu"
YEAR = 365 * 24 * 3600
_SECRET_BYTES = 32


class Identity:
    """Signs visitors' ids and recognises its own signature."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def kept_in(cls, directory: Path) -> Identity:
        """With the secret of this data directory, made once and readable by its owner only."""
        path = directory / "secret.key"
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            secret = path.read_bytes()
            if len(secret) >= _SECRET_BYTES:
                return cls(secret)
            path.unlink()  # the power failed while it was being made: nobody has a cookie from it
            return cls.kept_in(directory)
        secret = secrets.token_bytes(_SECRET_BYTES)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        return cls(secret)

    def new_visitor(self) -> str:
        """An id nobody can guess."""
        return secrets.token_urlsafe(16)

    def sign(self, visitor: str) -> str:
        """The cookie's value for a visitor."""
        return f"{visitor}.{self._signature(visitor)}"

    def read(self, value: str | None) -> str | None:
        """The visitor a cookie's value stands for; ``None`` for no cookie or one that is not ours."""
        if value is None or not value.isascii():
            return None
        visitor, _, signature = value.rpartition(".")
        return visitor if hmac.compare_digest(self._signature(visitor), signature) else None

    def _signature(self, visitor: str) -> str:
        return hmac.new(self._secret, visitor.encode(), sha256).hexdigest()


def cookie_header(value: str, *, secure: bool) -> bytes:
    """``Set-Cookie`` that no script reads and no other site sends along."""
    flags = "; Secure" if secure else ""
    return f"{COOKIE}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{flags}".encode()

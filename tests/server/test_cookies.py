"""Visitors' ids and the signature that makes them theirs, without a server around them."""

from __future__ import annotations

import hmac
import os
import stat
from hashlib import sha256
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotatsu.server.identity import COOKIE, COOKIE_MAX_AGE_S, Identity, cookie_header

SECRET = b"s" * 32


def test_a_signed_id_is_read_again_and_no_other() -> None:
    identity = Identity(SECRET)
    cookie = identity.sign("somebody")
    assert identity.read(cookie) == "somebody"
    assert Identity(b"t" * 32).read(cookie) is None, "another house signs otherwise"
    visitor, _, signature = cookie.rpartition(".")
    assert visitor == "somebody"
    for forged in (
        visitor,
        f"{visitor}.",
        f".{signature}",
        f"{visitor}x.{signature}",
        f"{visitor}.{signature[:-1]}",
        f"{visitor}.{signature}0",
        f"{visitor}.{signature.upper()}",
        f" {cookie}",
    ):
        assert identity.read(forged) is None


def test_the_signature_is_an_hmac_of_the_id() -> None:
    assert Identity(SECRET).sign("ana") == f"ana.{hmac.new(SECRET, b'ana', sha256).hexdigest()}"


def test_an_id_may_hold_a_dot() -> None:
    identity = Identity(SECRET)
    assert identity.read(identity.sign("a.b.c")) == "a.b.c"


@pytest.mark.parametrize("value", [None, "", ".", "a", "a.b", "é.é", "a.\udcff", "\x00"])
def test_what_is_no_cookie_of_ours_is_nobodys(value: str | None) -> None:
    assert Identity(SECRET).read(value) is None


@given(st.text(max_size=80))
def test_nobody_signs_by_chance(value: str) -> None:
    assert Identity(SECRET).read(value) is None


def test_ids_cannot_be_guessed() -> None:
    identity = Identity(SECRET)
    ids = {identity.new_visitor() for _ in range(200)}
    assert len(ids) == 200
    assert all(len(visitor) >= 20 for visitor in ids), "128 bits"


def test_the_secret_is_made_once_and_its_owners_alone(tmp_path: Path) -> None:
    cookie = Identity.from_directory(tmp_path).sign("somebody")
    file = tmp_path / "secret.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(file.read_bytes()) == 32
    before = file.read_bytes()
    assert Identity.from_directory(tmp_path).read(cookie) == "somebody"
    assert file.read_bytes() == before


def test_two_houses_have_two_secrets(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    cookie = Identity.from_directory(tmp_path / "one").sign("somebody")
    assert Identity.from_directory(tmp_path / "two").read(cookie) is None


@pytest.mark.parametrize("left", [b"", b"cut off", b"x" * 31])
def test_a_secret_that_was_cut_off_is_made_anew(tmp_path: Path, left: bytes) -> None:
    file = tmp_path / "secret.key"
    file.write_bytes(left)
    identity = Identity.from_directory(tmp_path)
    assert len(file.read_bytes()) == 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert Identity.from_directory(tmp_path).read(identity.sign("somebody")) == "somebody"


def test_a_longer_secret_somebody_put_there_is_kept(tmp_path: Path) -> None:
    (tmp_path / "secret.key").write_bytes(b"k" * 64)
    assert Identity.from_directory(tmp_path).read(Identity(b"k" * 64).sign("ana")) == "ana"


def test_the_secret_is_on_disk_before_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda number: synced.append(os.fstat(number).st_size))
    Identity.from_directory(tmp_path)
    assert synced == [32]


def test_a_cookie_is_read_by_no_script_and_sent_by_no_other_site() -> None:
    for secure in (False, True):
        header = cookie_header("value.signed", secure=secure).decode()
        cookie = SimpleCookie(header)[COOKIE]
        assert cookie.value == "value.signed"
        assert cookie["httponly"] is True
        assert (cookie["samesite"], cookie["path"]) == ("Lax", "/")
        assert int(cookie["max-age"]) == COOKIE_MAX_AGE_S == 365 * 24 * 3600
        assert bool(cookie["secure"]) is secure

"""How much one browser, or one address, may ask for."""

from __future__ import annotations

from pathlib import Path

from litestar.testing import AsyncTestClient

from kotatsu.server.app import create_app
from kotatsu.server.limits import AddressRateLimit, ConnectionLimit, TokenBucket
from kotatsu.server.settings import ServerSettings


def test_a_bucket_fills_again_with_time() -> None:
    bucket = TokenBucket(rate=2, burst=3, now=0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.is_full(0.4)
    assert bucket.take(0.5)
    assert not bucket.take(0.5)
    assert bucket.is_full(100.0)


def test_one_address_does_not_use_up_anothers_tries() -> None:
    tries = AddressRateLimit(rate=1, burst=1)
    assert tries.take("a", 0.0)
    assert not tries.take("a", 0.0)
    assert tries.take("b", 0.0)


def test_addresses_that_were_patient_are_forgotten_and_the_hasty_are_not() -> None:
    tries = AddressRateLimit(rate=1, burst=5, most=3)
    for _ in range(5):
        tries.take("hasty", 0.0)
    tries.take("patient", 0.0)
    tries.take("other", 0.0)
    assert tries.take("new", 3.0)
    assert set(tries._buckets) == {"hasty", "new"}


def test_doors_count_in_and_out() -> None:
    doors = ConnectionLimit(2)
    assert (doors.enter("a"), doors.enter("a"), doors.enter("a"), doors.enter("b")) == (
        True,
        True,
        False,
        True,
    )
    doors.leave("a")
    assert doors.enter("a")


async def test_codes_cannot_be_guessed_quickly(tmp_path: Path) -> None:
    app = create_app(ServerSettings(data=tmp_path, warm_up=False, claims_per_minute=3))
    async with AsyncTestClient(app) as client:
        answers = [await client.post("/api/me/claim", json={"code": f"WRONG{n}"}) for n in range(4)]
    assert [answer.status_code for answer in answers] == [404, 404, 404, 429]
    assert answers[-1].json()["code"] == "too_fast"


async def test_one_address_changes_only_so_much(tmp_path: Path) -> None:
    app = create_app(ServerSettings(data=tmp_path, warm_up=False, changes_per_second=0.01, change_burst=2))
    async with AsyncTestClient(app) as client:
        statuses = [(await client.put("/api/me", json={"name": "A"})).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]
        assert (await client.get("/api/me")).status_code == 200

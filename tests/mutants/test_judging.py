"""Which mutants count, which are drawn, and what is made of their number."""

from __future__ import annotations

import pytest

from tests.mutants.judging import Mutant, drawn, known_survivors, mutant, report, set_aside

DIFF = """--- src/kotatsu/seats/presence.py
+++ src/kotatsu/seats/presence.py
@@ -1,3 +1,3 @@
 def away(self, visitor):
-    if self._is_here(visitor):
+    if self._is_here(None):
         return None
"""


def changed(old: str, new: str) -> Mutant:
    return Mutant("name", "store", "store.writer.f", old, new)


def test_a_mutant_is_known_by_its_function_and_its_line() -> None:
    found = mutant("kotatsu.seats.presence.xǁPresenceǁaway__mutmut_3", DIFF)
    assert (found.package, found.function) == ("seats", "seats.presence.Presence.away")
    assert found.key == "seats.presence.Presence.away: if self._is_here(visitor): → if self._is_here(None):"
    assert (
        mutant("kotatsu.seats.presence.x_may_watch__mutmut_12", DIFF).function == "seats.presence.may_watch"
    )
    assert mutant("kotatsu.store.writer.x__write__mutmut_1", DIFF).function == "store.writer._write"
    private = mutant("kotatsu.store.writer.xǁWriterǁ_put__mutmut_1", DIFF)
    assert private.function == "store.writer.Writer._put"
    assert mutant("kotatsu.server.guard.x_f__mutmut_1", DIFF).package == "server.guard"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('raise Refusal("busy", "The table is full.")', 'raise Refusal("busy", "XXThe table is full.XX")'),
        ('raise Refusal("busy", "The table is full.")', 'raise Refusal("busy", "the table is full.")'),
        ('raise Refusal("busy", "The table is full.")', 'raise Refusal("busy", "THE TABLE IS FULL.")'),
        ('connection.execute("SELECT 1 FROM log")', 'connection.execute("select 1 from log")'),
        ("\"WHERE status = 'over'\"", "\"where status = 'over'\""),
    ],
)
def test_words_for_people_and_the_letters_of_sql_are_not_counted(old: str, new: str) -> None:
    assert set_aside(changed(old, new)) is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('raise Refusal("busy", "The table is full.")', 'raise Refusal("BUSY", "The table is full.")'),
        ('raise Refusal("busy", "The table is full.")', 'raise Refusal("busy", None)'),
        ('raise Refusal("busy", "The table is full.")', 'raise Refusal("busy", )'),
        ('seat.kind == "open"', 'seat.kind == "XXopenXX"'),
        ('" ".join(words)', '"XX XX".join(words)'),
        ('connection.execute("SELECT 1 FROM log")', 'connection.execute("XXSELECT 1 FROM logXX")'),
        ("\"WHERE status = 'over'\"", "\"WHERE STATUS = 'OVER'\""),
        ("a < b", "a <= b"),
        ('say("one thing", a)', 'say("one thing", b)'),
    ],
)
def test_everything_else_is(old: str, new: str) -> None:
    assert set_aside(changed(old, new)) is None


def some(package: str, number: int) -> list[Mutant]:
    return [Mutant(f"{package}{each}", package, f"{package}.f", "a", str(each)) for each in range(number)]


def test_the_same_share_of_every_package_is_drawn_and_always_the_same() -> None:
    mutants = some("store", 100) + some("seats", 10) + some("protocol", 1)
    chosen = drawn(mutants, 0.15, seed=1)
    counts = {
        package: sum(each.package == package for each in chosen) for package in ("store", "seats", "protocol")
    }
    assert counts == {"store": 15, "seats": 2, "protocol": 1}
    assert drawn(mutants[::-1], 0.15, seed=1) == chosen
    assert drawn(mutants, 0.15, seed=2) != chosen
    assert {each.name for each in drawn(mutants, 1.0, seed=1)} == {each.name for each in mutants}


def test_a_page_of_survivors_is_read() -> None:
    page = (
        "# Survivors\n\nText.\n\n- `store.f: a → b` — equivalent.\n- ``x.g: `a` → b`` — nothing.\n- `other`\n"
    )
    assert known_survivors(page) == {"store.f: a → b", "x.g: `a` → b"}


def test_a_report_says_what_survived_and_how_sure_it_is() -> None:
    mutants = some("store", 4) + some("seats", 4)
    codes = dict.fromkeys((each.name for each in mutants), 1) | {"store0": 0, "seats1": 33, "seats2": -24}
    known = {mutants[0].key}
    lines, share = report(mutants, codes, known, all_of_them=80)
    assert share == 0.75
    assert [line.split() for line in lines[:2]] == [
        ["seats", "3", "of", "4", "killed", "75.0", "%"],
        ["store", "3", "of", "4", "killed", "75.0", "%"],
    ]
    assert f"  {mutants[0].key}" in lines
    assert f"* {mutants[5].key}" in lines
    assert lines[-2].startswith("2 survivors, 1 of them (*) not in")
    assert lines[-1] == "score: 75.0 % (6 of 8 killed; drawn from 80: 40.9 to 92.9 %)"
    assert report(mutants, codes, known, all_of_them=8)[0][-1] == "score: 75.0 % (6 of 8 killed)"

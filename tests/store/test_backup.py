"""A backup taken in the middle of writing is whole, and a house restored from it knows its visitors."""

from __future__ import annotations

import asyncio
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from kotatsu.cli.main import main
from kotatsu.server.identity import Identity
from kotatsu.store.backup import back_up, restore
from kotatsu.store.contract import DataUnusable, LoggedStep, StoredSeat, StoredTable
from kotatsu.store.sqlite import SqliteStore

TABLE = StoredTable("t1", "kimono", "ana", 1.0, 1.0, (StoredSeat("person", "ana", "Ana"), StoredSeat()))


async def test_a_backup_of_a_running_house_is_one_moment_of_it(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data")
    await store.create(TABLE, limit=9, since=0)
    cookie = Identity.from_directory(tmp_path / "data").sign("ana")
    acknowledged = 0
    stop = asyncio.Event()

    async def keep_writing() -> None:
        nonlocal acknowledged
        while not stop.is_set():
            await store.append("t1", LoggedStep(acknowledged + 1, 0.0, b'[{"fact": "x"}]' * 40))
            acknowledged += 1

    writing = asyncio.create_task(keep_writing())
    while acknowledged < 50:
        await asyncio.sleep(0)
    before = acknowledged
    await asyncio.to_thread(back_up, tmp_path / "data", tmp_path / "house.backup")
    stop.set()
    await writing
    await store.close()

    restore(tmp_path / "house.backup", tmp_path / "again")
    again = SqliteStore(tmp_path / "again")
    steps = await again.steps("t1")
    assert before <= len(steps) <= acknowledged
    assert [step.seq for step in steps] == list(range(1, len(steps) + 1))
    assert await again.table("t1") is not None
    await again.close()
    assert Identity.from_directory(tmp_path / "again").read(cookie) == "ana"


async def a_backup(tmp_path: Path) -> Path:
    store = SqliteStore(tmp_path / "data")
    await store.create(TABLE, limit=9, since=0)
    await store.close()
    back_up(tmp_path / "data", tmp_path / "house.backup")
    return tmp_path / "house.backup"


async def test_a_backup_is_readable_by_its_owner_only_and_overwrites_nothing(tmp_path: Path) -> None:
    file = await a_backup(tmp_path)
    assert file.stat().st_mode & 0o077 == 0
    with pytest.raises(DataUnusable, match="already there"):
        back_up(tmp_path / "data", file)


async def test_a_house_with_games_is_not_overwritten(tmp_path: Path) -> None:
    file = await a_backup(tmp_path)
    with pytest.raises(DataUnusable, match="already has games"):
        restore(file, tmp_path / "data")


async def test_a_running_house_is_not_restored_into(tmp_path: Path) -> None:
    file = await a_backup(tmp_path)
    running = SqliteStore(tmp_path / "running")
    with pytest.raises(DataUnusable, match="another server"):
        restore(file, tmp_path / "running")
    await running.close()


async def test_a_damaged_backup_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    file = await a_backup(tmp_path)
    with tarfile.open(file) as tar:
        content = tar.extractfile("kotatsu.sqlite3")
        assert content is not None
        database = tmp_path / "half"
        database.write_bytes(content.read()[:2000])
    with tarfile.open(tmp_path / "damaged", "w:gz") as tar:
        tar.add(database, "kotatsu.sqlite3")
    with pytest.raises(DataUnusable, match="damaged"):
        restore(tmp_path / "damaged", tmp_path / "fresh")
    (tmp_path / "nonsense").write_text("nothing of ours")
    with pytest.raises(DataUnusable, match="not a backup"):
        restore(tmp_path / "nonsense", tmp_path / "fresh")
    assert [path.name for path in (tmp_path / "fresh").iterdir()] == ["kotatsu.lock"]


async def test_the_command_line_backs_up_and_restores(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data")
    await store.create(TABLE, limit=9, since=0)
    await store.close()
    file, data, fresh = (str(tmp_path / name) for name in ("house.backup", "data", "fresh"))
    saved = CliRunner().invoke(main, ["backup", file, "--data", data])
    assert (saved.exit_code, saved.output.splitlines()[-1]) == (0, f"Everything in {data} is in {file}.")
    back = CliRunner().invoke(main, ["restore", file, "--data", fresh])
    assert (back.exit_code, back.output) == (0, f"Everything in {file} is in {fresh}.\n")
    for wrong in (["backup", file, "--data", data], ["restore", file, "--data", fresh], ["restore", data]):
        refused = CliRunner().invoke(main, wrong)
        assert refused.exit_code == 2
        assert refused.output.startswith("kotatsu: ")
        assert refused.output.count("\n") == 1


async def test_the_motions_of_turns_are_backed_up_and_nothing_else_that_lies_about(tmp_path: Path) -> None:
    house, file, restored = tmp_path / "house", tmp_path / "backup.tar.gz", tmp_path / "restored"
    await SqliteStore(house).close()
    for name in ("motions/table/1.motion", "motions/table/2.new", "motions/notes.txt"):
        (house / name).parent.mkdir(parents=True, exist_ok=True)
        (house / name).write_bytes(name.encode())
    back_up(house, file)
    restore(file, restored)
    assert (restored / "motions/table/1.motion").read_bytes() == b"motions/table/1.motion"
    assert [path.name for path in (restored / "motions").rglob("*") if path.is_file()] == ["1.motion"]


async def test_a_backup_made_to_write_elsewhere_does_not(tmp_path: Path) -> None:
    house, file, evil, restored = (tmp_path / name for name in ("house", "a.tar.gz", "b.tar.gz", "restored"))
    await SqliteStore(house).close()
    back_up(house, file)
    with tarfile.open(file) as tar, tarfile.open(evil, "w:gz") as other:
        for member in tar.getmembers():
            other.addfile(member, tar.extractfile(member))
        absolute = str(tmp_path / "motions/a/3.motion")
        for name in ("motions/../../1.motion", "motions/a/../../../2.motion", absolute):
            other.addfile(tarfile.TarInfo(name))
    restore(evil, restored)
    assert not list(tmp_path.rglob("*.motion"))

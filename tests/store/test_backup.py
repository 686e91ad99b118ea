"""A backup taken in the middle of writing is whole, and a house restored from it knows its visitors."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner

from kotatsu.cli.main import main
from kotatsu.server.identity import Identity
from kotatsu.store import backup
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


async def test_a_backup_with_a_wrong_byte_is_refused_or_gives_everything(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data")
    await store.create(TABLE, limit=9, since=0)
    for seq in range(1, 60):
        await store.append("t1", LoggedStep(seq, 0.0, b'[{"fact":"x%d"}]' % seq))
    await store.close()
    file, damaged = tmp_path / "whole", tmp_path / "damaged"
    back_up(tmp_path / "data", file)
    whole = file.read_bytes()
    restore(file, tmp_path / "right")
    right = (tmp_path / "right" / "kotatsu.sqlite3").read_bytes()
    refused = 0
    for number, place in enumerate(range(0, len(whole), len(whole) // 80)):
        damaged.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        folder = tmp_path / f"restored-{number}"
        try:
            restore(damaged, folder)
        except DataUnusable:
            refused += 1
            assert [path.name for path in folder.iterdir()] == ["kotatsu.lock"]
        else:
            assert (folder / "kotatsu.sqlite3").read_bytes() == right
    assert refused > 60


async def test_a_backup_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    file = await a_backup(tmp_path)
    whole = file.read_bytes()
    for length in range(1, len(whole), len(whole) // 15):
        (tmp_path / "cut").write_bytes(whole[:length])
        with pytest.raises(DataUnusable, match="not a backup"):
            restore(tmp_path / "cut", tmp_path / "fresh")


async def test_a_database_that_does_not_hold_together_is_refused(tmp_path: Path) -> None:
    """Every byte of the archive is right; the database in it was damaged before."""
    store = SqliteStore(tmp_path / "data")
    await store.create(TABLE, limit=9, since=0)
    for seq in range(1, 200):
        await store.append("t1", LoggedStep(seq, 0.0, b"[1]" * 50))
    await store.close()
    database = tmp_path / "data" / "kotatsu.sqlite3"
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name LIKE '%autoindex_log%'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    content = bytearray(database.read_bytes())
    content[(page - 1) * size + 200 : page * size - 200] = bytes(size - 400)
    database.write_bytes(content)
    with tarfile.open(tmp_path / "archive", "w:gz") as tar:
        tar.add(database, "kotatsu.sqlite3")
    with pytest.raises(DataUnusable, match=r"the backup is damaged: ."):
        restore(tmp_path / "archive", tmp_path / "fresh")


async def test_a_folder_in_place_of_the_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with tarfile.open(tmp_path / "archive", "w:gz") as tar:
        tar.add(tmp_path / "folder", "kotatsu.sqlite3")
    with pytest.raises(DataUnusable, match=r"kotatsu\.sqlite3 in it is not a file"):
        restore(tmp_path / "archive", tmp_path / "fresh")


async def test_what_is_restored_is_its_owners_alone(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    Identity.from_directory(tmp_path / "data")
    file = await a_backup(tmp_path)
    restore(file, tmp_path / "fresh")
    for name in ("kotatsu.sqlite3", "secret.key"):
        assert stat.S_IMODE((tmp_path / "fresh" / name).stat().st_mode) == 0o600


async def test_a_backup_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "_PAGES_PER_STEP", 3)
    store = SqliteStore(tmp_path / "data")
    await store.create(TABLE, limit=9, since=0)
    await store.close()
    told: list[tuple[int, int]] = []
    back_up(tmp_path / "data", tmp_path / "house.backup", lambda done, total: told.append((done, total)))
    ((total,),) = {(total,) for _, total in told}
    done = [copied for copied, _ in told]
    assert done == [*range(3, total, 3), total]
    assert len(done) > 2


async def test_a_backup_is_written_beside_its_place_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the same disk a new name is given in one step; nobody ever finds half a backup."""
    folders: list[Path] = []

    class Watched(TemporaryDirectory[str]):
        def __init__(self, **how: Any) -> None:
            super().__init__(**how)
            folders.append(Path(self.name))

    monkeypatch.setattr(backup, "TemporaryDirectory", Watched)
    for name in ("elsewhere", "cwd"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    store = SqliteStore(tmp_path / "data")
    await store.create(TABLE, limit=9, since=0)
    await store.close()
    back_up(tmp_path / "data", tmp_path / "elsewhere" / "house.backup")
    restore(tmp_path / "elsewhere" / "house.backup", tmp_path / "fresh")
    assert [folder.parent for folder in folders] == [tmp_path / "elsewhere", tmp_path / "fresh"]
    assert all(folder.name.startswith(".kotatsu-") for folder in folders), "hidden while it lasts"
    assert list((tmp_path / "cwd").iterdir()) == []
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["house.backup"]
    assert sorted(path.name for path in (tmp_path / "fresh").iterdir()) == ["kotatsu.lock", "kotatsu.sqlite3"]


async def test_where_there_is_nothing_to_back_up_or_no_place_for_it_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataUnusable, match=f"there is no Kotatsu data in {tmp_path}"):
        back_up(tmp_path, tmp_path / "house.backup")
    file = await a_backup(tmp_path)
    with pytest.raises(DataUnusable, match=f"cannot back up {tmp_path / 'data'} to .*nowhere"):
        back_up(tmp_path / "data", tmp_path / "nowhere" / "house.backup")
    assert file.is_file()

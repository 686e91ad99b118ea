"""Every import goes through a door that ``doors.toml`` has open, and every closed door holds.

For each closed door one import is planted in a copy of the tree that exists in memory only, and has to be caught.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from tests.tools.doors import __main__ as command
from tests.tools.doors import python, typescript
from tests.tools.doors.check import Import, Tree, covers, problems
from tests.tools.doors.declaration import ROOT, Declaration, Language, Owner, Package, read

pytestmark = pytest.mark.xdist_group("doors")  # the tree is read once

DECLARED = read()
LANGUAGES: tuple[Language, ...] = ("python", "typescript")
NEVER_HEARD_OF = {
    "python": {"requests", "tests", "bench.server"},
    "typescript": {"left-pad", "node:child_process", "three-stdlib"},
}


class House(NamedTuple):
    """The code of one language, and whose files are whose: those that can import first, no tests."""

    language: Language
    tree: Tree
    owners: dict[Owner, list[str]]


class Plant(NamedTuple):
    """A file with imports planted in it, and what is to be said of them."""

    file: str
    source: str
    expected: list[str]


def _house(language: Language, tree: Tree) -> House:
    owners: dict[Owner, list[str]] = {}
    for file in sorted(
        tree.files, key=lambda file: (file not in tree.imports, file.endswith(".svelte"), file)
    ):
        owner = DECLARED.owner(language, file)
        if owner is not None and not file.endswith(".test.ts"):
            owners.setdefault(owner, []).append(file)
    return House(language, tree, owners)


@pytest.fixture(scope="module")
def in_python() -> House:
    return _house("python", python.tree())


@pytest.fixture(scope="module")
def in_typescript() -> House:
    return _house("typescript", typescript.tree())


def grown(tree: Tree, planted: Mapping[str, list[Import]]) -> Tree:
    return Tree(tree.files | planted.keys(), {**tree.imports, **planted})


def heading(language: Language, package: str) -> str:
    """How a package's entry begins in ``doors.toml``."""
    lines = (ROOT / "doors.toml").read_text("utf-8").splitlines()
    return next(line for line in (f"[{language}.{package}]", f'[{language}."{package}"]') if line in lines)


def test_the_tree_keeps_to_its_doors(in_python: House, in_typescript: House) -> None:
    assert problems("python", DECLARED, in_python.tree) == []
    assert problems("typescript", DECLARED, in_typescript.tree) == []


def test_the_command_says_what_is_wrong(
    in_python: House,
    in_typescript: House,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(python, "tree", lambda: in_python.tree)
    monkeypatch.setattr(typescript, "tree", lambda: in_typescript.tree)
    assert command.main() == 0
    assert capsys.readouterr().out == ""
    file = "web/src/kit/copy.ts"
    planted = grown(in_typescript.tree, {file: [Import(3, "../state/options", "web/src/state/options.ts")]})
    monkeypatch.setattr(typescript, "tree", lambda: planted)
    assert command.main() == 1
    assert capsys.readouterr().out == (
        f"{file}:3: kit imports state (../state/options), "
        "which is not among “imports” in doors.toml, [typescript.kit]\n"
    )


# ------------------------------------------------------------------------------------------------ every closed door


def closed_packages(house: House, importing: Owner) -> Iterator[tuple[Owner, str]]:
    """The packages that are closed to one, each with a file to import."""
    doors = DECLARED.packages(house.language)[importing.package].imports
    for owner, files in house.owners.items():
        opened = {door.replace("*", importing.game or owner.game) for door in doors}
        if owner != importing and owner.name not in opened:
            yield owner, files[0]


def closed_modules(house: House, importing: Owner, file: str) -> list[str]:
    """What is closed to a package of what there is outside, the whole standard library of Python included."""
    packages = DECLARED.packages(house.language)
    known = {module for package in packages.values() for module in package.outside}
    if house.language == "python":
        known |= sys.stdlib_module_names
    else:
        known |= json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"].keys()
    opened = (*packages[importing.package].outside, *DECLARED.freely(file))
    closed = {module for module in known if not any(covers(each, module) for each in opened)}
    return sorted(closed | NEVER_HEARD_OF[house.language])


def plant(house: House, importing: Owner) -> Plant:
    """One import for each door that is closed to a package."""
    file = house.owners[importing][0]
    entry = f"doors.toml, {heading(house.language, importing.package)}"
    lines, expected = [], []
    for owner, target in closed_packages(house, importing):
        name = module_of(target) if house.language == "python" else "../" * file.count("/") + target
        lines.append(written(house.language, name))
        expected.append(f"{owner.name} ({name}), which is not among “imports” in {entry}")
    for name in closed_modules(house, importing, file):
        lines.append(written(house.language, name))
        expected.append(f"{name} from outside, which is not among “outside” in {entry}")
    before = (ROOT / file).read_text("utf-8").splitlines()
    at = before.index('<script lang="ts">') + 1 if file.endswith(".svelte") else len(before)
    return Plant(
        file,
        "\n".join([*before[:at], *lines, *before[at:], ""]),
        [f"{file}:{line}: {importing.name} imports {what}" for line, what in enumerate(expected, at + 1)],
    )


def module_of(file: str) -> str:
    return file.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def written(language: Language, name: str) -> str:
    if language == "typescript":
        return f"import '{name}';"
    package, _, last = name.rpartition(".")
    return f"from {package} import {last}" if package else f"import {name}"


@pytest.mark.parametrize("package", DECLARED.python)
def test_every_closed_door_in_python(package: str, in_python: House) -> None:
    tree = in_python.tree
    planted = [plant(in_python, owner) for owner in in_python.owners if owner.package == package]
    assert planted
    for each in planted:
        imports = python.imports(each.file, each.source, tree.files)
        assert problems("python", DECLARED, grown(tree, {each.file: imports})) == each.expected


@pytest.fixture(scope="module")
def planted_scripts(in_typescript: House) -> dict[Owner, tuple[Plant, list[Import]]]:
    """All that is planted in TypeScript, read together."""
    house = in_typescript
    plants = {
        owner: plant(house, owner) for owner, files in house.owners.items() if files[0] in house.tree.imports
    }
    imports = typescript.imports({each.file: each.source for each in plants.values()}, house.tree.files)
    return {owner: (each, imports[each.file]) for owner, each in plants.items()}


@pytest.mark.parametrize("package", DECLARED.typescript)
def test_every_closed_door_in_typescript(
    package: str, in_typescript: House, planted_scripts: dict[Owner, tuple[Plant, list[Import]]]
) -> None:
    tree = in_typescript.tree
    planted = [each for owner, each in planted_scripts.items() if owner.package == package]
    assert planted or package == "games/*/data"  # which holds no code
    for each, imports in planted:
        assert problems("typescript", DECLARED, grown(tree, {each.file: imports})) == each.expected


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("lab/simulate.py", "from kotatsu.server.run import serve"),
        ("lab/simulate.py", "from kotatsu.tables.manager import TableManager"),
        ("store/sqlite.py", "from kotatsu.games.kimono.game import GAME"),
        ("bots/search.py", "from kotatsu.store.sqlite import SqliteStore"),
        ("bots/search.py", "from kotatsu.store.contract import Store"),
        ("tables/manager.py", "from kotatsu.games.kimono.game import GAME"),
        ("tables/manager.py", "from kotatsu.lab.simulate import simulate"),
        ("tables/manager.py", "from kotatsu.server.app import create_app"),
        ("tables/manager.py", "from kotatsu.store.sqlite import SqliteStore"),
        ("engine/match.py", "from kotatsu.games.kimono.game import GAME"),
        ("engine/match.py", "from kotatsu.bots.levels import bot"),
        ("games/kimono/bots.py", "from kotatsu.games.kabuki.model import KabukiState"),
        ("games/kimono/bots.py", "from kotatsu.tables.manager import TableManager"),
        ("games/kimono/game.py", "from kotatsu.games.kimono.fast.kernels import play"),
        ("games/kimono/game.py", "from kotatsu.games.kimono.bots import LEVELS"),
        ("games/kimono/game.py", "from random import random"),
        ("games/kimono/game.py", "import random"),
        *(
            (file, f"import {module}")
            for file in (
                "engine/match.py",
                "games/kimono/game.py",
                "games/kabuki/model.py",
                "games/kabuki/fold.py",
            )
            for module in (
                "litestar",
                "uvicorn",
                "websockets",
                "sqlite3",
                "asyncio",
                "threading",
                "time",
                "datetime",
            )
        ),
        *((file, "import numba, numpy") for file in ("engine/match.py", "games/kakuzu/game.py")),
        *(("tables/manager.py", f"import {module}") for module in ("litestar", "uvicorn", "sqlite3")),
    ],
)
def test_doors_that_may_never_be_opened(file: str, line: str, in_python: House) -> None:
    """Whatever ``doors.toml`` comes to say, these stay closed."""
    file = f"src/kotatsu/{file}"
    source = (ROOT / file).read_text("utf-8")
    imports = python.imports(file, f"{source}{line}\n", in_python.tree.files)
    found = problems("python", DECLARED, grown(in_python.tree, {file: imports}))
    assert len(found) == 1 + line.count(",")
    assert all(each.startswith(f"{file}:{source.count(chr(10)) + 1}: ") for each in found)


# --------------------------------------------------------------------------------------------- every way to import


@pytest.mark.parametrize(
    "source",
    [
        "import kotatsu.server.run",
        "import kotatsu.server.run as running",
        "from kotatsu.server.run import serve",
        "from kotatsu.server import run",
        "from kotatsu import server",
        "from kotatsu.server.run import *",
        "from ..server import run",
        "from .. import server",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING: from kotatsu.server.run import serve",
        "def late():\n    from kotatsu.server.run import serve",
        "class Late:\n    async def late(self):\n        import kotatsu.server.run",
        "try:\n    import kotatsu.server.run\nexcept ImportError: ...",
        "from kotatsu.lab import simulate\nimport kotatsu.lab, kotatsu.server.run",
        "__import__('kotatsu.server.run')",
        "import importlib.util\nimport_module('kotatsu.server.run')",
        "import importlib.util\nimportlib.import_module('kotatsu.server.run')",
    ],
)
def test_every_way_to_import_in_python(source: str, in_python: House) -> None:
    file = "src/kotatsu/lab/planted.py"
    imports = python.imports(file, source, in_python.tree.files | {file})
    [found] = problems("python", DECLARED, grown(in_python.tree, {file: imports}))
    line = 1 + source[: source.index("server")].count("\n")
    assert found.startswith(f"{file}:{line}: lab imports server (kotatsu.server")


def test_every_way_to_import_in_typescript(in_typescript: House) -> None:
    scripts = [
        "import { router } from '$web/state/router.svelte';",
        "import { router } from '../../../../../web/src/state/router.svelte';",
        "import { router } from '/src/state/router.svelte';",
        "import '$web/state/router.svelte';",
        "import drawing from '$web/state/router.svelte?raw';",
        "import type {\n  Router,\n} from '$web/state/router.svelte';",
        "import { type Router } from '$web/state/router.svelte';",
        "export { router } from '$web/state/router.svelte';",
        "export * from '$web/state/router.svelte';",
        "export type { Router } from '$web/state/router.svelte';",
        "const late = () => import('$web/state/router.svelte');",
        "const late = async () => await import(`$web/state/router.svelte`);",
        "let late: import('$web/state/router.svelte').Router;",
        "const all = import.meta.glob('$web/state/*.ts');",
        "const all = import.meta.glob<Router>(['./*.ts', '$web/state/*.ts'], { eager: true });",
        "const worker = new Worker(new URL('../../../../../web/src/state/router.svelte.ts', import.meta.url));",
    ]
    components = [
        "<script lang='ts'>\n  {}\n</script>\n<p>Text</p>",
        "<!-- What it is. -->\n<script module lang='ts'>\n  {}\n</script>\n<script lang='ts'>\n  let a = 1;\n</script>",
        "<script lang='ts' module>\n  let a = 1;\n</script>\n<script lang='ts'>\n  {}\n</script>\n<b>{{a}}</b>",
    ]
    markup = [
        "<p>It's</p>\n{#await import('$web/state/router.svelte') then { router }}<p>{router}</p>{/await}",
        "<script lang='ts'>let a = 1;</script>\n<button onclick={() => import('$web/state/router.svelte')}>a</button>",
    ]
    folder = "src/kotatsu/games/kimono/web"
    sources = {f"{folder}/planted{number}.ts": source for number, source in enumerate(scripts)}
    for place, component in enumerate(components):
        for number, script in enumerate(scripts):
            sources[f"{folder}/Planted{place}{number}.svelte"] = component.format(script)
    sources |= {f"{folder}/PlantedMarkup{number}.svelte": source for number, source in enumerate(markup)}
    imports = typescript.imports(sources, in_typescript.tree.files | sources.keys())
    for file, source in sources.items():
        line = 1 + source[: source.index("/state/")].count("\n")
        [found] = problems("typescript", DECLARED, grown(in_typescript.tree, {file: imports[file]}))
        assert found.startswith(f"{file}:{line}: games/kimono imports state ("), source


@pytest.mark.parametrize("call", ["__import__(name)", "importlib.import_module(f'kotatsu.{name}')"])
def test_what_python_only_knows_at_run_time(call: str, in_python: House) -> None:
    source = f"import importlib.resources\ndef late(name): return {call}"
    for file, refused in (
        ("src/kotatsu/games/kimono/story.py", 1),
        ("src/kotatsu/lab/planted.py", 2),
        ("src/kotatsu/engine/planted.py", 0),
    ):
        imports = python.imports(file, source, in_python.tree.files)
        found = problems("python", DECLARED, grown(in_python.tree, {file: imports}))
        assert len(found) == refused
        assert not found or f"{file}:2: " in found[-1]


def test_what_typescript_only_knows_at_run_time(in_typescript: House) -> None:
    sources = {
        "web/src/kit/planted.ts": "const late = (name: string) => import(`../${name}.ts`);",
        "web/src/kit/Planted.svelte": "<script lang='ts'>let a = '';</script>{#await import(a) then b}{b}{/await}",
    }
    imports = typescript.imports(sources, in_typescript.tree.files | sources.keys())
    found = problems("typescript", DECLARED, grown(in_typescript.tree, imports))
    assert [each.split(" imports ")[1].split(",")[0] for each in found] == [
        f"{typescript.AT_RUN_TIME} from outside"
    ] * 2


def test_a_game_is_found_by_all_or_by_none(in_typescript: House) -> None:
    """The page finds games by a pattern; a game that looks for others by one is caught."""
    file = "src/kotatsu/games/kimono/web/planted.ts"
    imports = typescript.imports(
        {
            file: "import.meta.glob('../../*/web/index.ts');\nimport.meta.glob('../../../../../web/src/**/*.ts');"
        },
        in_typescript.tree.files,
    )
    found = problems("typescript", DECLARED, grown(in_typescript.tree, imports))
    assert [each.partition(" imports ")[2].split(",")[0] for each in found] == [
        "games/* (../../*/web/index.ts)",
        "web/src/**/*.ts (../../../../../web/src/**/*.ts)",
    ]


def test_what_cannot_be_read_is_said() -> None:
    with pytest.raises(RuntimeError, match=r"Broken\.svelte cannot be read"):
        typescript.imports({"web/src/kit/Broken.svelte": "<script>let a = ;</script>"}, set())


# -------------------------------------------------------------------------------------------- the declaration itself


def declare(language: Language, name: str, package: Package) -> Declaration:
    packages = {**DECLARED.packages(language), name: package}
    return Declaration(
        DECLARED.free,
        packages if language == "python" else DECLARED.python,
        packages if language == "typescript" else DECLARED.typescript,
    )


@pytest.mark.parametrize(
    ("language", "file"),
    [
        ("python", "src/kotatsu/novelty/__init__.py"),
        ("python", "src/kotatsu/novelty.py"),
        ("typescript", "web/src/novelty/novelty.ts"),
        ("typescript", "web/src/Novelty.svelte"),
        ("typescript", "web/novelty.js"),
        ("typescript", "src/kotatsu/server/novelty.ts"),
    ],
)
def test_a_package_that_is_not_declared(
    language: Language, file: str, in_python: House, in_typescript: House
) -> None:
    tree = (in_python if language == "python" else in_typescript).tree
    assert problems(language, DECLARED, grown(tree, {file: []})) == [
        f"{file}: no package of doors.toml holds this file; declare one under [{language}]"
    ]


def test_an_import_of_a_package_that_is_not_declared(in_python: House) -> None:
    new, file = "src/kotatsu/novelty/__init__.py", "src/kotatsu/lab/planted.py"
    tree = grown(in_python.tree, {new: []})
    imports = python.imports(file, "import kotatsu.novelty", tree.files)
    assert f"{file}:1: lab imports {new} (kotatsu.novelty), which no package of doors.toml holds" in problems(
        "python", DECLARED, grown(tree, {file: imports})
    )


def test_a_new_game_has_the_doors_of_every_game(in_python: House) -> None:
    file = "src/kotatsu/games/novelty/game.py"
    source = "from kotatsu.engine.contract import Game\nimport kotatsu.games.kimono.game\nimport numpy"
    imports = python.imports(file, source, in_python.tree.files)
    entry = 'doors.toml, [python."games.*.rules"]'
    wrong = "games.kimono.rules (kotatsu.games.kimono.game), which is not among “imports”"
    assert problems("python", DECLARED, grown(in_python.tree, {file: imports})) == [
        f"{file}:2: games.novelty.rules imports {wrong} in {entry}",
        f"{file}:3: games.novelty.rules imports numpy from outside, which is not among “outside” in {entry}",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_open_door_is_used(language: Language, in_python: House, in_typescript: House) -> None:
    """With nobody importing anything, every open door is one too many."""
    tree = (in_python if language == "python" else in_typescript).tree
    expected = [
        f"doors.toml, {heading(language, name)}: {door} is open and nothing in {name} imports it; close it"
        for name, package in DECLARED.packages(language).items()
        for door in (*package.imports, *package.outside)
    ]
    assert problems(language, DECLARED, Tree(tree.files, dict.fromkeys(tree.imports, ()))) == expected


def test_one_open_door_that_nobody_uses(in_python: House) -> None:
    lab = replace(DECLARED.python["lab"], imports=("bots", "engine", "games.*.rules"))
    assert problems("python", declare("python", "lab", lab), in_python.tree) == [
        "doors.toml, [python.lab]: games.*.rules is open and nothing in lab imports it; close it"
    ]


def test_a_package_without_files_and_a_door_to_nowhere(in_python: House) -> None:
    table = Package("what is gone", ("src/kotatsu/table",))
    assert problems("python", declare("python", "table", table), in_python.tree) == [
        "doors.toml, [python.table]: src/kotatsu/table holds nothing"
    ]
    rules = DECLARED.python["games.*.rules"]
    rules = replace(rules, holds=(*rules.holds, "src/kotatsu/games/*/gone.py"))
    assert problems("python", declare("python", "games.*.rules", rules), in_python.tree) == [
        'doors.toml, [python."games.*.rules"]: src/kotatsu/games/*/gone.py holds nothing'
    ]
    lab = replace(DECLARED.python["lab"], imports=("bots", "engine", "table"))
    assert problems("python", declare("python", "lab", lab), in_python.tree) == [
        "doors.toml, [python.lab]: table is declared nowhere"
    ]


def test_dependencies_point_one_way(in_python: House) -> None:
    file = "src/kotatsu/store/contract.py"
    store = replace(DECLARED.python["store.contract"], imports=("tables",))
    imports = python.imports(file, "import kotatsu.tables.manager", in_python.tree.files)
    found = problems(
        "python", declare("python", "store.contract", store), grown(in_python.tree, {file: imports})
    )
    assert found
    assert all(each.endswith(" is a cycle; dependencies point one way") for each in found)
    assert "store.contract → tables → " in found[0]

"""Finds where our code uses what a dependency, or Python's library, does not publish.

Four signs of it, in the syntax tree of a file:

* a module is imported that its package does not document (``DOCUMENTED`` names those that are);
* a name with a leading underscore is imported, or read from something that is not ours;
* a class uses or overrides an underscore name that a foreign base class has;
* a class defines an underscore method that nothing in its file calls: its foreign base class must.

Of a base class from an undocumented module every name counts, with or without an underscore, unless a class
of Python's own library behind it has it too. Names of the form ``__name__`` are the language's, and never count.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from functools import cache
from importlib import import_module
from typing import Any

OURS = "kotatsu"
DOCUMENTED = {
    "click",
    "gymnasium",
    "litestar",
    "litestar.config.compression",
    "litestar.datastructures",
    "litestar.di",
    "litestar.exceptions",
    "litestar.openapi",
    "litestar.openapi.plugins",
    "litestar.params",
    "litestar.types",
    "msgspec",
    "msgspec.structs",
    "mujoco",
    "numba",
    "numpy",
    "numpy.typing",
    "open_spiel.python.algorithms",
    "openskill.models",
    "pettingzoo",
    "pettingzoo.utils",
    "prometheus_client",
    "prometheus_client.core",
    "prometheus_client.registry",
    "pyspiel",
    "ray",
    "rich.console",
    "rich.live",
    "rich.progress",
    "rich.table",
    "uvicorn",
    "websockets.frames",
    "websockets.http11",
    "websockets.protocol",
}
"""Modules outside Python's library that their package's own reference describes."""
PUBLISHED = {"_exit", "_replace", "_asdict", "_make", "_fields"}
"""Underscore names that Python's reference describes: of ``os``, and of named tuples."""
ITSELF = {"self", "cls", "super()"}

Imports = list[tuple[str, str, str]]
"""What each is called here, its module, and what it is called there (nothing: it is the module itself)."""


def private_parts(source: str) -> set[str]:
    """What a file uses that is not published: a module, ``module.name``, ``Base.name``, or ``.name`` of something.

    Raises:
        ImportError: a base class comes from a module that is not installed.
    """
    tree = ast.parse(source)
    imports = _imports(tree)
    found = {f".{name}" for name in _foreign_attributes(tree)}
    for _, module, name in imports:
        if _is_undocumented(module):
            found.add(module)
        elif _is_private(name) and _is_foreign(module):
            found.add(f"{module}.{name}")
    referred = [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and (base := _foreign_base(node, tree, imports)) is not None:
            names = _private_names_of(base, imports) & (_defined(node) | _used(node))
            names |= {name for name in _methods(node) if _is_private(name) and name not in referred}
            found |= {f"{base.__name__}.{name}" for name in names}
    return found


def _is_foreign(module: str) -> bool:
    return module.partition(".")[0] != OURS


def _is_undocumented(module: str) -> bool:
    """Python's own modules are documented unless their name says otherwise; a package is if a module of it is."""
    if module.partition(".")[0] in sys.stdlib_module_names:
        return any(map(_is_private, module.split(".")))
    return _is_foreign(module) and not any(f"{each}.".startswith(f"{module}.") for each in DOCUMENTED)


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in PUBLISHED


def _imports(tree: ast.Module) -> Imports:
    """Every import of a file; ``import a.b`` is one of ``a.b``, and the name ``a`` for ``a``."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(each.asname or "", each.name, "") for each in node.names]
            found += [(root, root, "") for each in node.names if (root := each.name.partition(".")[0])]
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            found += [(each.asname or each.name, node.module, each.name) for each in node.names]
    return found


def _foreign_attributes(tree: ast.Module) -> set[str]:
    """Private names of what is neither the object itself nor of a class in this file."""
    ours = {name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for name in _defined(node)}
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and _is_private(node.attr)
        and node.attr not in ours
        and ast.unparse(node.value) not in ITSELF
    }


def _methods(node: ast.ClassDef) -> set[str]:
    return {each.name for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}


def _defined(node: ast.ClassDef) -> set[str]:
    """A class's methods, and what it keeps in itself."""
    stored = {each.attr for each in _of_self(node) if isinstance(each.ctx, ast.Store)}
    named = {ast.unparse(target) for each in node.body for target in _targets(each)}
    return _methods(node) | stored | named


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.AnnAssign):
        return [node.target]
    return node.targets if isinstance(node, ast.Assign) else []


def _used(node: ast.ClassDef) -> set[str]:
    return {each.attr for each in _of_self(node)}


def _of_self(node: ast.ClassDef) -> list[ast.Attribute]:
    """What is read or written of ``self``, ``cls`` or ``super()``."""
    return [
        each
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute) and ast.unparse(each.value) in ITSELF
    ]


def _foreign_base(node: ast.ClassDef, tree: ast.Module, imports: Imports) -> type | None:
    """The first class a class derives from that is not ours, over classes of ours if need be."""
    for base in node.bases:
        found = _resolve(base, tree, imports)
        for each in inspect.getmro(found) if isinstance(found, type) else ():
            if _is_foreign(each.__module__) and each is not object:
                return each
    return None


def _resolve(node: ast.expr, tree: ast.Module, imports: Imports) -> Any:
    """What an expression in a list of base classes stands for; ``None`` where that cannot be told."""
    if isinstance(node, ast.Subscript):
        return _resolve(node.value, tree, imports)
    if isinstance(node, ast.Attribute):
        return getattr(_resolve(node.value, tree, imports), node.attr, None)
    if not isinstance(node, ast.Name):
        return None
    for known_as, module, name in imports:
        if known_as == node.id:
            found = import_module(module)
            if not name:
                return found
            return getattr(found, name) if hasattr(found, name) else import_module(f"{module}.{name}")
    for each in tree.body:
        if isinstance(each, ast.ClassDef) and each.name == node.id:
            return _foreign_base(each, tree, imports)
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == node.id:
            return _resolve(each.value, tree, imports)
    return None


def _private_names_of(base: type, imports: Imports) -> set[str]:
    """The names of a class that are not published; all its own if its module is not documented."""
    undocumented = any(name == base.__name__ and _is_undocumented(module) for _, module, name in imports)
    names: set[str] = set()
    published: set[str] = set(dir(object))
    for each in inspect.getmro(base):
        known = {*vars(each), *inspect.get_annotations(each), *_kept_by(each)}
        if each.__module__.partition(".")[0] in sys.stdlib_module_names:
            published |= {name for name in known if not _is_private(name)}
        names |= known
    return {name for name in names - published if undocumented or _is_private(name)}


@cache
def _kept_by(foreign: type) -> set[str]:
    """What a class written in Python keeps in itself."""
    try:
        text = textwrap.dedent(inspect.getsource(foreign))
    except (OSError, TypeError):  # it is compiled
        return set()
    (node,) = ast.parse(text).body
    return _defined(node) if isinstance(node, ast.ClassDef) else set()

"""msgspec types as TypeScript: structs become interfaces, tagged unions discriminated ones; and plain constants.

It knows no particular type; ``wiretypes`` says which are written where.
"""

from __future__ import annotations

import inspect as python_inspect
import json
import re
import sys
import textwrap
from collections.abc import Mapping
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from msgspec import inspect

_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")
_PRIMITIVES: dict[type[inspect.Type], str] = {
    inspect.AnyType: "unknown",
    inspect.RawType: "unknown",
    inspect.NoneType: "null",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
}


def constants(values: Mapping[str, Any]) -> str:
    """One exported constant for each name. A list is written with an item a line.

    Raises:
        ValueError: a name is not one of a constant, or a value is not finite.
        TypeError: a value is not what JSON can say.
    """
    lines = []
    for name, value in values.items():
        if not _CONSTANT.fullmatch(name):
            raise ValueError(f"a constant is called LIKE_THIS, not {name}")
        lines.append(f"export const {name} = {_written(value)};\n")
    return "".join(lines)


class TypeScript:
    """Declarations for some named types and everything they are made of.

    ``received`` are types a browser sends: their fields with a default may be left out.
    """

    def __init__(self, sent: Mapping[str, Any], received: Mapping[str, Any] | None = None) -> None:
        self._aliases: dict[frozenset[Any], tuple[str, tuple[Any, ...]]] = {}
        self._declarations: dict[str, str] = {}
        self._classes: dict[str, type] = {}
        self._modules: set[str] = set()
        for roots, optional in ((received or {}, True), (sent, False)):
            for name, root in roots.items():
                self._declare_root(name, root, optional)

    def text(self) -> str:
        """All declarations, in the order they are first needed."""
        return "\n\n".join(self._declarations.values()) + "\n"

    def _declare_root(self, name: str, root: Any, optional: bool) -> None:
        self._learn_aliases(root)
        info = inspect.type_info(root)
        if isinstance(info, inspect.StructType) and info.cls.__name__ == name:
            self._render(info, optional)
            return
        if name in self._classes:
            raise ValueError(f"two types are called {name}")
        body = self._union_members(info, optional)
        self._declarations[name] = f"export type {name} ={_wrapped(body)};"

    def _learn_aliases(self, root: Any) -> None:
        """Remember the names a module gives its ``Literal`` types, so that they keep them."""
        classes = [part for part in _parts(root) if isinstance(part, type)]
        for module in {cls.__module__ for cls in classes} - self._modules:
            self._modules.add(module)
            for name, value in vars(sys.modules[module]).items():
                if get_origin(value) is Literal:
                    self._aliases[frozenset(get_args(value))] = name, get_args(value)

    def _render(self, info: inspect.Type, optional: bool) -> str:
        for kind, text in _PRIMITIVES.items():
            if type(info) is kind:
                return text
        match info:
            case inspect.Metadata():
                return self._render(info.type, optional)
            case inspect.LiteralType():
                return self._literal(info)
            case inspect.UnionType():
                return " | ".join(self._union_members(info, optional))
            case inspect.VarTupleType() | inspect.ListType() | inspect.SetType() | inspect.FrozenSetType():
                item = self._render(info.item_type, optional)
                return f"({item})[]" if "|" in item else f"{item}[]"
            case inspect.TupleType():
                return f"[{', '.join(self._render(item, optional) for item in info.item_types)}]"
            case inspect.DictType():
                key = self._render(info.key_type, optional)
                value = self._render(info.value_type, optional)
                return f"Record<{key}, {value}>"
            case inspect.StructType():
                return self._struct(info, optional)
        raise TypeError(f"no TypeScript for {info}")

    def _union_members(self, info: inspect.Type, optional: bool) -> list[str]:
        if not isinstance(info, inspect.UnionType):
            return [self._render(info, optional)]
        ordered = sorted(info.types, key=lambda member: isinstance(member, inspect.NoneType))
        return [self._render(member, optional) for member in ordered]

    def _literal(self, info: inspect.LiteralType) -> str:
        name, values = self._aliases.get(frozenset(info.values), ("", info.values))
        quoted = [_quoted(value) for value in values]
        if not name:
            return " | ".join(quoted)
        self._declarations.setdefault(name, f"export type {name} ={_wrapped(quoted)};")
        return name

    def _struct(self, info: inspect.StructType, optional: bool) -> str:
        name = info.cls.__name__
        if name in self._classes:
            if self._classes[name] is not info.cls:
                raise ValueError(f"two types are called {name}")
            return name
        self._classes[name] = info.cls
        self._learn_aliases(info.cls)
        may_lack = optional or info.cls.__struct_config__.omit_defaults
        lines = [f"  {info.tag_field}: {_quoted(info.tag)};"] if info.tag_field else []
        for field in info.fields:
            mark = "?" if may_lack and not field.required else ""
            lines.append(f"  {field.encode_name}{mark}: {self._render(field.type, optional)};")
        body = "\n".join(["{", *lines, "}"]) if lines else "Record<string, never>"
        comment = _comment(info.cls)
        keyword = f"export interface {name} {body}" if lines else f"export type {name} = {body};"
        self._declarations[name] = comment + keyword
        return name


def _written(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[\n" + "".join(f"  {_written(item)},\n" for item in value) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key}: {_written(item)}" for key, item in value.items()) + " }"
    return json.dumps(value, allow_nan=False)


def _parts(root: Any) -> list[Any]:
    if get_origin(root) in (Union, UnionType):
        return [part for member in get_args(root) for part in _parts(member)]
    return [root]


def _quoted(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) and "'" not in value else json.dumps(value)


def _wrapped(members: list[str]) -> str:
    line = " | ".join(members)
    return f" {line}" if len(line) <= 80 else "".join(f"\n  | {member}" for member in members)


def _comment(cls: type) -> str:
    doc = cls.__dict__.get("__doc__")
    if not doc:
        return ""
    lines = textwrap.dedent(python_inspect.cleandoc(doc)).replace("``", "`").splitlines()
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "\n".join(["/**", *(f" * {line}".rstrip() for line in lines), " */"]) + "\n"

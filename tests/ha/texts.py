"""Which texts the code asks for, read from its source."""

import ast
from collections.abc import Iterator
from functools import cache
import json
from pathlib import Path
from typing import Any

INTEGRATION = Path(__file__).resolve().parents[2] / "custom_components" / "caesar"

_CATEGORIES = {
    "SelectSelectorConfig": "selector",
    "async_words": "selector",
    "async_create_issue": "issues",
    "_show": "issues",
    "ServiceValidationError": "exceptions",
    "HomeAssistantError": "exceptions",
    "ConfigEntryError": "exceptions",
    "ConfigEntryNotReady": "exceptions",
    "_refusal": "exceptions",
    "refusal": "exceptions",
    "Refusal": "exceptions",
    "error_message": "exceptions",
    # In errors.py, whose tables are read as they are.
    "kind": "exceptions",
}


@cache
def english() -> dict[str, Any]:
    texts: dict[str, Any] = json.loads(
        (INTEGRATION / "translations" / "en.json").read_text()
    )
    return texts


def keys_in_code(category: str) -> set[str]:
    """Return the translation keys of a category that stand in the code as words."""
    return {
        key
        for tree in _modules()
        for call in _calls(tree)
        if _CATEGORIES.get(_name(call.func)) == category
        and (key := _translation_key(tree, call)) is not None
    }


def placeholders_in_code(issue: str) -> set[str]:
    """Return the names of what the code fills into an issue's text."""
    for tree in _modules():
        for call in _calls(tree):
            if _translation_key(tree, call) == issue:
                given = _keyword(call, "translation_placeholders")
                keys = given.keys if isinstance(given, ast.Dict) else []
                return {ast.literal_eval(key) for key in keys if key is not None}
    return set()


def unknown_uses() -> set[str]:
    """Return the functions that take a translation key and belong to no category."""
    return {
        _name(call.func)
        for tree in _modules()
        for call in _calls(tree)
        if _keyword(call, "translation_key") is not None
    } - set(_CATEGORIES)


def check_errors(file: str, function: str | None = None) -> set[str]:
    """Return the keys of the CheckErrors made in a file, or in one function of it."""
    tree: ast.AST = _parse(INTEGRATION / file)
    if function is not None:
        tree = next(
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and node.name == function
        )
    return {
        ast.literal_eval(call.args[0])
        for call in _calls(tree)
        if _name(call.func) == "CheckError"
    }


def _modules() -> Iterator[ast.Module]:
    for file in sorted(INTEGRATION.rglob("*.py")):
        yield _parse(file)


@cache
def _parse(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return ast.unparse(function)


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((word.value for word in call.keywords if word.arg == name), None)


def _translation_key(tree: ast.Module, call: ast.Call) -> str | None:
    value = _keyword(call, "translation_key")
    if value is None and _name(call.func) in ("_refusal", "refusal"):
        value = call.args[0]
    if isinstance(value, ast.Name):
        value = _constants(tree).get(value.id)
    return str(value.value) if isinstance(value, ast.Constant) else None


def _constants(tree: ast.Module) -> dict[str, ast.expr | None]:
    found: dict[str, ast.expr | None] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node.value
    return found

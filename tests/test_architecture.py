"""Who may know whom, read from the imports."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "custom_components" / "caesar"
PACKAGE = "custom_components.caesar"

EDGES = {
    "ai_task",
    "config_flow",
    "conversation",
    "diagnostics",
    "llm",
    "observer",
    "panel",
    "repairs",
    "services",
    "system_health",
    "websocket_api",
}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(ROOT.rglob("*.py")):
        if "versions" in file.parts:
            continue
        parts = file.relative_to(ROOT).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        yield name, ast.parse(file.read_text("utf-8"))


def imports(name: str, tree: ast.Module, is_package: bool) -> Iterator[str]:
    """Yield what a module imports, ours by the name within the package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                here = name.split(".") if name else []
                here = here[: len(here) - node.level + (1 if is_package else 0)]
                base = ".".join((PACKAGE, *here, *([base] if base else [])))
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def graph() -> dict[str, set[str]]:
    packages = {
        ".".join(file.parent.relative_to(ROOT).parts)
        for file in ROOT.rglob("__init__.py")
    }
    return {
        name: {
            target.removeprefix(f"{PACKAGE}.")
            for target in imports(name, tree, name in packages)
        }
        for name, tree in modules()
    }


GRAPH = graph()


def within(name: str, part: str) -> bool:
    return name == part or name.startswith(f"{part}.")


@pytest.mark.parametrize("name", [n for n in GRAPH if within(n, "memory")])
def test_memory_knows_only_itself(name):
    for target in GRAPH[name]:
        assert not within(target, "homeassistant")
        assert not within(target, "gateway")
        assert target.split(".")[0] not in EDGES | {"runtime", "legion", "speaker"}


@pytest.mark.parametrize("name", [n for n in GRAPH if within(n, "gateway")])
def test_the_gateway_does_not_know_memory(name):
    assert not any(within(target, "memory") for target in GRAPH[name])
    # These stand between the gateway and parts of Home Assistant.
    if name not in {"gateway.ai_task", "gateway.chat_log", "gateway.rounds"}:
        assert not any(within(target, "homeassistant") for target in GRAPH[name])


@pytest.mark.parametrize("name", sorted(EDGES))
def test_edges_do_not_import_one_another(name):
    others = EDGES - {name}
    for part in (part for part in GRAPH if within(part, name)):
        found = {t for t in GRAPH[part] for other in others if within(t, other)}
        assert not found, part


def test_only_the_database_opens_a_connection():
    for name, tree in modules():
        calls = {
            ast.unparse(node.func)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
        }
        opens = calls & {"create_engine", "sqlalchemy.create_engine", "sqlite3.connect"}
        assert not opens or name == "memory.database", name


def test_only_the_gateway_touches_the_chat_log():
    for name, tree in modules():
        touched = {
            node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)
        }
        if name != "gateway.chat_log":
            assert not touched & {
                "async_add_delta_content_stream",
                "async_add_assistant_content",
                "unresponded_tool_results",
            }, name


def test_only_one_file_uses_what_home_assistant_does_not_promise():
    for name in GRAPH:
        hidden = {
            target
            for target in GRAPH[name]
            if target.startswith("homeassistant.components.conversation.")
            and target.rpartition(".")[2] in {"chat_log", "trace"}
        }
        assert not hidden or name == "chat_log_hook", name


def test_the_product_reads_nothing_outside_itself():
    for name, tree in modules():
        paths = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.startswith(("/", "../"))
            and "/" in node.value[1:]
        ]
        assert not [path for path in paths if not path.startswith("/api/")], name

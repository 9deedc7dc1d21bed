"""What the command line of scripts/evaluate may say."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, override

from .items import Item, read_items
from .providers import BUILTIN, KEY_VARIABLE, OLLAMA, PROVIDERS, Choice


def parser() -> argparse.ArgumentParser:
    """Return the parser; ``command`` is then the name of what to do."""
    top = argparse.ArgumentParser(
        prog="scripts/evaluate",
        description="Measure how well CAESAR learns, and finds again what was said.",
    )
    commands = top.add_subparsers(dest="command", required=True)
    facts = commands.add_parser(
        "facts", help="run exchanges through the pipeline and score what is stored"
    )
    facts.add_argument(
        "--gold", metavar="FILE", type=Path, action="append", required=True
    )
    facts.add_argument(
        "--out", metavar="FILE", type=Path, help="where predictions are written"
    )
    facts.add_argument("--limit", type=int, metavar="N", help="only the first N")
    facts.add_argument("--ids", nargs="+", metavar="ID", help="only these exchanges")
    facts.add_argument(
        "--language", nargs="+", metavar="CODE", help="only these languages"
    )
    facts.add_argument(
        "--details", action="store_true", help="each language and category too"
    )
    facts.add_argument(
        "--show", action="store_true", help="each exchange that went wrong too"
    )
    report = commands.add_parser(
        "report", help="run all sets and write docs/quality.md; takes long with models"
    )
    recall = commands.add_parser(
        "recall", help="ask a corpus of conversations, and score what is found"
    )
    for name in ("--corpus", "--queries"):
        recall.add_argument(name, metavar="FILE", type=Path, required=True)
    recall.add_argument(
        "--out", metavar="FILE", type=Path, help="where the ranked turns are written"
    )
    recall.add_argument(
        "--embedder",
        metavar="MODEL",
        help="find by meaning too, with this model of an Ollama server",
    )
    recall.add_argument("--url", metavar="URL", help="address of that server")
    recall.add_argument(
        "--cache", metavar="FOLDER", type=Path, help="keep the vectors here"
    )
    for command in (facts, report):
        _add_providers(command)
    report.add_argument(
        "--sets",
        nargs="+",
        metavar="NAME",
        help="only these sets with this provider",
        action=_Describe,
        dest="described",
    )
    return top


def choices(options: argparse.Namespace) -> tuple[Choice, ...]:
    """Return the providers that are asked for, by default the built-in one.

    Raises ValueError where one is not described well.
    """
    described = options.described or [{"provider": BUILTIN}]
    return tuple(Choice(**one) for one in described)


def embedder(options: argparse.Namespace) -> Choice | None:
    """Return who embeds, None where words alone shall find.

    Raises ValueError where its server is not named.
    """
    if options.embedder is None:
        return None
    return Choice(provider=OLLAMA, url=options.url or "", model=options.embedder)


def chosen(options: argparse.Namespace) -> tuple[Item, ...]:
    """Return the exchanges that are asked for.

    Raises ItemError or OSError where a file cannot be read, ValueError where no
    exchange is left.
    """
    items = [item for path in options.gold for item in read_items(path)]
    if options.ids:
        items = [item for item in items if item.id in options.ids]
    if options.language:
        items = [item for item in items if item.language in options.language]
    items = items[: options.limit]
    if not items:
        raise ValueError("there is no such exchange")
    return tuple(items)


def _add_providers(command: argparse.ArgumentParser) -> None:
    described: dict[str, Any] = {"action": _Describe, "dest": "described"}
    command.add_argument("--provider", choices=PROVIDERS, **described)
    command.add_argument(
        "--url", metavar="URL", help="address of its server", **described
    )
    command.add_argument(
        "--model",
        metavar="NAME",
        help=f"its model; {KEY_VARIABLE} may hold a key",
        **described,
    )
    command.add_argument(
        "--cache", metavar="FOLDER", type=Path, help="keep the model's answers here"
    )


class _Describe(argparse.Action):
    """Adds to the description of the provider that was named last."""

    @override
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        name = str(option_string).removeprefix("--")
        described: list[dict[str, object]] = namespace.described or []
        if name == "provider":
            described.append({})
        if not described:
            parser.error(f"{option_string} needs --provider before it")
        described[-1][name] = tuple(values) if isinstance(values, list) else values
        namespace.described = described

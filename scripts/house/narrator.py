"""The lines that the demo prints."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
import time

from .database import Row

_MAX_CELL = 48


class Narrator:
    """Prints what happens as it happens, with how long it took."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def total(self) -> float:
        """Return the seconds since the beginning."""
        return time.monotonic() - self._began

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Print a step and its time once it is done."""
        began = time.monotonic()
        yield
        self.line(f"{time.monotonic() - began:7.1f} s  {what}")

    def line(self, text: str = "") -> None:
        """Print a line, at once."""
        print(text, flush=True)

    def said(self, who: str, text: str, seconds: float | None = None) -> None:
        """Print what somebody said, and how long it took to come."""
        took = "" if seconds is None else f"   ({seconds:.2f} s)"
        self.line(f"  {who:8} {text}{took}")

    def chapter(self, title: str) -> None:
        """Print a heading."""
        self.line(f"\n{title}")

    def quote(self, text: str) -> None:
        """Print somebody's text as it is, set apart."""
        for line in text.splitlines():
            self.line(f"  | {line}")

    def table(self, rows: Sequence[Row], columns: Sequence[str]) -> None:
        """Print the named columns of rows."""
        if not rows:
            self.line("  (none)")
            return
        cells = [columns, *([_cell(row[name]) for name in columns] for row in rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for line in cells:
            padded = zip(line, widths, strict=True)
            text = "  ".join(f"{cell:{width}}" for cell, width in padded)
            self.line(f"  {text}".rstrip())


def _cell(value: object) -> str:
    text = "" if value is None else " ".join(str(value).split())
    return text if len(text) <= _MAX_CELL else text[: _MAX_CELL - 1] + "…"

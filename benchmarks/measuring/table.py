"""Tables of numbers, printed as Markdown so that documents can quote them."""

from collections.abc import Sequence
import os
import platform

type Cell = str | int | float | None


def print_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]]
) -> None:
    """Print a table; all columns but the first are for numbers."""
    cells = [[_text(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    print(f"\n{title}\n")
    print(_line(columns, widths))
    print("| " + " | ".join(_rules(widths)) + " |")
    for row in cells:
        print(_line(row, widths))


def machine() -> str:
    """Return what was measured on, and how busy it was."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return (
        f"{os.cpu_count()} CPU cores ({platform.machine()}), load {load} "
        "in the last 1, 5 and 15 minutes"
    )


def _text(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case int():
            return f"{cell:,}"
        case float():
            return f"{cell:,.{_decimals(cell)}f}"
        case _:
            return cell


def _decimals(number: float) -> int:
    if number < 1:
        return 2
    return 1 if number < 100 else 0  # noqa: PLR2004


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    padded = [f"{first[0]:{first[1]}}", *(f"{c:>{w}}" for c, w in others)]
    return "| " + " | ".join(padded) + " |"


def _rules(widths: Sequence[int]) -> list[str]:
    first, *others = widths
    return ["-" * first, *("-" * (width - 1) + ":" for width in others)]

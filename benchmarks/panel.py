"""How fast the panel is with many facts, in a real Home Assistant and browser."""

import argparse
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
import sqlite3
from statistics import median
import sys
import tempfile
import time
from typing import Final

from playwright.sync_api import expect

from scripts.house.browser import Browser, Tokens
from scripts.house.database import DATABASE_FILE
from scripts.house.errors import HouseError
from scripts.house.folder import ASSIST, STAND_INS
from scripts.house.house import House
from scripts.house.panel import Panel
from scripts.house.signals import until_ended

from .measuring.table import machine, print_table

FACTS: Final = 10_000
NEEDLE: Final = "a needle"
REPEATS: Final = 5


def main() -> int:
    """Measure, and print what came out."""
    parser = argparse.ArgumentParser(prog="scripts/benchmark panel")
    parser.add_argument("--facts", type=int, default=FACTS)
    options = parser.parse_args()
    return until_ended(_measure(options.facts))


async def _measure(count: int) -> int:
    print(f"Measured on {machine()}.")
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        house = House(Path(folder), configuration_extra=ASSIST, modules=STAND_INS)
        try:
            async with house:
                await house.start()
                await house.add_caesar("builtin", {})
                user = await house.client.command(type="auth/current_user")
                await house.stop()
                _fill(Path(folder), f"user:{user['id']}", count)
                await house.start()
                await house.agent()
                rows = await browser.run(partial(_look, browser, house, count))
        except HouseError as error:
            print(f"FAILED: {error}\n{house.process.trouble()}", file=sys.stderr)
            return 1
    print_table(f"{count:,} facts of one person", ("what", "median"), rows)
    return 0


def _fill(folder: Path, owner: str, count: int) -> None:
    now = datetime.now(UTC)
    rows = [
        (owner, f"note.{number}", _value(number, count), at, at)
        for number in range(count)
        for at in (f"{now - timedelta(minutes=number):%Y-%m-%d %H:%M:%S.%f}",)
    ]
    with closing(sqlite3.connect(folder / DATABASE_FILE)) as connection, connection:
        connection.executemany(
            "INSERT INTO personal_facts (owner, key, value, origin, first_seen_at,"
            " last_confirmed_at) VALUES (?, ?, ?, 'edited', ?, ?)",
            rows,
        )


def _value(number: int, count: int) -> str:
    return NEEDLE if number == count // 2 else f"hay number {number}"


def _look(browser: Browser, house: House, count: int) -> list[tuple[str, str]]:
    tokens = Tokens(
        address=house.address,
        access=house.client.access_token,
        refresh=house.client.refresh_token,
    )
    with browser.visit(tokens) as visit:
        panel = Panel(visit.page, house.address)

        def open_panel() -> None:
            panel.open()
            expect(panel.count).to_have_text(f"{count:,} facts")

        def find() -> None:
            panel.search("needle")
            expect(panel.rows).to_have_count(1)

        def clear() -> None:
            panel.search("")
            expect(panel.count).to_have_text(f"{count:,} facts")

        def sort() -> None:
            panel.root.get_by_role("columnheader", name="Key").get_by_role(
                "button"
            ).click()
            expect(panel.rows.first).to_be_visible()

        def go_to_end() -> None:
            panel.page.keyboard.press("End")
            expect(panel.row(f"hay number {count - 1}")).to_be_visible()

        rows = [
            ("from the address to all facts", _seconds(open_panel)),
            ("six letters typed, until their one fact is there", _seconds(find)),
            ("back to all facts", _seconds(clear)),
        ]
        panel.rows.first.get_by_role("checkbox").focus()
        rows += [("End, until the last fact is there", _seconds(go_to_end))]
        rows += [("sorted by another column", _seconds(sort))]
        rows += [("rows in the page", str(panel.rows.count()))]
    return rows


def _seconds(act: Callable[[], None]) -> str:
    found = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        act()
        found.append(time.perf_counter() - start)
    return f"{median(found):.2f} s"


if __name__ == "__main__":
    sys.exit(main())

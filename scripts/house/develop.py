"""The command behind scripts/develop."""

import argparse
from pathlib import Path
import sys

from .errors import HouseError
from .folder import LIGHT, REPOSITORY, link
from .house import OWNER, House
from .process import LOG_FILE, RESTART
from .signals import INTERRUPTED, until_ended

FOLDER = REPOSITORY / ".develop"
PORT = 8123


def main() -> int:
    """Keep a house running until somebody ends it."""
    parser = argparse.ArgumentParser(
        prog="scripts/develop",
        description="Run Home Assistant with CAESAR on this machine, until Ctrl-C.",
    )
    parser.add_argument("--port", type=int, default=PORT)
    options = parser.parse_args()
    code = until_ended(_develop(FOLDER, options.port))
    print("\nHome Assistant has stopped")
    return 0 if code == INTERRUPTED else code


async def _develop(folder: Path, port: int) -> int:
    house = House(folder, port=port, install=link, configuration_extra=LIGHT)
    print("Starting Home Assistant", flush=True)
    try:
        async with house:
            if await house.start():
                await house.add_caesar("builtin", {})
            print(_welcome(house), flush=True)
            while await house.process.wait() == RESTART:
                await house.start()
        print("Home Assistant ended by itself", file=sys.stderr)
    except HouseError as error:
        print(f"FAILED: {error}\n{house.process.trouble()}", file=sys.stderr)
    return 1


def _welcome(house: House) -> str:
    return f"""\
  address    {house.address}
  user name  {OWNER.username}
  password   {OWNER.password}
  data       {house.folder.name}/ in this repository; delete it to begin anew
  log        {house.folder.name}/{LOG_FILE}
Without voice: talk under Developer tools, Actions, with conversation.process and the
agent conversation.caesar. Ctrl-C stops it."""


if __name__ == "__main__":
    sys.exit(main())

"""The hass process itself: start, stop, kill, and what it logged."""

import asyncio
from asyncio.subprocess import STDOUT, Process
import os
from pathlib import Path
import re
import signal

from .errors import HouseError
from .folder import REPOSITORY

LOG_FILE = "hass.log"
_HASS = REPOSITORY / ".venv" / "bin" / "hass"
_STOP_SECONDS = 60
_TAIL = 12
_RECORD_START = re.compile(r"^(?=\d{4}-\d\d-\d\d [\d:.]+ [A-Z]+ \()", re.MULTILINE)
_NAMES_CAESAR = re.compile(r"caesar", re.IGNORECASE)
_NOT_TESTED = "custom integration caesar which has not been tested by Home Assistant"
RESTART = 100
"""The exit code of a hass that somebody told to restart."""


class HassProcess:
    """One hass process after another over the same configuration folder."""

    def __init__(self, folder: Path, *, modules: Path | None = None) -> None:
        self.log_path = folder / LOG_FILE
        self._folder = folder
        self._modules = modules
        self._process: Process | None = None

    @property
    def is_running(self) -> bool:
        """Return whether there is a process that has not ended."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start hass; its output goes to the log file, which the first start begins.

        It gets its own session, so that Ctrl-C in a terminal reaches us alone and we
        stop it in our own order.
        """
        # Without byte code every start takes twice as long, and with this repository on
        # the path hass would load the integration from there and not from its folder.
        environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH")
        }
        if self._modules:
            environment["PYTHONPATH"] = str(self._modules)
        # What it prints is its log. Never name the null device as its log file instead:
        # hass rotates the file that it is given, and root may rename a device.
        environment["HA_DISABLE_LOG_FILE"] = "true"
        with self.log_path.open("ab" if self._process else "wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                _HASS,
                "--config",
                self._folder,
                "--skip-pip",
                "--log-no-color",
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=STDOUT,
                env=environment,
                start_new_session=True,
            )

    async def wait(self) -> int:
        """Return the exit code of hass once it has ended by itself."""
        return await self._process.wait() if self._process else 0

    async def stop(self) -> int:
        """Ask hass to end and return its exit code.

        Raises HouseError where it does not end within a minute; it is killed then, as
        it is where somebody cannot wait so long.
        """
        self._signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                return await self.wait()
        except TimeoutError as error:
            raise HouseError("hass did not stop when asked to") from error
        finally:
            self._signal(signal.SIGKILL)

    async def kill(self) -> None:
        """End hass as a power cut would."""
        self._signal(signal.SIGKILL)
        await self.wait()

    def log(self) -> str:
        """Return all that hass has logged since the first start."""
        if not self._process:
            return ""
        return self.log_path.read_text(errors="replace")

    def complaints(self) -> list[str]:
        """Return the log's warnings and errors that name CAESAR, tracebacks included.

        Home Assistant's warning that it has not tested a custom integration, which is
        given to each, is left out.
        """
        records = _RECORD_START.split(self.log())
        return [
            record.strip()
            for record in records
            if _NAMES_CAESAR.search(record) and _NOT_TESTED not in record
        ]

    def trouble(self) -> str:
        """Return what explains a failure best: complaints, else the log's last lines.

        Tracebacks of other integrations are left out.
        """
        complaints = self.complaints()
        if complaints:
            return "\n".join(complaints)
        records = _RECORD_START.split(self.log())
        return "\n".join(record.partition("\n")[0] for record in records[-_TAIL:])

    def _signal(self, number: int) -> None:
        if self._process and self.is_running:
            self._process.send_signal(number)

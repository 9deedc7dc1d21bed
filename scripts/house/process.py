"""The hass process itself: start, stop, kill, and what it logged."""

import asyncio
from asyncio.subprocess import STDOUT, Process
import os
from pathlib import Path
import signal

from .errors import HouseError
from .folder import REPOSITORY

LOG_FILE = "hass.log"
_HASS = REPOSITORY / ".venv" / "bin" / "hass"
_STOP_SECONDS = 60


class HassProcess:
    """One hass process after another over the same configuration folder."""

    def __init__(self, folder: Path) -> None:
        self.log_path = folder / LOG_FILE
        self._folder = folder
        self._process: Process | None = None

    @property
    def is_running(self) -> bool:
        """Return whether there is a process that has not ended."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start hass; its output is added to the log file.

        It gets its own session, so that Ctrl-C in a terminal reaches us alone and we
        stop it in our own order.
        """
        # Without byte code every start takes twice as long.
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
        with self.log_path.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                _HASS,
                "--config",
                self._folder,
                "--skip-pip",
                "--log-no-color",
                "--log-file",
                os.devnull,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=STDOUT,
                env=environment,
                start_new_session=True,
            )

    async def stop(self) -> int:
        """Ask hass to end and return its exit code.

        Raises HouseError where it does not end within a minute; it is killed then.
        """
        if not self._process:
            return 0
        self._signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                return await self._process.wait()
        except TimeoutError as error:
            await self.kill()
            raise HouseError("hass did not stop when asked to") from error

    async def kill(self) -> None:
        """End hass as a power cut would."""
        if self._process:
            self._signal(signal.SIGKILL)
            await self._process.wait()

    def log(self) -> str:
        """Return all that hass has logged in this folder."""
        if not self.log_path.exists():
            return ""
        return self.log_path.read_text(errors="replace")

    def log_tail(self, lines: int = 25) -> str:
        """Return the last lines of the log."""
        return "\n".join(self.log().splitlines()[-lines:])

    def _signal(self, number: int) -> None:
        if self._process and self.is_running:
            self._process.send_signal(number)

"""The Legion: named jobs that run in the background, each kept apart from the others.

Every job has an interval and runs at most once at a time; a failure is noted and the
job runs again when its time comes.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
import logging
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.event import (
    async_call_later,
    async_track_time_change,
    async_track_time_interval,
)
from homeassistant.helpers.start import async_at_started
from homeassistant.util import dt as dt_util

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """Something to do again and again."""

    name: str
    interval: timedelta
    run: Callable[[], Awaitable[object]]
    at: time | None = None
    """The time of day at which a daily job runs; None for whenever it is due."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunReport:
    """How a job's last run went."""

    at: datetime
    outcome: object | None
    """What the job returned, or None where it failed."""
    error: str | None = None
    """The kind of error; never its text, which might repeat what people said."""


class Legion:
    """Runs the jobs of one config entry for as long as that is loaded."""

    def __init__(
        self, hass: HomeAssistant, entry: ConfigEntry[Any], *jobs: Job
    ) -> None:
        self._hass = hass
        self._entry = entry
        self._jobs = {job.name: job for job in jobs}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._wanted_again: set[str] = set()
        self._wakers: dict[str, CALLBACK_TYPE] = {}
        self._stopped = False
        self._listeners: list[Callable[[], None]] = []
        self.started: dict[str, datetime] = {}
        """When each job began that runs now."""
        self.reports: dict[str, RunReport] = {}

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Return all jobs."""
        return tuple(self._jobs.values())

    @callback
    def async_on_change(self, listener: Callable[[], None]) -> CALLBACK_TYPE:
        """Call the listener when a job begins or ends; return how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    @callback
    def async_start(self) -> None:
        """Begin once Home Assistant has started, so that starting is not slowed."""
        self._entry.async_on_unload(async_at_started(self._hass, self._schedule))

    async def async_stop(self) -> None:
        """Begin nothing more and end what runs."""
        self._stopped = True
        while self._wakers:
            self._wakers.popitem()[1]()
        running = tuple(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    @callback
    def async_wake(self, name: str, delay: float) -> None:
        """Run a job in so many seconds, unless it will run sooner anyway."""
        if self._stopped or name in self._wakers:
            return

        @callback
        def due(_: datetime) -> None:
            del self._wakers[name]
            if name in self._running:
                # What woke the job may have come too late for the present run.
                self._wanted_again.add(name)
            self._begin(name)

        self._wakers[name] = async_call_later(self._hass, delay, due)

    @callback
    def _schedule(self, _: HomeAssistant) -> None:
        for job in self._jobs.values():
            self._track(job)
            self._begin(job.name)

    def _track(self, job: Job) -> None:
        @callback
        def tick(_: datetime) -> None:
            self._begin(job.name)

        self._entry.async_on_unload(
            async_track_time_interval(
                self._hass, tick, job.interval, name=f"CAESAR {job.name}"
            )
            if job.at is None
            else async_track_time_change(
                self._hass, tick, job.at.hour, job.at.minute, job.at.second
            )
        )

    def _begin(self, name: str) -> None:
        if self._stopped or name in self._running:
            return
        self._running[name] = self._entry.async_create_background_task(
            self._hass, self._run(self._jobs[name]), f"CAESAR {name}", eager_start=False
        )

    @callback
    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    async def _run(self, job: Job) -> None:
        self.started[job.name] = dt_util.utcnow()
        self._tell()
        try:
            outcome = await job.run()
        except Exception as err:  # noqa: BLE001  one job must not stop the others
            kind = type(err).__name__
            _LOGGER.error("The job %s failed: %s", job.name, kind)  # noqa: TRY400
            self.reports[job.name] = RunReport(
                at=dt_util.utcnow(), outcome=None, error=kind
            )
        else:
            self.reports[job.name] = RunReport(at=dt_util.utcnow(), outcome=outcome)
        finally:
            del self._running[job.name]
            del self.started[job.name]
            self._tell()
        if job.name in self._wanted_again:
            self._wanted_again.discard(job.name)
            self._begin(job.name)

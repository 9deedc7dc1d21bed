"""A pytest plugin to which a test that did not run, or may fail, is a failure."""

import pytest

_UNTOLD = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_UNTOLD] = []
    config.pluginmanager.register(_Collector(config.stash[_UNTOLD]))


class _Collector:
    """Notes what was skipped, in whole files and in single tests."""

    def __init__(self, untold: list[str]) -> None:
        self._untold = untold

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._untold.append(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped or hasattr(report, "wasxfail"):
            self._untold.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.stash[_UNTOLD] and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for name in config.stash[_UNTOLD]:
        terminalreporter.write_line(f"SKIPPED, which is a failure here: {name}")

"""Tests of whole processes talk to them over HTTP, so they need real sockets."""

import pytest


@pytest.fixture(autouse=True)
def _sockets(socket_enabled: None) -> None:
    """Undo the ban on sockets that the Home Assistant plugin brings."""

"""What every test needs."""

from pathlib import Path
import sys

import pytest

# The plugin's own custom_components package would otherwise be found first.
import custom_components.caesar  # noqa: F401

# What speech needs and has to be compiled. Behind everything else, so that a package
# that is really there is used.
sys.path.append(str(Path(__file__).parent / "stand_ins"))


@pytest.fixture
def hass_config_dir(hass_tmp_config_dir: str) -> str:
    """The default folder lies inside site-packages and is shared by all tests."""
    return hass_tmp_config_dir


@pytest.fixture(autouse=True)
def _custom_integrations(request: pytest.FixtureRequest) -> None:
    """Let Home Assistant find CAESAR, in the tests that have a Home Assistant."""
    if "hass" in request.fixturenames:
        request.getfixturevalue("enable_custom_integrations")

"""The configuration folder of a house: what a person would have in it, and no more."""

import json
from pathlib import Path
import shutil
import socket

REPOSITORY = Path(__file__).resolve().parents[2]
INTEGRATION = REPOSITORY / "custom_components" / "caesar"

CONFIGURATION = """\
conversation:
logger:
  default: warning
"""
ASSIST = """\
frontend:
assist_pipeline:
"""
STAND_INS = REPOSITORY / "tests" / "stand_ins"
"""Modules that speech imports and text never uses; with them Assist can be set up."""
LIGHT = """\
input_boolean:
  kitchen_lamp:
    name: Switch of the kitchen lamp
template:
  - light:
      - name: Kitchen lamp
        unique_id: kitchen_lamp
        state: "{{ is_state('input_boolean.kitchen_lamp', 'on') }}"
        turn_on:
          - action: input_boolean.turn_on
            target:
              entity_id: input_boolean.kitchen_lamp
        turn_off:
          - action: input_boolean.turn_off
            target:
              entity_id: input_boolean.kitchen_lamp
"""


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def is_taken(port: int) -> bool:
    """Return whether somebody listens on a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def prepare(folder: Path, *, extra: str = "") -> None:
    """Make a configuration folder ready for a first start; one in use stays as it is.

    ``extra`` is added to configuration.yaml.
    """
    storage = folder / ".storage"
    storage.mkdir(parents=True, exist_ok=True)
    configuration = folder / "configuration.yaml"
    if configuration.exists():
        return
    configuration.write_text(CONFIGURATION + extra)
    # The later steps of onboarding would set up integrations that reach for the
    # internet, which holds up a house that has none: only the user is left to create.
    _store(
        storage,
        "onboarding",
        version=4,
        minor_version=1,
        data={"done": ["core_config", "analytics", "integration"]},
    )


def install(folder: Path) -> None:
    """Copy the integration into a configuration folder, as a user would; once."""
    installed = folder / "custom_components" / INTEGRATION.name
    if not installed.exists():
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(INTEGRATION, installed, ignore=ignored)


def link(folder: Path) -> None:
    """Let a configuration folder use the integration as it is in this repository."""
    components = folder / "custom_components"
    components.mkdir(parents=True, exist_ok=True)
    linked = components / INTEGRATION.name
    linked.unlink(missing_ok=True)
    linked.symlink_to(INTEGRATION)


def set_port(folder: Path, port: int) -> None:
    """Let the house answer on a port of this machine alone.

    A port in configuration.yaml is only on trial: Home Assistant asks somebody to
    confirm it in the browser and goes back to the old one after five minutes.
    """
    _store(
        folder / ".storage",
        "http",
        version=2,
        minor_version=2,
        data={
            "yaml_migration_done": True,
            "pending": None,
            "stable": {
                "server_port": port,
                "server_host": ["127.0.0.1"],
                "cors_allowed_origins": [],
                "login_attempts_threshold": -1,
                "ip_ban_enabled": False,
                "ssl_profile": "modern",
                "use_x_frame_options": True,
                "created_at": "2026-01-01T00:00:00+00:00",
                "error": None,
                "error_message": None,
            },
        },
    )


def _store(
    storage: Path,
    key: str,
    *,
    version: int,
    minor_version: int,
    data: dict[str, object],
) -> None:
    (storage / key).write_text(
        json.dumps(
            {
                "version": version,
                "minor_version": minor_version,
                "key": key,
                "data": data,
            },
            indent=2,
        )
    )

"""Check that every Home Assistant can install what the integration asks for.

Home Assistant's own images are Alpine Linux on two architectures: each requirement must
resolve to ready-made musllinux wheels there, under Home Assistant's own constraints.
"""

import ast
from importlib.util import find_spec
import json
from pathlib import Path
import subprocess
import sys

INTEGRATION = Path(__file__).resolve().parents[2] / "custom_components" / "caesar"
SDK = INTEGRATION / "sdk.py"
RANGES = "_RANGES"
ARCHITECTURES = ("x86_64", "aarch64")


def main() -> int:
    """Print what each architecture would install and return 1 where it cannot."""
    manifest = manifest_requirements()
    on_demand = on_demand_requirements()
    print(f"manifest: {', '.join(manifest)}")
    print(f"on demand: {', '.join(on_demand)}")
    failed = 0
    for architecture in ARCHITECTURES:
        resolved = resolve([*manifest, *on_demand], architecture)
        print(f"musllinux {architecture}: {resolved.stdout.replace('\n', ' ')}")
        if resolved.returncode:
            print(resolved.stderr)
            failed = 1
    return failed


def manifest_requirements() -> list[str]:
    """Return what Home Assistant installs for every user."""
    manifest = json.loads((INTEGRATION / "manifest.json").read_text())
    requirements: list[str] = manifest["requirements"]
    return requirements


def on_demand_requirements() -> list[str]:
    """Return what is installed when a provider is picked: the ranges in sdk.py."""
    for node in ast.parse(SDK.read_text()).body:
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and node.target.id == RANGES
            and isinstance(node.value, ast.Dict)
        ):
            return [ast.literal_eval(value) for value in node.value.values]
    raise SystemExit(f"{SDK.name} has no {RANGES}")


def resolve(
    requirements: list[str], architecture: str
) -> subprocess.CompletedProcess[str]:
    """Resolve requirements to wheels as Home Assistant on Alpine Linux would."""
    return subprocess.run(  # noqa: S603 - our own words only
        (
            *("uv", "pip", "compile", "-", "--quiet", "--no-header"),
            *("--no-annotate", "--only-binary", ":all:"),
            *("--python-version", "3.14"),
            *("--python-platform", f"{architecture}-unknown-linux-musl"),
            *("--constraints", str(constraints())),
        ),
        input="\n".join(requirements),
        check=False,
        capture_output=True,
        text=True,
    )


def constraints() -> Path:
    """Return the file of versions that Home Assistant allows."""
    package = find_spec("homeassistant")
    if not package or not package.origin:
        raise SystemExit("Home Assistant is not installed: run scripts/setup")
    return Path(package.origin).with_name("package_constraints.txt")


if __name__ == "__main__":
    sys.exit(main())

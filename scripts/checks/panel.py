"""Check that the shipped panel is what its sources build to, and that it is small."""

import gzip
from pathlib import Path
import subprocess
import sys
import tempfile

REPOSITORY = Path(__file__).resolve().parents[2]
BUNDLE = "caesar-panel.js"
SHIPPED = REPOSITORY / "custom_components" / "caesar" / "frontend" / BUNDLE
MAX_BYTES = 30_000
"""Of the bundle as it goes over the network, compressed."""


def main() -> int:
    """Print what is wrong with the panel and return 1 where something is."""
    with tempfile.TemporaryDirectory() as folder:
        building = (REPOSITORY / "scripts" / "build", folder)
        if subprocess.run(building, check=False).returncode:  # noqa: S603
            return 1
        built = (Path(folder) / BUNDLE).read_bytes()
    faults = faults_of(SHIPPED.read_bytes(), built)
    for fault in faults:
        print(fault)
    return min(len(faults), 1)


def faults_of(shipped: bytes, built: bytes) -> list[str]:
    """Return what is wrong with a bundle, given what its sources build to."""
    faults = []
    if shipped != built:
        faults.append(f"{SHIPPED.relative_to(REPOSITORY)} is stale: run scripts/build")
    size = len(gzip.compress(built, 9))
    print(f"panel: {len(built)} bytes, {size} compressed, at most {MAX_BYTES}")
    if size > MAX_BYTES:
        faults.append(f"the panel has {size} bytes compressed, above {MAX_BYTES}")
    return faults


if __name__ == "__main__":
    sys.exit(main())

"""Check every file of the repository: length, and that data files can be read."""

import json
from pathlib import Path
import subprocess
import sys
import tomllib
from typing import override

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
MAX_LINES = 400


def main() -> int:
    """Print what is wrong and return how many files have a fault."""
    files = tracked_files()
    faults = [fault for path in files for fault in faults_of(path)]
    for fault in faults:
        print(fault)
    print(f"{len(files)} files, {len(faults)} faults")
    return min(len(faults), 1)


def tracked_files() -> list[Path]:
    """Return all files that git tracks or would add."""
    listing = subprocess.run(
        ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"),  # noqa: S607
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = (REPOSITORY / name for name in sorted(set(listing.split("\0"))) if name)
    return [path for path in paths if path.is_file()]


def faults_of(path: Path) -> list[str]:
    """Return what is wrong with one file, as lines that name it."""
    name = path.relative_to(REPOSITORY)
    content = path.read_bytes()
    faults: list[str] = []
    if is_code(path, content) and (lines := content.count(b"\n")) > MAX_LINES:
        faults.append(f"{name}: {lines} lines, at most {MAX_LINES} are allowed")
    try:
        read(path, content)
    except (ValueError, yaml.YAMLError) as error:
        faults.append(f"{name}: {' '.join(str(error).split())}")
    return faults


def is_code(path: Path, content: bytes) -> bool:
    """Return whether a file is written by hand to be run."""
    return path.suffix in (".py", ".pyi", ".ts") or content.startswith(b"#!")


def read(path: Path, content: bytes) -> object:
    """Read a data file; raises ValueError or YAMLError where that is not possible."""
    if path.suffix == ".json":
        return json.loads(content, object_pairs_hook=_without_duplicates)
    if path.suffix in (".yaml", ".yml"):
        return yaml.load(content, _StrictLoader)  # noqa: S506 - built on SafeLoader
    if path.suffix == ".toml":
        return tomllib.loads(content.decode())
    return None


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    merged = dict(pairs)
    if len(merged) != len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"given twice: {', '.join(twice)}")
    return merged


class _StrictLoader(yaml.SafeLoader):
    """A YAML loader to which a key given twice is an error."""

    @override
    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[object, object]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = [key for key in keys if keys.count(key) > 1]
        if twice:
            raise ValueError(f"line {node.start_mark.line + 1}: {twice[0]!r} twice")
        return super().construct_mapping(node, deep)


if __name__ == "__main__":
    sys.exit(main())

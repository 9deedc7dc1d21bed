"""Memory stands alone: it loads without Home Assistant and under any name."""

from pathlib import Path
import subprocess
import sys

FOLDER = Path(__file__).parents[2] / "custom_components" / "caesar"

LOAD_ALONE = """
import importlib, importlib.util, pkgutil, sys
sys.modules["homeassistant"] = None
spec = importlib.util.spec_from_file_location(
    "lonely", sys.argv[1] + "/__init__.py", submodule_search_locations=[sys.argv[1]]
)
package = importlib.util.module_from_spec(spec)
sys.modules["lonely"] = package
spec.loader.exec_module(package)
names = [
    module.name
    for module in pkgutil.walk_packages(package.__path__, "lonely.")
    if ".versions." not in module.name
]
for name in names:
    importlib.import_module(name)
foreign = ("homeassistant.", "custom_components")
assert not [name for name in sys.modules if name.startswith(foreign)]
print(len(names))
"""


def load_alone(folder: Path) -> int:
    done = subprocess.run(  # noqa: S603  our own words
        [sys.executable, "-c", LOAD_ALONE, str(folder)],
        check=True,
        capture_output=True,
        text=True,
        cwd="/",
    )
    return int(done.stdout)


def test_memory_loads_without_home_assistant():
    assert load_alone(FOLDER / "memory") > 15

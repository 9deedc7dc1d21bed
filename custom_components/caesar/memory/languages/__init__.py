"""The words of each language, as data: one YAML file per language, no code in any.

How a list is written: entries are whole words or phrases in lower case; a ``*`` at the
end takes any ending, a lone ``_`` stands for one to three words. Chinese and Japanese
entries match anywhere.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import yaml

type Document = Mapping[str, object]


@cache
def documents() -> Mapping[str, Document]:
    """Return each language's document by its code.

    Reads the files on the first call, so make that one off the event loop.
    """
    # The base loader takes "no" and "on" for the words they are.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    folder = Path(__file__).parent
    return {
        path.stem: yaml.load(path.read_text(encoding="utf-8"), loader)  # noqa: S506
        for path in sorted(folder.glob("*.yaml"))
    }

"""The part of Home Assistant's system prompt that changes from turn to turn.

Where no tool tells the time, Home Assistant writes it into the prompt to the second,
and a server could use nothing again of what it read before.
"""

import re

_NOW = re.compile(r"Current time is [\d:]+\. Today's date is [\d-]+\.")


def parted(prompt: str) -> tuple[str, str]:
    """Return what comes before the present time, and the rest."""
    now = _NOW.search(prompt)
    if now is None:
        return prompt, ""
    return prompt[: now.start()].rstrip(), prompt[now.start() :].strip()

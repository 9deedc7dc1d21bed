"""The command behind scripts/demo."""

import argparse
from pathlib import Path
import shutil
import sys
import tempfile

from .errors import HouseError
from .house import House
from .narrator import Narrator
from .signals import until_ended
from .story import Story, play, show_file

TEACH = "Hey CAESAR, by the way my dog's name is Beans."
ASK = {
    "builtin": ("What's my dog's name?", "Beans"),
    "ollama": ("What should I get Beans for his birthday?", "dog"),
}
PATIENCE = {"builtin": 15.0, "ollama": 300.0}


def main() -> int:
    """Play one story and return 0 only if the last reply holds the expected word."""
    parser = _parser()
    options = parser.parse_args()
    try:
        story = story_of(options)
    except ValueError as error:
        parser.error(str(error))
    return until_ended(_demo(story, keep=options.keep))


def story_of(options: argparse.Namespace) -> Story:
    """Return the story that the command line asks for.

    Raises ValueError where that makes no story.
    """
    if (options.ask is None) != (options.expect is None):
        raise ValueError("--ask and --expect belong together")
    if options.teach is not None and options.ask is None:
        raise ValueError("--teach needs --ask and --expect")
    answers: dict[str, object] = {}
    if options.provider == "ollama":
        if not options.url or not options.model:
            raise ValueError("--provider ollama needs --url and --model")
        answers = {"url": options.url, "model": options.model}
    ask, expect = ASK[options.provider]
    teach = TEACH if options.teach is None else options.teach
    return Story(
        teach=None if options.no_teach else teach,
        ask=options.ask or ask,
        expect=options.expect or expect,
        choice=options.provider,
        answers=answers,
        patience=PATIENCE[options.provider],
    )


async def _demo(story: Story, *, keep: bool) -> int:
    narrator = Narrator()
    folder = Path(tempfile.mkdtemp(prefix="house-demo-"))
    house = House(folder)
    try:
        async with house:
            reply = await play(story, house, narrator)
        show_file(house, narrator)
    except HouseError as error:
        narrator.line(f"\nFAILED: {error}\nFrom Home Assistant's log:")
        narrator.quote(house.process.trouble())
        return 1
    finally:
        if keep:
            narrator.line(f"The folder is kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    if not story.is_fulfilled_by(reply.text):
        narrator.line(f"FAILED: the reply does not hold {story.expect!r}")
        return 1
    narrator.line(
        f"PASSED in {narrator.total():.1f} s: the reply holds {story.expect!r}, "
        "which is not in the question"
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/demo",
        description="Tell a real Home Assistant something, restart it, and ask.",
        epilog=f"Without arguments: {TEACH!r}, {ASK['builtin'][0]!r}.",
    )
    parser.add_argument("--teach", metavar="TEXT", help="what is said on Monday")
    parser.add_argument(
        "--no-teach", action="store_true", help="say nothing on Monday: must fail"
    )
    parser.add_argument("--ask", metavar="TEXT", help="what is asked on Thursday")
    parser.add_argument(
        "--expect", metavar="WORD", help="what the reply must hold, unlike the question"
    )
    parser.add_argument("--provider", choices=sorted(ASK), default="builtin")
    parser.add_argument("--url", help="address of the Ollama server")
    parser.add_argument("--model", help="model of the Ollama server")
    parser.add_argument("--keep", action="store_true", help="keep the folder")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""Attacks every interface with input by chance, and tells how many cases ran and what was found.

    python scripts/fuzz.py --minutes 60          all targets, an hour in all
    python scripts/fuzz.py --cases 1000 --seed 7 --target cli
    python scripts/fuzz.py --atheris presets     guided by coverage, where atheris is installed (the extra `fuzz`)

Exits 1 when a case raised anything but an error of Toldonce, or took more than two seconds of processor time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.fuzz.runner import Findings, run
from tests.fuzz.targets import TARGETS
from toldonce.errors import ToldonceError


def main() -> int:
    """Run what the arguments say."""
    args = _arguments()
    chosen = [target for target in TARGETS if args.target in (None, target.name)]
    if args.atheris:
        return _guided(args.atheris, seed=args.seed)
    cases = args.cases // len(chosen) if args.cases else sys.maxsize
    seconds = args.minutes * 60 / len(chosen) if args.minutes else None
    found = []
    for target in chosen:
        found.append(run(target, seed=args.seed, cases=cases, seconds=seconds))
        _tell(found[-1])
    problems = sum(len(one.problems) for one in found)
    print(f"{sum(one.cases for one in found)} cases, {problems} problems, seed {args.seed}")
    return 1 if problems else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, help="how long in all, shared by the targets")
    parser.add_argument("--cases", type=int, help="how many cases in all, shared by the targets")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", choices=[target.name for target in TARGETS])
    parser.add_argument("--atheris", choices=[target.name for target in TARGETS], metavar="TARGET")
    args = parser.parse_args()
    if not args.minutes and not args.cases and not args.atheris:
        parser.error("say how long with --minutes or how many with --cases")
    return args


def _tell(found: Findings) -> None:
    refused = ", ".join(f"{count} {name}" for name, count in found.refused.most_common(4))
    print(
        f"{found.target}: {found.cases} cases, {len(found.problems)} problems; refused: {refused or 'none'}", flush=True
    )
    for problem in found.problems:
        print(problem, file=sys.stderr)


def _guided(name: str, *, seed: int) -> int:
    """Let atheris choose the seeds of cases by what they reach; it runs until it is stopped."""
    try:
        import atheris
    except ImportError:
        print("atheris is not installed: pip install '.[fuzz]'", file=sys.stderr)
        return 2
    target = next(one for one in TARGETS if one.name == name)(Path(tempfile.mkdtemp(prefix="fuzz")))
    target.set_up(Random(seed))

    def case(data: bytes) -> None:
        try:
            target.case(Random(data))
        except ToldonceError:
            return

    atheris.instrument_all()
    atheris.Setup(sys.argv[:1], case)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())

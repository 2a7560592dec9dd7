"""Kills eight processes of all roles on one memory, round after round, and tells what was acknowledged and lost.

    python scripts/kill_rounds.py --rounds 60 --seed 7

Exits 1 when a write was lost or doubled, a backup is not sound, or a process failed by itself.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.faults.kill_rounds import Rounds


def main() -> int:
    """Run what the arguments say; the memory of a failed run is kept to be looked at."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="toldonce-kill-"))
    rounds = Rounds(folder, seed=args.seed)
    try:
        for _ in range(args.rounds):
            rounds.run_round()
    except AssertionError:
        traceback.print_exc()
        print(f"{rounds.figures.describe()}; seed {args.seed}; the memory is kept in {folder}")
        return 1
    print(f"{rounds.figures.describe()}; seed {args.seed}")
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())

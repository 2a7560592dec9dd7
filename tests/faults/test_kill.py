"""Eight processes of all roles are killed at random: nothing acknowledged is lost, nothing is there twice."""

from __future__ import annotations

from pathlib import Path

from tests.faults.kill_rounds import Rounds

ROUNDS = 10


def test_nothing_acknowledged_is_lost_or_doubled_when_processes_of_all_roles_are_killed(tmp_path: Path) -> None:
    rounds = Rounds(tmp_path, seed=20260302)
    for _ in range(ROUNDS):
        rounds.run_round()
    figures = rounds.figures
    assert (figures.lost, figures.doubled) == (0, 0)
    assert figures.killed > 5 * ROUNDS and figures.acknowledged > 10 * ROUNDS and figures.backups > ROUNDS

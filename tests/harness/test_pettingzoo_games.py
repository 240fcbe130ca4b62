"""Games of connect_four_v3 in PettingZoo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pettingzoo import make

from connect4_agent.harnesses.pettingzoo import Policy

GAME = "classic/connect_four-v3"


def random_policy(environment: Any, seed: int) -> Callable[[Any, Any], int]:
    """PettingZoo's own way to play at random: a sample of the action space under the mask."""
    spaces = {name: environment.action_space(name) for name in environment.possible_agents}
    for space in spaces.values():
        space.seed(seed)
    return lambda _, mask: int(next(iter(spaces.values())).sample(mask))


def played(policies: Mapping[str, Callable[[Any, Any], int]], environment: Any) -> dict[str, float]:
    """The rewards of a game."""
    environment.reset(seed=0)
    rewards: dict[str, float] = dict.fromkeys(policies, 0.0)
    for name in environment.agent_iter():
        observation, _, terminated, truncated, _ = environment.last()
        if terminated or truncated:
            environment.step(None)
            continue
        action = policies[name](observation["observation"], observation["action_mask"])
        assert observation["action_mask"][action]
        environment.step(action)
        for agent, reward in environment.rewards.items():
            rewards[agent] += reward
    return rewards


@pytest.mark.parametrize("side", ["player_0", "player_1"])
@pytest.mark.parametrize("seed", range(3))
def test_the_policy_beats_random_actions_from_either_side(side: str, seed: int) -> None:
    environment = make("aec", GAME)
    environment.reset(seed=seed)
    opponent = random_policy(environment, seed)
    policies = {name: Policy("hard") if name == side else opponent for name in ("player_0", "player_1")}
    rewards = played(policies, environment)
    assert rewards[side] == 1


def test_a_game_between_two_policies_is_won_by_whoever_begins() -> None:
    rewards = played({"player_0": Policy("perfect"), "player_1": Policy("perfect")}, make("aec", GAME))
    assert rewards == {"player_0": 1, "player_1": -1}

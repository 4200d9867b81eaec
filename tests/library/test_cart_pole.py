import gymnasium
import numpy as np

from learnability.reinforcement.cart_pole import CartPole


def lengths_of(policy, episodes=20):
    """Steps that a pole stays up whose agent acts by its observation and the one before."""
    lengths = []
    for seed in range(episodes):
        pole = CartPole()
        before = observation = pole.begin(seed)
        over, length = False, 0
        while not over:
            (after, reward, over), length = pole.act(policy(observation, before)), length + 1
            assert reward == 0.01
            before, observation = observation, after
        lengths.append(length)
    return lengths


def test_an_agent_sees_position_and_angle_of_the_same_pole() -> None:
    pole, whole = CartPole(), gymnasium.make("CartPole-v1").unwrapped
    observation, state = pole.begin(3), whole.reset(seed=3)[0]
    for action in (0, 1, 1, 0, 1, 0, 0):
        assert np.array_equal(observation, state[[0, 2]])
        observation, _, over = pole.act(action)
        state, _, fallen, _, _ = whole.step(action)
        assert over == fallen
    assert observation.shape == (pole.observation_size,) and observation.dtype == np.float32


def test_an_episode_follows_from_its_seed_and_ends_at_the_limit() -> None:
    def stays_up(observation, before):
        return int(observation[1] + 20 * (observation[1] - before[1]) > 0)

    assert lengths_of(stays_up) == lengths_of(stays_up)
    assert max(lengths_of(stays_up)) == 200
    pole = CartPole(limit=3)
    pole.begin(0)
    assert [pole.act(place % 2).ended for place in range(3)] == [False, False, True]


def test_without_velocities_the_last_observation_is_not_enough() -> None:
    def by_angle(observation, before):
        return int(observation[1] > 0)

    def by_velocity(observation, before):
        return int(observation[1] + 20 * (observation[1] - before[1]) > 0)

    assert np.median(lengths_of(by_angle)) < 60 < np.median(lengths_of(by_velocity))

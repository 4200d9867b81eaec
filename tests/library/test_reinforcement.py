import os
import signal
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch

from learnability.core.errors import InputError
from learnability.core.streams import numpy_generator
from learnability.networks.network import hidden_units
from learnability.reinforcement import training
from learnability.reinforcement.agent import Agent
from learnability.reinforcement.environments import Begun, Environment, Environments, Outcome, episode_seed
from learnability.reinforcement.ppo import advantages, loss, replayed
from learnability.reinforcement.rollouts import action_generator, collect, play
from learnability.reinforcement.settings import PPOSettings
from learnability.reinforcement.training import train_agent
from learnability.training.termination import Terminated

ADAM = {"method": "adam", "learning_rate": 0.02}
ROLLOUTS = 20
LAYERS = ("hidden", "output")
SMALL = PPOSettings(environments=16, steps=8, truncation=4)
CELLS = {
    "rnn": {"cell": "rnn"},
    "lstm": {"cell": "lstm", "gate_init": 0.5},
    "mem_rnn": {"cell": "mem_rnn"},
    "mem_lstm": {"cell": "mem_lstm", "gate_init": 0.5, "mix": "mean"},
    "mem_before": {"cell": "mem_rnn", "attends_to_current": False, "readout_from": "s"},
    "rel_lstm": {"cell": "rel_lstm", "gate_init": 0.5, "short_term": 2, "relevant": 1},
    "rel_before": {"cell": "rel_rnn", "short_term": 1, "relevant": 2, "attends_to_current": False},
}


class Recall(Environment):
    """Task of two cues: a cue, nothing for one to three steps, and then the cue is to be named: 1 if it is right."""

    observation_size, actions = 3, 2

    def begin(self, seed):
        generator = np.random.default_rng(seed)
        self.cue, self.left = int(generator.integers(2)), int(generator.integers(1, 4))
        return np.eye(3, dtype=np.float32)[self.cue]

    def act(self, action):
        self.left -= 1
        over = self.left < 0
        return Outcome(np.eye(3, dtype=np.float32)[2], float(over and action == self.cue), over)

    def __repr__(self):
        return "Recall()"


def recalls(count=SMALL.environments):
    return [Recall() for _ in range(count)]


def collect_last(architecture, steps=12, rollouts=1, count=5):
    """The last of some rollouts one behind the other, in double precision, with parameters that are not initial."""
    agent = Agent.build(CELLS[architecture], Recall(), 6)
    generator = torch.Generator().manual_seed(1)
    parameters = {
        name: tensor + 0.3 * torch.randn(tensor.shape, generator=generator, dtype=torch.float64)
        for name, tensor in agent.network.initial_parameters(1, 0).items()
    }
    environments = Environments(recalls(count), 1, 0)
    state, begins = agent.cell.initial_state(environments.observations), torch.ones(count, dtype=torch.bool)
    for rollout in range(rollouts):
        batch, behind = collect(agent, parameters, environments, state, begins, steps, action_generator(1, 0, rollout))
        state, begins = behind.state, behind.begins
    return agent, parameters, batch, behind


def test_advantages_are_a_literal_double_sum() -> None:
    generator = torch.Generator().manual_seed(0)
    rewards, values = torch.randn(2, 9, 3, generator=generator, dtype=torch.float64)
    behind = torch.randn(3, generator=generator, dtype=torch.float64)
    ends = torch.rand(9, 3, generator=generator) < 0.3
    result = advantages(rewards, values, ends, behind, 0.9, 0.7)
    for place in range(3):
        follows = [*values[1:, place].tolist(), behind[place].item()]
        for t in range(9):
            total = 0.0
            for later in range(t, 9):
                goes_on = not ends[later, place]
                error = rewards[later, place] + 0.9 * follows[later] * goes_on - values[later, place]
                total += (0.9 * 0.7) ** (later - t) * error
                if not goes_on:
                    break
            assert result[t, place] == pytest.approx(float(total))


@pytest.mark.parametrize("architecture", CELLS)
def test_replaying_a_rollout_gives_what_was_collected(architecture: str) -> None:
    agent, parameters, rollout, _ = collect_last(architecture, rollouts=2)
    for part in [rollout, *rollout.segments(5)]:
        log_probabilities, entropies, values = replayed(agent, parameters, part)
        torch.testing.assert_close(log_probabilities, part.log_probabilities, rtol=0, atol=1e-13)
        torch.testing.assert_close(values, part.values, rtol=0, atol=1e-13)
        assert bool((entropies > 0).all())
    assert [len(part.rewards) for part in rollout.segments(5)] == [5, 5, 2]


@pytest.mark.parametrize("architecture", CELLS)
def test_episodes_within_a_rollout_are_separate_sequences(architecture: str) -> None:
    """Values and gradients beside those of each episode alone, by the cell as it is."""
    agent, parameters, rollout, behind = collect_last(architecture, steps=24)
    leaves = {name: tensor.clone().requires_grad_() for name, tensor in parameters.items()}
    values = replayed(agent, leaves, rollout)[2]
    gradients = torch.autograd.grad(values.square().sum(), list(leaves.values()))
    alone, episodes = [], 0
    for place in range(5):
        starts = [*rollout.begins[:, place].nonzero()[:, 0].tolist(), len(values)]
        parts = []
        for start, end in pairwise(starts):
            inputs = rollout.observations[start:end, place][None]
            outputs = agent.network.read_out(leaves, hidden_units(agent.network.cell, leaves, inputs))
            parts.append(outputs[0, :, -1])
            episodes += 1
        alone.append(torch.cat(parts))
    expected = torch.stack(alone, 1)
    assert episodes > 25
    torch.testing.assert_close(values, expected, rtol=0, atol=1e-12)
    torch.testing.assert_close(gradients, torch.autograd.grad(expected.square().sum(), list(leaves.values())))
    assert torch.equal(rollout.begins[1:], rollout.ended[:-1]) and torch.equal(behind.begins, rollout.ended[-1])


def test_a_memory_drops_what_no_episode_has_any_more() -> None:
    _, _, _, behind = collect_last("mem_lstm", steps=300)
    memory_size = sum(block.shape[1] for block in behind.state.memory.blocks.keys)
    assert memory_size < 150


@pytest.mark.parametrize("segments", [[0], [2, 0]])
@pytest.mark.parametrize("standardize", [False, True])
def test_the_loss_is_that_of_single_steps(standardize, segments) -> None:
    agent, parameters, rollout, behind = collect_last("lstm")
    advantage = advantages(rollout.rewards, rollout.values, rollout.ended, behind.values, 0.99, 0.95)
    new_parameters = {name: tensor * 1.3 for name, tensor in parameters.items()}
    settings = PPOSettings(clip=0.02, entropy=0.05, value=0.7, standardize=standardize)
    whole = list(zip(rollout.segments(5), advantage.split(5), strict=True))
    batch = [whole[place] for place in segments]
    result, _ = loss(agent, new_parameters, batch, settings)
    parts, gain_parts = zip(*batch, strict=True)
    again = zip(*(replayed(agent, new_parameters, part) for part in parts), strict=True)
    log_probabilities, entropies, values = (torch.cat(tensors).flatten().tolist() for tensors in again)
    old = [
        pair
        for part in parts
        for pair in zip(part.log_probabilities.flatten().tolist(), part.values.flatten().tolist(), strict=True)
    ]
    gains = torch.cat(gain_parts).flatten().numpy()
    weights = (gains - gains.mean()) / gains.std(ddof=1) if standardize else gains
    steps, clip_count = [], 0
    for (before, guess), gain, weight, now, entropy, value in zip(
        old, gains, weights, log_probabilities, entropies, values, strict=True
    ):
        ratio = np.exp(now - before)
        near, target = min(max(ratio, 0.98), 1.02), guess + gain
        clip_count += near != ratio
        near_value = guess + min(max(value - guess, -0.02), 0.02)
        error = max((value - target) ** 2, (near_value - target) ** 2)
        steps.append(0.7 * error - min(ratio * weight, near * weight) - 0.05 * entropy)
    assert clip_count > 5
    assert float(result) == pytest.approx(np.mean(steps))


def test_heads_are_layers_of_torch() -> None:
    """The cell is followed by a hidden layer that actor and critic share, and one of each."""
    agent = Agent.build(CELLS["lstm"], Recall(), 6, head_units=7)
    parameters = {name: tensor + 0.1 for name, tensor in agent.initial_parameters(1, 0).items()}
    x, begins = torch.eye(3, dtype=torch.float64), torch.ones(3, dtype=torch.bool)
    state = agent.cell.initial_state(x)
    step = agent.step(agent.network.cell.prepared(parameters), state, x, begins)
    relu, scores = torch.nn.functional.relu, {}
    body = relu(agent.network.cell.output(step.state) @ parameters["w"].T + parameters["b"])
    for name in ("actor", "critic"):
        layers = {layer: [parameters[f"{name}.{layer}.{kind}"] for kind in ("weight", "bias")] for layer in LAYERS}
        (first, first_bias), (last, last_bias) = layers["hidden"], layers["output"]
        scores[name] = relu(body @ first.T + first_bias) @ last.T + last_bias
    torch.testing.assert_close(step.log_policy, torch.nn.LogSoftmax(1)(scores["actor"]))
    torch.testing.assert_close(step.value, scores["critic"][:, 0])


def test_heads_begin_orthogonal() -> None:
    """Norms are those of published agents: √2 of hidden layers, 0.1 of scores, so that actions are about as likely."""
    parameters = Agent.build(CELLS["lstm"], Recall(), 6, head_units=6).initial_parameters(1, 0)
    norms = {"w": 2, "actor.hidden.weight": 2, "critic.hidden.weight": 2, "actor.output.weight": 0.01}
    for name, square in {**norms, "critic.output.weight": 1}.items():
        rows = parameters[name]
        torch.testing.assert_close(rows @ rows.T, square * torch.eye(len(rows), dtype=torch.float64))
    assert not any(parameters[name].any() for name in parameters if name.endswith("bias"))


@pytest.mark.parametrize(("architecture", "head_units"), [("lstm", 0), ("mem_rnn", 0), ("rel_lstm", 0), ("lstm", 16)])
def test_a_cue_is_remembered(architecture, head_units, tmp_path) -> None:
    agent = Agent.build(CELLS[architecture], Recall(), 12, head_units)
    parameters, curve = train_agent(agent, recalls(), ADAM, SMALL, ROLLOUTS * SMALL.frames, 1, 0, tmp_path / "run.pt")
    episodes = play(agent, parameters, recalls(100), 1, 0, "test")
    assert curve["return"].iloc[0] < 0.75
    assert np.mean([episode.total for episode in episodes]) > 0.95
    assert {episode.length for episode in episodes} == {2, 3, 4}
    assert (curve["frames"].diff().dropna() == SMALL.frames).all()


def test_an_agent_without_memory_guesses(tmp_path) -> None:
    """The task is one of memory: what starts over at each step cannot solve it."""

    class Forgetful(Agent):
        def step(self, parameters, state, observations, begins):
            return super().step(parameters, state, observations, torch.ones_like(begins))

    agent = Forgetful(Agent.build(CELLS["lstm"], Recall(), 12).network)
    final_parameters, _ = train_agent(agent, recalls(), ADAM, SMALL, ROLLOUTS * SMALL.frames, 1, 0, tmp_path / "run.pt")
    assert np.mean([episode.total for episode in play(agent, final_parameters, recalls(200), 1, 0, "test")]) < 0.65


def run(architecture, folder, progress=lambda row: None):
    head_units, settings = (5, replace(SMALL, decay=True, segments=2)) if architecture == "lstm" else (0, SMALL)
    agent = Agent.build(CELLS[architecture], Recall(), 6, head_units)
    return train_agent(agent, recalls(), ADAM, settings, 4 * SMALL.frames, 1, 0, folder / "run.pt", progress)


def equal_results(first, second):
    assert first[1].equals(second[1])
    return all(torch.equal(first[0][name], second[0][name]) for name in first[0])


def test_the_learning_rate_falls_to_nothing_behind_the_last_rollout() -> None:
    settings = replace(SMALL, decay=True)
    learner = training._Learner(Agent.build(CELLS["lstm"], Recall(), 6), recalls(), ADAM, settings, 4, 1, 0)
    rates = []
    for _ in range(4):
        learner.update(lambda: None)
        rates += [group["lr"] for group in learner.optimizer.param_groups]
    assert rates == pytest.approx([0.02, 0.015, 0.01, 0.005])


def test_a_run_whose_rate_falls_does_not_go_on_from_a_shorter_one(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", -1)
    monkeypatch.setattr("learnability.core.progress.SHARE", 0)

    def epochs_of(decay, rollouts, name):
        agent, settings, epochs = Agent.build(CELLS["lstm"], Recall(), 6), replace(SMALL, decay=decay), []
        hooks = (lambda row: epochs.append(row["epoch"]),)
        train_agent(agent, recalls(), ADAM, settings, rollouts * SMALL.frames, 1, 0, tmp_path / name, *hooks)
        return epochs

    assert [epochs_of(False, 2, "constant"), epochs_of(False, 4, "constant")] == [[1, 2], [3, 4]]
    assert [epochs_of(True, 2, "falling"), epochs_of(True, 4, "falling")] == [[1, 2], [1, 2, 3, 4]]


@pytest.mark.parametrize("architecture", ["lstm", "mem_lstm", "rel_lstm"])
def test_the_same_seed_gives_the_same_bits_also_after_a_stop(architecture, tmp_path, monkeypatch) -> None:
    whole_run = run(architecture, tmp_path / "a")
    assert equal_results(whole_run, run(architecture, tmp_path / "b"))

    def terminate(row):
        if row["epoch"] in (1, 2):
            os.kill(os.getpid(), signal.SIGTERM)

    for _ in range(2):
        with pytest.raises(Terminated, match="goes on"):
            run(architecture, tmp_path / "c", terminate)
    assert equal_results(whole_run, run(architecture, tmp_path / "c"))
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", -1)
    monkeypatch.setattr("learnability.core.progress.SHARE", 0)

    def die(row):
        if row["epoch"] == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(architecture, tmp_path / "d", die)
    epochs = []
    assert equal_results(whole_run, run(architecture, tmp_path / "d", lambda row: epochs.append(row["epoch"])))
    assert epochs == [3, 4]


def test_a_pass_has_each_segment_once(tmp_path, monkeypatch) -> None:
    passes = []

    def record_loss(agent, parameters, batch, settings):
        for part, advantage in batch:
            assert (part.rewards.storage_offset(), part.rewards.shape) == (advantage.storage_offset(), advantage.shape)
        passes.append([part.rewards.storage_offset() // settings.environments for part, _ in batch])
        return loss(agent, parameters, batch, settings)

    monkeypatch.setattr(training, "loss", record_loss)
    settings = replace(SMALL, steps=14, segments=3, epochs=2)
    agent = Agent.build(CELLS["lstm"], Recall(), 6)
    train_agent(agent, recalls(), ADAM, settings, settings.frames, 1, 0, tmp_path / "run.pt")
    assert [len(starts) for starts in passes] == [3, 1, 3, 1]
    assert sorted(passes[0] + passes[1]) == sorted(passes[2] + passes[3]) == [0, 4, 8, 12]


def test_environments_go_on_where_they_were() -> None:
    first, second = Environments(recalls(3), 1, 0, "x"), Environments(recalls(3), 1, 0, "x")
    actions = torch.from_numpy(numpy_generator(1, 0, "actions of a test").integers(2, size=(17, 3)))
    for choice in actions[:9]:
        first.act(choice)
    second.resume([Begun(entry.episode, list(entry.actions)) for entry in first.begun])
    assert any(entry.actions for entry in first.begun) and first.take_ended() and not second.take_ended()
    assert torch.equal(first.observations, second.observations)
    for choice in actions[9:]:
        assert all(map(torch.equal, first.act(choice), second.act(choice)))
    assert first.take_ended() == second.take_ended() != []


@pytest.mark.parametrize("architecture", ["lstm", "mem_lstm", "rel_lstm"])
def test_episodes_that_are_played_are_those_of_each_environment_alone(architecture) -> None:
    """A policy leaves nothing to chance here; states of environments that go on stay with their observations."""
    agent, parameters, *_ = collect_last(architecture)
    certain = {**parameters, "w": 1e6 * parameters["w"]}
    together = play(agent, certain, recalls(20), 1, 0, "x")
    for place, episode in enumerate(together):
        alone = Recall()
        observations, outcome = [alone.begin(episode_seed(1, 0, "x", place))], None
        while outcome is None or not outcome.ended:
            hidden = hidden_units(agent.network.cell, certain, torch.from_numpy(np.stack(observations)[None]).double())
            action = int(agent.network.read_out(certain, hidden)[0, -1, :-1].argmax())
            outcome = alone.act(action)
            observations.append(outcome.observation)
        assert (episode.total, episode.length) == (outcome.reward, len(observations) - 1)
    assert {episode.total for episode in together} == {0, 1}


@pytest.mark.parametrize(
    "settings", [{"cell": "sab", "gate_init": 0.5}, {"cell": "lstm", "gate_init": 0.5, "h_detach": 0.5}]
)
def test_a_cell_that_cannot_start_over_is_refused(settings) -> None:
    with pytest.raises(InputError, match=r"'cell' must be one whose sequences can begin one by one"):
        _ = Agent.build(settings, Recall(), 6).cell


@pytest.mark.parametrize(
    ("key", "value"),
    [("environments", 0), ("truncation", 0), ("segments", 0), ("discount", 1.1), ("clip", 0.0), ("entropy", -1.0)],
)
def test_settings_have_bounds(key, value) -> None:
    with pytest.raises(InputError, match=f"'{key}' must be"):
        PPOSettings(**{key: value})


def test_a_mini_batch_has_no_more_segments_than_a_rollout() -> None:
    with pytest.raises(InputError, match=r"'segments' must be at most the segments of a rollout \(3\). Got 4"):
        PPOSettings(steps=9, truncation=4, segments=4)
    PPOSettings(steps=9, truncation=4, segments=3)


def test_hidden_layers_have_any_width() -> None:
    narrow = Agent.build(CELLS["lstm"], Recall(), 6, head_units=1).initial_parameters(1, 0)
    assert narrow["actor.hidden.weight"].shape == (1, 1)
    with pytest.raises(InputError, match=r"'head_units' must be at least 0. Got -1"):
        Agent.build(CELLS["lstm"], Recall(), 6, head_units=-1)


@pytest.mark.parametrize(("steps", "truncation", "segments"), [(8, 1, 1), (9, 4, 1), (9, 4, 2), (8, 1, 7), (1, 1, 1)])
def test_one_step_has_no_standard_deviation(steps, truncation, segments) -> None:
    sizes = {"steps": steps, "truncation": truncation, "segments": segments}
    with pytest.raises(InputError, match=r"'standardize' must be off where a mini-batch is one step. Got True"):
        PPOSettings(environments=1, standardize=True, **sizes)
    PPOSettings(environments=2, standardize=True, **sizes)
    PPOSettings(environments=1, steps=8, truncation=1, segments=2, standardize=True)


def test_fewer_frames_than_a_rollout_has_are_refused(tmp_path) -> None:
    agent = Agent.build(CELLS["lstm"], Recall(), 6)
    with pytest.raises(InputError, match=r"'frames' must be at least the frames of a rollout \(128\). Got 127"):
        train_agent(agent, recalls(), ADAM, SMALL, 127, 1, 0, tmp_path / "run.pt")


class Noted(Recall):
    """An environment that notes its seed and its actions."""

    def __init__(self):
        self.notes = []

    def begin(self, seed):
        self.notes.append(("begin", seed))
        return super().begin(seed)

    def act(self, action):
        self.notes.append(("act", action))
        return super().act(action)


def test_what_is_played_follows_from_root_seed_seed_and_name() -> None:
    agent, parameters, *_ = collect_last("rnn")

    def notes(*names):
        environments = [Noted() for _ in range(30)]
        play(agent, parameters, environments, *names)
        assert [environment.notes[0][1] for environment in environments] == [
            episode_seed(*names, place) for place in range(30)
        ]
        return [environment.notes for environment in environments], [
            note for environment in environments for note in environment.notes[1:]
        ]

    first = notes(1, 0, "x")
    assert first == notes(1, 0, "x")
    for names in ((2, 0, "x"), (1, 3, "x"), (1, 0, "y")):
        episodes, actions = notes(*names)
        assert all(note[0] != other_note[0] for note, other_note in zip(first[0], episodes, strict=True))
        assert actions != first[1]


def test_actions_that_are_played_are_drawn_from_a_stream_of_their_own() -> None:
    """The policy has no preference here, so that actions are the stream's alone."""
    agent, parameters, *_ = collect_last("rnn")
    even = {**parameters, "w": torch.zeros_like(parameters["w"]), "b": torch.zeros_like(parameters["b"])}

    def firsts(seed):
        environments = [Noted() for _ in range(40)]
        play(agent, even, environments, 1, seed, "x")
        return [environment.notes[1][1] for environment in environments]

    assert firsts(0) == firsts(0) != firsts(1)
    assert len(set(firsts(0))) == 2

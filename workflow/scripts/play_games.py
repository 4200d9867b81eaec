"""Train an agent on a small grid, and let it play there and on a larger one; or train it to balance a pole."""

from pathlib import Path

from job import logged

from learnability.core.provenance import provenance
from learnability.core.store import write_json, write_table
from learnability.networks.weights import write_weights
from learnability.reinforcement.settings import PPOSettings
from learnability.reinforcement.training import Progress
from learnability.training import Checkpoint
from studies.attention.games.played import learn_and_play

with logged(snakemake):
    agent, output = snakemake.params.agent, snakemake.output
    settings, checkpoint = agent["settings"], Path(snakemake.params.checkpoint)
    ppo = PPOSettings(**settings["ppo"])
    names = {"trained_on": agent["game"], "architecture": agent["architecture"], "seed": agent["seed"]}
    parameters, curve, episodes = learn_and_play(
        environment=agent["game"],
        seed=agent["seed"],
        checkpoint=checkpoint,
        progress=Progress(settings["frames"] // ppo.frames),
        **settings | {"ppo": ppo},
    )
    write_weights(parameters, output.weights, settings | names)
    write_table(curve, output.game_curves, **names)
    write_table(episodes, output.episodes, **names)
    write_json(provenance() | agent, output.provenance)
    Checkpoint(checkpoint).remove()

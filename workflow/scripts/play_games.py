"""Train an agent on a small grid, and let it play there and on a larger one."""

from pathlib import Path

from job import logged
from learnability.core.store import write_table
from learnability.networks.weights import write_weights
from learnability.reinforcement.ppo import PPOSettings
from learnability.reinforcement.training import Progress
from learnability.training import Checkpoint
from studies.attention.games.played import learn_and_play

with logged(snakemake):
    params, output, wildcards = snakemake.params, snakemake.output, snakemake.wildcards
    ppo, checkpoint = PPOSettings(**params.ppo), Path(params.checkpoint)
    names = {"trained_on": wildcards.game, "architecture": wildcards.architecture, "seed": int(wildcards.seed)}
    parameters, curve, episodes = learn_and_play(
        environment=wildcards.game,
        ppo=ppo,
        seed=int(wildcards.seed),
        checkpoint=checkpoint,
        progress=Progress(params.settings["frames"] // ppo.frames),
        **params.settings,
    )
    write_weights(parameters, output.weights, {**params.settings, **names, "ppo": params.ppo})
    write_table(curve, output.game_curves, **names)
    write_table(episodes, output.episodes, **names)
    Checkpoint(checkpoint).remove()

# Agents in MiniGrid and on a pole, see `attention.games`.


wildcard_constraints:
    game="|".join(map(re.escape, [*ATTENTION["games"]["environments"], CART_POLE])),


PLAYED = {
    "weights": "weights.safetensors",
    "game_curves": "learning_curve.csv",
    "episodes": "episodes.csv",
    "provenance": "provenance.json",
}


rule play_games:
    output:
        **{kind: f"{RESULTS}/{AGENT}/{file}" for kind, file in PLAYED.items()},
    log:
        f"{LOGS}/play_{AGENT}.log",
    benchmark:
        f"{LOGS}/play_{AGENT}.benchmark.tsv"
    conda:
        "../../../envs/games.yaml"
    resources:
        mem_mb=asks(lambda wildcards: memory.for_agent(agent_of(wildcards)["settings"])),
        runtime=lambda wildcards, attempt: attempt * 360,
    params:
        agent=agent_of,
        # no output, for Snakemake deletes outputs of a failed job; other code does not go on from it
        checkpoint=lambda wildcards: checkpoint(AGENT, wildcards, library_of("play_games.py")(wildcards)),
        library=library_of("play_games.py"),
    message:
        "Play: {wildcards.architecture} on {wildcards.game}, seed {wildcards.seed}"
    script:
        "../../scripts/play_games.py"


# Tables of each agent, by what they are; none where no agent is trained.
OF_AGENTS = {
    kind: of_each(AGENTS, f"{TRAINED_IN}/{AGENT}/{PLAYED[kind]}") for kind in ("episodes", "game_curves") if AGENTS
}

# Agents in MiniGrid, see `attention.games`.


wildcard_constraints:
    game="|".join(map(re.escape, GAMES["environments"])),


rule play_games:
    output:
        weights=f"{AGENT}/weights.safetensors",
        game_curves=f"{AGENT}/learning_curve.csv",
        episodes=f"{AGENT}/episodes.csv",
    log:
        f"{LOGS}/play_games/{{game}}_{{architecture}}_seed_{{seed}}.log",
    benchmark:
        f"{LOGS}/play_games/{{game}}_{{architecture}}_seed_{{seed}}.benchmark.tsv"
    conda:
        "../../../envs/games.yaml"
    threads: 1
    resources:
        mem_mb=6000,
        runtime=lambda wildcards, attempt: attempt * 360,
    params:
        settings=lambda wildcards: agent_settings(wildcards.architecture),
        ppo=GAMES["ppo"],
        # no output, for Snakemake deletes outputs of a failed job; other code does not go on from it
        checkpoint=f"{RESULTS}/checkpoints/{{game}}_{{architecture}}_seed_{{seed}}.{library('play_games.py')}.pt",
        library=library("play_games.py"),
    message:
        "Play: {wildcards.architecture} on {wildcards.game}, seed {wildcards.seed}"
    script:
        "../../scripts/play_games.py"


# Tables of each agent, by what they are; none where no agent is trained.
OF_AGENTS = {kind: of_each(AGENTS, rules.play_games.output[kind]) for kind in ("episodes", "game_curves") if AGENTS}

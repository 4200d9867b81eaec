# Jobs that one script runs: JOBS, to which rule files add their own by the name of the rule. A job has
#   by             the module whose `make` gives what its files hold, see ../scripts/make.py
#   environment    of envs/
#   input, output  files by kind
#   params         arguments of `make`
#   message
# and where it needs them
#   of             its wildcards, which tell its log from others; with `{architecture}` the digest of its code has one cell
#   loaded         modules that it imports by name
#   of_tasks       true if the digest has the code of the configured tasks alone
#   memory         MB
#   resources, constraints of wildcards


for name, job in JOBS.items():

    rule:
        name:
            name
        input:
            **job.get("input", {}),
        output:
            **job["output"],
        log:
            f"{LOGS}/{Path(name, job.get('of', ''))}.log",
        benchmark:
            f"{LOGS}/{Path(name, job.get('of', ''))}.benchmark.tsv"
        wildcard_constraints:
            **job.get("constraints", {}),
        conda:
            f"../../envs/{job['environment']}.yaml"
        resources:
            **job.get("resources", {}),
            mem_mb=asks(job.get("memory", memory.PAGES)),
        params:
            **job.get("params", {}),
            by=job["by"],
            library=library_of_job(job),
        message:
            job["message"]
        script:
            "../scripts/make.py"

# Search for the setting that changes each headline most. One job, at the size SEARCHED, and no part of `all`: `snakemake searches`.

HEADLINES = f"studies.{STUDY}.headlines"
JOBS["search_settings"] = {
    "by": "studies.jobs.search_settings",
    "loaded": [HEADLINES],
    "environment": "networks",
    "output": {kind: f"{RESULTS}/tables/headline_sensitivity.{kind}" for kind in ("csv", "md")},
    "memory": MEMORY_OF_SEARCH,
    "params": {
        "study": STUDY,
        "settings": SEARCHED,
        "root_seed": config["root_seed"],
        "seed": config["seeds"][0],
    },
    "message": "Search: which setting changes each headline most",
}
SENSITIVITIES += JOBS["search_settings"]["output"].values()
OPTIONAL += SENSITIVITIES
TARGETS["searches"] = SENSITIVITIES

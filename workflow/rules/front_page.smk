# The picture of the front page, from stored tables of three studies: seconds, whatever the configuration.

STORED = Path(of_project("results", "reference"))
JOBS["front_page"] = {
    "by": "studies.front_page.drawn",
    "environment": "figures",
    "input": {
        "transport": str(STORED / "learnability_window" / "tables" / "transport_by_lag.csv"),
        "half_learned": str(STORED / "ground_truth" / "tables" / "half_learned.csv"),
        "transfer": str(STORED / "attention" / "tables" / "copy_transfer.csv"),
    },
    "output": {"picture": "results/front_page.png"},
    "message": "Front page: {output.picture}",
}

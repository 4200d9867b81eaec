# From what a study declares to files: of which networks its figures and tables are, and where they lie.

from functools import cache

BY_READING = ["rates", "windows", "sensitivity"]
# The scorecard links each claim to a figure or a table, for these groups beside the main one.
LINKED_BY_CLAIMS = {
    claim["artefact"].removeprefix("figures/")
    for file in CLAIMS
    for claim in load_yaml(Path(file).read_text("utf-8"))["claims"]
}
SUFFIXES_IN_SCORECARD = {
    SUFFIX[name]
    for name, members in GROUPS.items()
    if any(members[role] != architecture for role, architecture in GROUPS["main"].items())
}


def folder(group):
    return f"{RESULTS}/{{reading}}" if group in BY_READING else RESULTS


def readings_of(group):
    """The readings under which a group is shown; an empty name where it is of none."""
    return READINGS if group in BY_READING else [""]


def section(name, otherwise):
    kinds = {"appendix": "Appendices", "simulation": "Estimators", "overview": "Overview"}
    return kinds.get(name.partition("_")[0], otherwise)


def groups_of(figure):
    """Suffix → architectures, of the groups for which a figure is drawn."""
    if figure["groups"] is not None:
        return figure["groups"]
    return {
        SUFFIX[name]: list(dict.fromkeys(members.values()))
        for name, members in GROUPS.items()
        if has_runs(figure["optimizer"], members.values())
        and ("changes" not in figure["of"] or name in config["sensitivity"])
    }


def is_variant(name, figure, suffix):
    """True if a figure is drawn only on request: for another group, unless a claim links to it, or another optimizer."""
    if suffix in SUFFIXES_IN_SCORECARD:
        return name not in LINKED_BY_CLAIMS
    return figure["like"] != "" or (suffix != "" and suffix.removeprefix("_") not in ROLES)


def runs_behind(artefact):
    runs = runs_of(artefact["optimizer"]) if artefact["optimizer"] else ALL_RUNS
    runs = VARIED if {"changes", "crossed"} & set(artefact["of"]) else runs
    return [run for run in runs if artefact["members"] is None or Path(run).parts[0] in artefact["members"]]


@cache
def figures_of(group):
    """Figures of a group, one for each group of architectures: name, module, and file without ending."""
    return [
        {
            **{"name": f"{name}{suffix}", "module": figure["like"] or name, "architectures": architectures},
            **{key: figure[key] for key in ("question", "of", "optimizer", "members")},
            **{"roles": {name: ROLE_OF[name] for name in architectures if name in ROLE_OF}},
            **{"title": asked(figure["question"])},
            **{"target": figure["like"] or name, "file": f"{folder(group)}/figures/{name}{suffix}"},
            **{"is_variant": is_variant(name, figure, suffix)},
        }
        for name, figure in FIGURES[group].items()
        for suffix, architectures in groups_of(figure).items()
        if groups_of(figure) is NONE or runs_behind(figure | {"members": architectures})
    ]


def pick(artefacts, variants):
    """Figures or tables that are variants, or those that are not."""
    return [artefact for artefact in artefacts if artefact["is_variant"] == variants]


@cache
def tables_made(group):
    """Tables of a group: name, sources, and file without ending."""
    return [
        {
            **{key: table[key] for key in ("of", "optimizer", "members", "settings")},
            **{"name": name, "target": name, "file": f"{folder(group)}/tables/{name}", "is_variant": False},
        }
        for name, table in TABLES.get(group, {}).items()
        if table["when"] and runs_behind(table)
    ]


def sources(group, variants):
    """Files behind the figures and tables of a group, by stored kind; networks in the order of the configuration."""
    figures = [figure | {"members": figure["architectures"] or None} for figure in figures_of(group)]
    runs = {}
    for artefact in pick(figures + tables_made(group), variants):
        for kind in stored_kinds(artefact["of"].values()):
            runs.setdefault(kind, set()).update(runs_behind(artefact))
    return {
        kind: [OF_LAWS[kind]] if kind in OF_LAWS else tables_of(kind, [run for run in ALL_RUNS if run in folders])
        for kind, folders in runs.items()
    }


def in_report(figure, reading):
    """The picture of a figure, for Snakemake's report with what it says of it."""
    labels = {"of": figure["name"].replace("_", " "), "shows": "figure", "reading": reading}
    caption, category = caption_of(figure["module"]), section(figure["name"], "Figures")
    return report(f"{figure['file']}.png", caption=str(caption), category=category, labels=labels)


def outputs(group, variants):
    """Files that a job makes."""
    figures, tables = (pick(artefacts, variants) for artefacts in (figures_of(group), tables_made(group)))
    reading = "{reading}" if group in BY_READING else "any"
    return {
        "pdf": [f"{figure['file']}.pdf" for figure in figures],
        "png": [in_report(figure, reading) for figure in figures],
        **{kind: [f"{table['file']}.{kind}" for table in tables] for kind in ("csv", "md", "tex")},
    }


def without_files(artefact):
    return {key: value for key, value in artefact.items() if key not in ("target", "file", "is_variant")}


def shown_by(group, variants):
    """Module, environment and settings of a job that makes figures and tables."""
    figures, tables = (pick(artefacts, variants) for artefacts in (figures_of(group), tables_made(group)))
    readings = options_of(READINGS) if group == "overview" else {}
    return {
        "by": "studies.learnability_window.jobs.show",
        "loaded": sorted({module_of(figure["question"], f"figures.{figure['module']}") for figure in figures}),
        "environment": "figures",
        "params": {
            "figures": [without_files(figure) for figure in figures],
            "tables": [without_files(table) for table in tables],
            "style": config["figures"],
            "readings": of_reading if group in BY_READING else readings,
        },
    }


def options_of(readings):
    """Options of readings by which their rows and figures are known."""
    options_by_reading = {reading: config["readings"][reading] for reading in readings}
    return {
        reading: {**options["statistic"], "numerical_floor": options["noise"]["numerical_floor"]}
        for reading, options in options_by_reading.items()
    }


def of_reading(wildcards):
    return options_of([wildcards.reading])


def names_of(artefact):
    """Names by which a figure or table may be asked for, under every reading: its own, and that of its module."""
    name = re.sub(r"\W", "_", artefact["name"])  # a rule's name has no dot
    return [name] if artefact["is_variant"] else [name, artefact["target"]]


def files_of(condition):
    """Files of the figures and tables that meet a condition, under every reading."""
    return [
        f"{artefact['file']}.{ending}".format(reading=reading)
        for group in FIGURES
        for reading in readings_of(group)
        for kind, endings in ((figures_of, ["pdf", "png"]), (tables_made, ["csv", "md", "tex"]))
        for artefact in kind(group)
        for ending in endings
        if condition(artefact, kind is figures_of)
    ]


def is_appendix(artefact):
    return artefact["target"].startswith("appendix")


SECTIONS = ["Overview", "Figures", "Tables", "Appendices", "Estimators"]


def pages_of(group):
    """Entries of the index of a group, one for each reading where it is of readings."""
    entries = [
        (section(figure["name"], "Figures"), figure["module"], f"{figure['file']}.png", figure["name"])
        for figure in pick(figures_of(group), variants=False)
    ] + [
        (
            section(table["name"], "Figures" if table["name"] in FIGURES[group] else "Tables"),
            table["name"],
            f"{table['file']}.md",
            table["name"],
        )
        for table in tables_made(group)
    ]
    return [
        shown(heading, caption, file.format(reading=reading), reading, name.removeprefix(caption).strip("_"))
        for heading, caption, file, name in entries
        for reading in readings_of(group)
    ]


SHOWN = sorted(
    [
        *(page for group in FIGURES for page in pages_of(group)),
        shown("Appendices", "appendix_b", f"{THEORY}/appendix_b.md", data=f"{THEORY}/appendix_b.jacobians.csv"),
        *(shown("Estimators", name, f"{THEORY}/{name}.md") for name in ("recovery", "references")),
        shown("Estimators", "simulation_coverage", f"{THEORY}/simulation_coverage.md", data=f"{THEORY}/coverage.csv"),
    ],
    key=lambda page: (SECTIONS.index(page["section"]), page["name"] if page["section"] == "Appendices" else ""),
)

"""Make the files of a job by the module that its rule names.

`make` of the module takes the settings of the rule, and where there are any its `files` by kind and the `names` in its
wildcards. It gives or yields, by the name of each file, a table, a text, or a function that writes to a path.
"""

from collections.abc import Mapping
from importlib import import_module

from job import logged

import pandas as pd

from learnability.core.memory import keep_freed_memory
from learnability.core.store import write_table, write_text
from record import settings_of
from studies.files import file_of

with logged(snakemake):
    keep_freed_memory()
    settings = settings_of(snakemake)
    for name, values in {"files": snakemake.input, "names": snakemake.wildcards}.items():
        if values.keys():
            settings[name] = dict(values.items())
    contents = import_module(snakemake.params.by).make(**settings)
    for name, content in contents.items() if isinstance(contents, Mapping) else contents:
        file = file_of(snakemake.output, name)
        if isinstance(content, pd.DataFrame):
            write_table(content, file)
        elif isinstance(content, str):
            write_text(content, file)
        else:
            content(file)

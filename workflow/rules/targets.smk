# Names by which files are asked for: TARGETS, to which rule files add their own. These rules run nothing.


for target, files in TARGETS.items():

    rule:
        name:
            target
        input:
            files,

"""Measurement of a user's own recurrent model: `learnability.measure_model` and all that it needs.

`model` is the door: it takes a torch module (`module`) or a step that is a function (`step`), and `arguments` refuses
others. For a module `forms` finds how it is called for one step (`calls`) and which tensors its state has (`states`).
`data` and `targets` check what is to be measured, `trials` and `row_maps` try a user's functions, which run at a
`place` and are called by `functions`. `cell` and `network` make a network of them, with derivatives by torch or, for
torch's own modules, by `formulas`. `engine` runs it within the memory that is allowed, `tables` measures it. The result
is `measured`, with its views in `limits`, `figure` and `report`, in the words of `labels`.
"""

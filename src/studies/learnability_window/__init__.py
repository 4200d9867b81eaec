"""Does what a paper claims of learnability windows hold, and do its windows predict what networks learn?

The paper is L. Livi, [*Learnability Window in Gated Recurrent Neural Networks*][livi]. Three versions of its author's
public code were looked at: [d5efbd2][], whose rules are the reading `published_code`; its later scripts, [eb0510e][];
and its check of first order, [f43916c][]. docs/science.md says what of them is reproduced.

[livi]: https://arxiv.org/abs/2512.05790
[d5efbd2]: https://github.com/lorenzolivi/learnability/tree/d5efbd2dc88b4ddb42c4d8e261c82818df702a05
[eb0510e]: https://github.com/lorenzolivi/learnability/tree/eb0510e00ce4301112e9114bd83fcacd8e8eef0d
[f43916c]: https://github.com/lorenzolivi/learnability/tree/f43916cf4e9aedc0e46c602ac5438d46acdf3d79/diagnostics
"""

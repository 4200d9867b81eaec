// Reads [[formula, whether it stands alone], …] from stdin and writes each as HTML with MathML beside it.
import { readFileSync } from "node:fs";
import katex from "katex";

const typeset = ([formula, displayMode]) => katex.renderToString(formula, { displayMode, strict: "error" });
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(typeset)));

"""What exhibits show, one module each; `answer(tables, labels)` returns a finding."""

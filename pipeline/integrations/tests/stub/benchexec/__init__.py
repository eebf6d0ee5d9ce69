"""
What kerf's modules use of BenchExec 3.35, for machines without it. `make integrations` runs the same tests with the real one.
"""

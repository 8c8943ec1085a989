"""The words of the command line, one module each; what a verb needs is imported when it runs.

A verb turns its parsed arguments into an `Outcome`: the exit code, the lines to print and the data for
`--json`.  To add one, write its module and enter its `VERB` in `cli`.
"""

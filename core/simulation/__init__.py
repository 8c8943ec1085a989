"""Coverage and regret under attack: a declared grid of cells, many independent runs of each, exact tables.

`grid` declares, `instances` builds the world of one run, `cells` plays it, `shards` cuts the work into pieces
that anybody may do, `tables` counts, `conclusions` says who wins where and how regret grows.  `datasets` turns
classification data into a bandit.
"""

"""UCB1 (Auer, Cesa-Bianchi, Fischer 2002), from a digest of its statements in `digest.tex`."""

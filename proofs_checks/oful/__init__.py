"""OFUL (Abbasi-Yadkori, Pal, Szepesvari 2011), from a digest of its statements in `digest.tex`."""

"""UCB1 (Auer, Cesa-Bianchi, Fischer 2002), from a digest of its statements in `digest.tex`.

The digest is in our words and is what is judged; compare it with the printed text before quoting a verdict on that.
"""

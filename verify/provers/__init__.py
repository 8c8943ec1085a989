"""The provers: each takes a statement and hands back `Evidence`, never a bare boolean."""

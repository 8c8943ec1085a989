"""The second small kernel: it checks the answers of an audit from their files, without the code that found them.

It rests on core/kernel, the standard library and python-flint alone.  docs/certificates.md describes the files.
"""

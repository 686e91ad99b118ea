"""Kimono compiled with numba: the same rules over small integer records, for bots that search.

``records`` converts between the rules' types and the records, ``kernels`` plays on the records. Both are
tested move for move against the rules; where they differ, the rules are right.
"""

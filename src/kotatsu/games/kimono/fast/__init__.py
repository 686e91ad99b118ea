"""Kimono compiled: the same rules over small integer records, for bots that search.

``records`` translates between the rules' words and the records, ``kernels`` plays on them.
Tested move for move against the rules; where they differ, the rules are right.
"""

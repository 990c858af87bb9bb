"""What numbers of passes prove: formulas with the printed figures of their sources.

`rates`: Wilson's interval, pass@k, pass^k. `exact_interval`: one that never promises too much.
`trials`: passes and failures, before and now. `e_value`: how strongly they say that a case got
worse. `proven`: which cases are proven, and how many further failures would prove another.
`paired`: differences of two runs of the same cases. `power`: what a run could have seen.
`audit`: how much can have changed unseen.

This file imports none of them: no part of the program needs all.
"""

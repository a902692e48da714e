"""Which text of a scan is excluded, by rules: what finds it, and how much of each document it is.

ExclusionRules ─▶ find_exclusions(texts, rules, template) ─▶ SetAside spans of each document ─▶
core.scan
"""

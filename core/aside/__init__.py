"""Which text of a scan is set aside, by rules: what finds it, and how much of each document it is.

AsideRules ─▶ find_aside(texts, rules, template) ─▶ SetAside spans of each document ─▶ core.scan
"""

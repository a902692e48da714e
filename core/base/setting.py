"""Declares settings: each at its field, with its name, its bounds and all of its words.

    k: int = declare(5, name=N_("Shingle length k"), low=1, high=64, label=N_("Length k"), ...)

Checks and their sentences, the option of the command line and its help, the row of the panel with
control, bounds and tool tip, the words of summary and report, and what is stored: all of it follows
from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import Any, NamedTuple, ParamSpec, TypeAlias, TypeGuard

from core.base.messages import gettext
from core.base.wording import any_of, shown_value

# Words on a value: on each one, or on any. `{value}` stands for it, `{k}` for the setting k.
Words: TypeAlias = Mapping[Any, str] | str

P = ParamSpec("P")
HIGHEST = 10**6  # a bound of controls where the setting's own follows from another


class Needed(NamedTuple):
    """Another setting, without which a switch cannot be on."""

    field: str
    tip: str  # a message, of the control that waits for it


class Setting(NamedTuple):
    """The name, the bounds and the words of one setting; its words are messages.

    It is a number when it has a `high`, one of some values when it has `choices`, a text when it
    has a `pattern`, else a switch.

    Attributes:
        default: Its value unless another is given; None is what is usual with the others.
        name: What it is called: "Shingle length k".
        help: The help of its option.
        section: Where it belongs, in panel, help and summary.
        option: Its option, where that is not the name of its field.
        metavar: What stands for its value in the help.
        choices: What it may be, and what that is called in the panel's list.
        called: What makes such a word one of the reader's language.
        low: The least number, or the name of what has it: of another setting, or a property.
        high: The largest number, likewise.
        is_integer: The number is whole.
        pattern: What the text is like.
        wrong: The sentence about another text.
        unit: What is counted in: "MB".
        scale: How much one of that is; `low` and `high` count in it.
        in_panel: It has a row in the panel.
        label: Before that row; None for its name, which a check box has beside it.
        tip: The tool tip of its control.
        only_with: The field and the value of another setting without which it means nothing.
        needs: What must be set before it is switched on.
        signs: Another value makes other signatures, so that it needs a new scan.
        own_sentence: Summary and report speak of it in sentences of their own.
        summary: In the panel's summary; None for its name and value where it is not usual.
        title: Before its row in the report; None for its name, "" where it has none.
        report_value: In that row; None for what the panel calls it, or the value.
        without: In that row, where it means nothing; "" where it then has none.
        treatment: In the report's sentence on how texts were treated.
        values: Gives what stands in `help` and `tip` for names in braces.
    """

    default: Any
    name: str
    help: str
    section: str = ""
    option: str = ""
    metavar: str | None = None
    choices: Mapping[Any, str] | None = None
    called: Callable[[str], str] = gettext
    low: float | str = 1
    high: float | str | None = None
    is_integer: bool = True
    pattern: re.Pattern[str] | None = None
    wrong: str = ""
    unit: str = ""
    scale: int = 1
    in_panel: bool = True
    label: str | None = None
    tip: str = ""
    only_with: tuple[str, object] | None = None
    needs: Needed | None = None
    signs: bool = True
    own_sentence: bool = False
    summary: Words | None = None
    title: str | None = None
    report_value: Words | None = None
    without: str = ""
    treatment: Words = ""
    values: Callable[[], Mapping[str, object]] = dict

    @property
    def heading(self) -> str:
        """Its name, in the reader's language."""
        return gettext(self.name)

    @property
    def described(self) -> str:
        """The help of its option."""
        return gettext(self.help, **self.values())

    @property
    def explained(self) -> str:
        """The tool tip of its control."""
        return gettext(self.tip, **self.values())

    @property
    def counted_in(self) -> str:
        """Its unit."""
        return gettext(self.unit)

    @property
    def labelled(self) -> str:
        """The label before its control; a check box has its name beside it."""
        has_box = self.is_switch and not self.choices
        return ("" if has_box else self.heading) if self.label is None else gettext(self.label)

    @property
    def titled(self) -> str:
        """The label before its row in the report."""
        return self.heading if self.title is None else gettext(self.title)

    @property
    def is_number(self) -> bool:
        """Whether it counts or measures something."""
        return self.high is not None

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off, also where the panel has a list with both."""
        return isinstance(self.default, bool) or not (
            self.is_number or self.choices or self.pattern
        )

    def bounds(self, settings: object) -> tuple[float, float]:
        """The least and the largest number, given the other settings."""
        low: Any = self.low
        high: Any = self.high
        if isinstance(low, str):
            low = getattr(settings, low)
        if isinstance(high, str):
            high = getattr(settings, high)
        return low, high

    @property
    def widest_bounds(self) -> tuple[float, float]:
        """What it may be at most, where a bound follows from other settings."""
        low = 1 if isinstance(self.low, str) else self.low
        return low, self.high if isinstance(self.high, int | float) else HIGHEST

    def shown(self, value: float) -> int:
        """A number in its unit."""
        return round(value / self.scale)

    def format_value(self, value: object) -> str:
        """A value in words."""
        if self.choices:
            return self.called(self.choices[value])
        if self.is_switch:
            return gettext("on") if value else gettext("off")
        return str(value)

    def has_meaning(self, settings: object) -> bool:
        """Whether it means anything, given the other settings."""
        if self.only_with is None:
            return True
        field, value = self.only_with
        return bool(getattr(settings, field) == value)

    def summary_text(self, value: object, settings: object) -> str:
        """A value in the summary, given all settings; "" where it is left out."""
        if self.own_sentence or not self.in_panel:
            return ""
        if self.summary is not None:
            return _worded(self.summary, value, settings)
        if value == self.default:
            return ""
        return gettext("{setting}: {value}", setting=self.heading, value=self.format_value(value))

    def in_report(self, value: object, settings: object) -> str:
        """A value in the report."""
        return (
            self.format_value(value)
            if self.report_value is None
            else _worded(self.report_value, value, settings)
        )

    def treatment_text(self, value: object, settings: object) -> str:
        """The effect of a value on the texts, in words; "" where it is left out."""
        return _worded(self.treatment, value, settings)

    def fits(self, value: object, settings: object) -> bool:
        """Whether it can have a value, given the other settings."""
        if value is None:
            return self.default is None
        if self.is_number:
            low, high = self.bounds(settings)
            return self._is_number(value) and low <= value <= high
        if self.is_switch:
            return isinstance(value, bool)
        if self.pattern:
            return isinstance(value, str) and bool(self.pattern.fullmatch(value))
        return isinstance(value, str) and value in (self.choices or ())

    def problem(self, field: str, value: object, settings: object) -> str:
        """Why it cannot have a value, in a sentence; "" where it can."""
        if self.fits(value, settings):
            return ""
        shown = shown_value(value)
        if self.is_switch:
            return gettext(
                "The setting {field} must be on or off, not {value}.", field=field, value=shown
            )
        if not self.is_number:
            names = any_of(list(filter(None, self.choices or ())))
            return gettext(self.wrong) or gettext(
                "The setting {field} must be {names}, not {value}.",
                field=field,
                names=names,
                value=shown,
            )
        if self._is_number(value):
            low, high = self.bounds(settings)
            return gettext(
                "“{setting}” must be between {low} and {high}, not {value}.",
                setting=self.heading,
                low=low,
                high=high,
                value=shown,
            )
        shown = f"“{shown}”" if isinstance(value, str) else shown
        if self.is_integer:
            return gettext(
                "“{setting}” must be a whole number, not {value}.",
                setting=self.heading,
                value=shown,
            )
        return gettext(
            "“{setting}” must be a number, not {value}.", setting=self.heading, value=shown
        )

    def _is_number(self, value: object) -> TypeGuard[float]:
        kinds = int if self.is_integer else int | float
        return isinstance(value, kinds) and not isinstance(value, bool)


def _declared(make: Callable[P, Setting]) -> Callable[P, Any]:
    def declare(*values: P.args, **words: P.kwargs) -> Any:
        setting = make(*values, **words)
        return field(default=setting.default, metadata={"setting": setting})

    return declare


declare = _declared(Setting)  # the field of a dataclass, from the attributes of its setting


def settings_of(kind: Any) -> dict[str, Setting]:
    """The settings that a dataclass declares, by field, in their order."""
    return {
        attribute.name: attribute.metadata["setting"]
        for attribute in fields(kind)
        if "setting" in attribute.metadata
    }


def values_of(settings: object) -> dict[str, Any]:
    """The values of all settings that its class declares."""
    return {name: getattr(settings, name) for name in settings_of(settings)}


def _worded(words: Words, value: object, settings: object) -> str:
    pattern = words if isinstance(words, str) else dict(words).get(value, "")
    values = {
        name: setting.format_value(getattr(settings, name))
        for name, setting in settings_of(settings).items()
    }
    return gettext(pattern, **{**values, "value": value})

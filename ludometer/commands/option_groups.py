"""Groups of options: a command takes a frozen dataclass where it would take many parameters.

    @dataclass(frozen=True)
    class FieldOptions:
        tau: Annotated[float, typer.Option(metavar="T", help="temperature")] = 1.0

    @with_option_groups
    def dynamics(game: GameSpec, field: FieldOptions, json: Json = False) -> None: ...

On the command line the fields of a group are options of their own, in the place of the group.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints


def with_option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the fields of its dataclass parameters as parameters of their own; it is called with the groups filled in."""
    hints = get_type_hints(command, include_extras=True)
    hints.pop("return", None)
    groups: dict[str, tuple[type, list[str]]] = {}
    parameters: dict[str, inspect.Parameter] = {}
    for parameter in inspect.signature(command).parameters.values():
        group = hints[parameter.name]
        if not (isinstance(group, type) and dataclasses.is_dataclass(group)):
            parameters[parameter.name] = parameter.replace(annotation=group, kind=inspect.Parameter.KEYWORD_ONLY)
            continue
        fields = dataclasses.fields(group)
        field_hints = get_type_hints(group, include_extras=True)
        groups[parameter.name] = group, [field.name for field in fields]
        for field in fields:
            assert field.name not in parameters, f"two options are called {field.name}"
            parameters[field.name] = inspect.Parameter(
                field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=field_hints[field.name]
            )

    @functools.wraps(command)
    def flat(**given: Any) -> None:
        filled = {name: group(**{field: given.pop(field) for field in fields}) for name, (group, fields) in groups.items()}
        command(**filled, **given)

    flat.__signature__ = inspect.Signature(list(parameters.values()))  # type: ignore[attr-defined]  # read by Typer
    flat.__annotations__ = {name: parameter.annotation for name, parameter in parameters.items()}
    return flat

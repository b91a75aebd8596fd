"""`ludometer doctor`: versions, hardware, folders and missing packages."""

from __future__ import annotations

from ludometer.commands.output import Json, print_json


def doctor(json: Json = False) -> None:
    """Show versions, processors, GPUs and folders, and which packages are missing for which command."""
    from ludometer.doctor import diagnose

    found = diagnose()
    if json:
        print_json(found)
        return
    from ludometer.view.results.installation import installation_text

    print(installation_text(found))

"""What a test reads in a form."""

from typing import Any


def field(form: Any, name: str) -> Any:
    """Return the selector of a form's field."""
    return form["data_schema"].schema[name]


def suggested(form: Any) -> dict[str, Any]:
    """Return what a form shows in its fields before anything is typed."""
    return {
        str(name): (name.description or {}).get("suggested_value")
        for name in form["data_schema"].schema
    }

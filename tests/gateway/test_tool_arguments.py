"""Arguments of tool calls as small models write them."""

import pytest

from custom_components.caesar.gateway.tool_arguments import repaired

CLASSES = {"type": "array", "items": {"type": "string", "enum": ["blind", "outlet"]}}

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "area": {"type": ["string", "null"]},
        "domain": {"type": "array", "items": {"type": "string"}},
        "device_class": CLASSES,
        "mode": {"type": "string", "enum": ["heat", "cool"]},
        "brightness": {"type": "integer"},
        "color": {"type": "object"},
        "either": {"anyOf": [{"type": "string"}, {"type": "array"}]},
    },
}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"name": "Lamp", "brightness": 0}, {"name": "Lamp", "brightness": 0}),
        ({"name": ["Lamp"]}, {"name": "Lamp"}),
        ({"name": '["Lamp"]'}, {"name": "Lamp"}),
        ({"area": ["Kitchen"]}, {"area": "Kitchen"}),
        ({"domain": "light"}, {"domain": ["light"]}),
        ({"domain": '["light"]'}, {"domain": ["light"]}),
        ({"color": '{"red": 1}'}, {"color": {"red": 1}}),
        ({"unknown": '["light"]'}, {"unknown": ["light"]}),
        ({"either": "a"}, {"either": "a"}),
    ],
)
def test_form_follows_the_schema(written, meant):
    assert repaired(written, SCHEMA) == meant


@pytest.mark.parametrize("blank", ["", "  ", None, "null", [], {}, [""]])
def test_blank_arguments_are_dropped(blank):
    assert repaired({"name": "Lamp", "area": blank}, SCHEMA) == {"name": "Lamp"}


def test_choice_that_repeats_another_argument_is_dropped():
    written = {"device_class": ["light"], "domain": ["light"], "name": "Lamp"}
    assert repaired(written, SCHEMA) == {"domain": ["light"], "name": "Lamp"}


@pytest.mark.parametrize(
    "written",
    [
        {"device_class": ["blinds"], "area": "Kitchen"},
        {"device_class": ["blind"], "name": "blind"},
        {"device_class": ["light", "blinds"], "domain": ["light"]},
        {"mode": "warm", "name": "Boiler"},
        {"name": "[unclear"},
        {"name": '{"not": "a name"}'},
        {"name": ["Lamp", "Fan"]},
    ],
)
def test_what_would_have_to_be_guessed_stays(written):
    assert repaired(written, SCHEMA) == written


def test_without_a_schema_only_the_form_is_repaired():
    assert repaired({"name": ["Lamp"], "area": ""}, {}) == {"name": ["Lamp"]}

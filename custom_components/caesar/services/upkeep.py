"""Actions that let CAESAR work or look at itself."""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import SupportsResponse
from homeassistant.helpers import config_validation as cv, entity_registry as er
import voluptuous as vol

from custom_components.caesar.const import SUBENTRY_CONVERSATION
from custom_components.caesar.issues import async_report_audit
from custom_components.caesar.memory.audit import Finding, FindingKind, audit
from custom_components.caesar.memory.models import Fact
from custom_components.caesar.self_test import SelfTest

from .action import Action, Caller, refusal


async def _learn_now(caller: Caller, _data: Mapping[str, Any]) -> dict[str, Any]:
    report = await caller.runtime.learn_now()
    return {
        "read": report.read,
        "changed": report.changed,
        "set_aside": report.set_aside,
        "waiting": report.waiting,
        "problem": report.problem,
    }


async def _audit_memory(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    found = await caller.runtime.memory.database.read(audit)
    async_report_audit(caller.call.hass, found.counts)
    visible, facts = caller.scope.visible, caller.facts
    answer: dict[str, Any] = {
        "facts": len(facts),
        "suggestions": len(await caller.runtime.memory.suggestions(caller.scope)),
        "findings": [
            _finding(one, facts, include_text=data["include_text"])
            for one in found.findings
            if one.owner in visible
        ],
    }
    if caller.is_admin:
        answer["findings_of_others"] = sum(
            one.owner not in visible for one in found.findings
        )
    return answer


def _finding(
    finding: Finding, facts: Mapping[int, Fact], *, include_text: bool
) -> dict[str, Any]:
    told: dict[str, Any] = {
        "kind": finding.kind.value,
        "owner": finding.owner,
        "fact_ids": list(finding.fact_ids),
    }
    if include_text and finding.kind is not FindingKind.SECRET:
        told["facts"] = [
            {"id": fact.id, "key": fact.key, "value": fact.value}
            for fact_id in finding.fact_ids
            if (fact := facts.get(fact_id)) is not None
        ]
    return told


async def _self_test(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    if not caller.is_admin:
        raise refusal("admin_only")
    hass, runtime = caller.call.hass, caller.runtime
    route = runtime.gateway.default
    if "agent" in data:
        route = runtime.route_of(_agent(caller, data["agent"]))
    return await SelfTest(hass=hass, runtime=runtime, route=route).run()


def _agent(caller: Caller, entity_id: str) -> ConfigSubentry:
    """Return what describes one of our agents; raises ServiceValidationError."""
    entity = er.async_get(caller.call.hass).async_get(entity_id)
    subentry_id = entity.config_subentry_id if entity is not None else None
    subentry = caller.entry.subentries.get(subentry_id or "")
    if subentry is None or subentry.subentry_type != SUBENTRY_CONVERSATION:
        raise refusal("no_such_agent")
    return subentry


ACTIONS: Final[Mapping[str, Action]] = {
    "learn_now": Action(handler=_learn_now, schema={}),
    "audit_memory": Action(
        handler=_audit_memory,
        schema={vol.Optional("include_text", default=False): cv.boolean},
        response=SupportsResponse.ONLY,
    ),
    "self_test": Action(
        handler=_self_test,
        schema={vol.Optional("agent"): cv.entity_id},
        response=SupportsResponse.ONLY,
    ),
}

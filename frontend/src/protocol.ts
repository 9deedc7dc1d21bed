/**
 * The websocket commands of CAESAR, command by command; `docs/panel-protocol.md` says
 * what they mean. Types only.
 */

export type * from "./protocol/common";
export type * from "./protocol/events";
export type * from "./protocol/exchanges";
export type * from "./protocol/facts";
export type * from "./protocol/people";
export type * from "./protocol/section";
export type * from "./protocol/status";
export type * from "./protocol/suggestions";

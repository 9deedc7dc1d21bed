/** The only place that speaks to Home Assistant. */

import type { Hass, Unsubscribe } from "./hass";
import type * as protocol from "./protocol";

/** What each command is asked with and answers. */
interface Commands {
  "caesar/facts/add": [protocol.AddFact, protocol.FactResult];
  "caesar/facts/edit": [protocol.EditFact, protocol.FactResult];
  "caesar/facts/revert": [protocol.RevertFact, protocol.FactResult];
  "caesar/facts/pin": [protocol.PinFacts, protocol.FactsResult];
  "caesar/facts/move": [protocol.MoveFacts, protocol.FactsResult];
  "caesar/facts/delete": [protocol.DeleteFacts, protocol.FactsResult];
  "caesar/facts/restore": [protocol.RestoreFacts, protocol.FactsResult];
  "caesar/facts/reveal": [protocol.RevealFact, protocol.RevealResult];
  "caesar/facts/source": [protocol.FactSource, protocol.FactSourceResult];
  "caesar/facts/history": [protocol.FactHistory, protocol.FactHistoryResult];
  "caesar/suggestions/list": [protocol.ListSuggestions, protocol.ListSuggestionsResult];
  "caesar/suggestions/accept": [protocol.DecideSuggestions, protocol.DecideSuggestionsResult];
  "caesar/suggestions/reject": [protocol.DecideSuggestions, protocol.DecideSuggestionsResult];
  "caesar/events/list": [protocol.ListEvents, protocol.ListEventsResult];
  "caesar/exchanges/list": [protocol.ListExchanges, protocol.ListExchangesResult];
  "caesar/exchanges/delete": [protocol.DeleteExchange, protocol.DeleteExchangeResult];
  "caesar/people/list": [protocol.ListPeople, protocol.ListPeopleResult];
  "caesar/people/map_satellite": [protocol.MapSatellite, protocol.MapResult];
  "caesar/people/map_account": [protocol.MapAccount, protocol.MapResult];
  "caesar/people/preview_move": [protocol.PreviewMove, protocol.PreviewMoveResult];
  "caesar/people/move": [protocol.MoveMemory, protocol.MoveMemoryResult];
  "caesar/people/undo_move": [protocol.UndoMove, protocol.UndoMoveResult];
  "caesar/status/history": [protocol.StatusHistory, protocol.StatusHistoryResult];
  "caesar/status/set_aside": [protocol.ListSetAside, protocol.ListSetAsideResult];
  "caesar/status/retry": [protocol.RetrySetAside, protocol.Report];
  "caesar/status/dismiss": [protocol.DismissSetAside, protocol.DismissResult];
  "caesar/status/learn_now": [protocol.LearnNow, protocol.Report];
  "caesar/status/self_test": [protocol.SelfTest, protocol.SelfTestResult];
}

/** What each subscription is asked with and tells. */
interface Subscriptions {
  "caesar/facts/subscribe": [protocol.SubscribeFacts, protocol.FactsEvent];
  "caesar/section/subscribe": [protocol.SubscribeSection, protocol.SectionEvent];
  "caesar/status/subscribe": [protocol.SubscribeStatus, protocol.StatusEvent];
  "caesar/changes/subscribe": [protocol.SubscribeChanges, protocol.ChangesEvent];
}

export type Command = keyof Commands;
export type Topic = keyof Subscriptions;
export type Asked<Name extends Command> = Omit<Commands[Name][0], "type">;
export type Answer<Name extends Command> = Commands[Name][1];
export type Told<Name extends Topic> = Subscriptions[Name][1];

export class Api {
  readonly #doing = new Map<string, Promise<unknown>>();

  constructor(private readonly hass: () => Hass) {}

  /** Rejects with a CaesarError, or with a number where the connection is lost. */
  call<Name extends Command>(type: Name, asked: Asked<Name>): Promise<Answer<Name>> {
    const { language, callWS } = this.hass();
    return callWS({ type, language, ...asked });
  }

  /** Change something: once, however often it is asked for before the answer is here. */
  act<Name extends Command>(type: Name, asked: Asked<Name>): Promise<Answer<Name>> {
    const what = type + JSON.stringify(asked);
    const done = () => this.#doing.delete(what);
    const doing = this.#doing.get(what) ?? this.call(type, asked).finally(done);
    this.#doing.set(what, doing);
    return doing as Promise<Answer<Name>>;
  }

  /** Home Assistant subscribes again by itself when a lost connection is back. */
  subscribe<Name extends Topic>(
    type: Name,
    asked: Omit<Subscriptions[Name][0], "type">,
    listener: (event: Told<Name>) => void,
  ): Promise<Unsubscribe> {
    const { language, connection } = this.hass();
    return connection.subscribeMessage(listener, { type, language, ...asked });
  }
}

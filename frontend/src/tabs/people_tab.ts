/** People and rooms: whose memory is whose, and whose words land where. */

import { html, nothing, type TemplateResult } from "lit";
import { css } from "../parts/css";
import { state } from "../parts/decorators";
import { problem } from "../context";
import { define, inputText, PanelElement } from "../parts/element";
import { icon } from "../parts/icons";
import { shared } from "../parts/styles";
import type { Account, Landing, ListPeopleResult, Person, Satellite } from "../protocol";
import "../people/move_memory";

const look = css`
  ul {
    list-style: none;
    margin: 8px 0 0;
    padding: 0;
  }
  li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 16px;
    padding: 10px 0;
    border-top: 1px solid var(--line);
  }
  li:first-child {
    border-top: 0;
  }
  li > .icon {
    color: var(--quiet);
  }
  li .grow {
    flex-basis: 200px;
  }
  .who {
    font-size: 18px;
    margin: 4px 0;
  }
`;

export class PeopleTab extends PanelElement {
  static override styles = [shared, look];

  @state() private people: ListPeopleResult | null = null;
  @state() private failed = "";
  #loadedFor = -1;

  protected override willUpdate(): void {
    if (this.#loadedFor === this.context.changes) return;
    this.#loadedFor = this.context.changes;
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      this.people = await this.context.api.call("caesar/people/list", {});
      this.failed = "";
    } catch (error) {
      this.failed = problem(this.context, error);
    }
  }

  protected override render(): TemplateResult {
    const { people, failed } = this;
    return html`<div class="page">
      ${failed ? html`<p class="problem" role="alert">${failed}</p>` : nothing}
      ${people
        ? html`${this.#renderMe(people)} ${this.#renderPeople(people)}
          ${this.#renderSatellites(people)} ${this.#renderAccounts(people)}
          ${this.#renderMove(people)}`
        : html`<div class="skeleton"></div>
            <div class="skeleton"></div>`}
    </div>`;
  }

  #renderMe({ me, landing }: ListPeopleResult): TemplateResult {
    return html`<section class="card">
      <h2>${this.t("people.me")}</h2>
      <p class="who bidi">${this.t("people.lands", { name: landing.owner.name })}</p>
      <p class="quiet bidi">${landing.reason}</p>
      ${landing.teaches ? nothing : html`<p class="quiet">${this.t("people.teaches_not")}</p>`}
      ${me.openings.map(
        (opening) => html`<p class="problem warn bidi">
          ${this.t("people.opening", {
            name: opening.by.name,
            when: this.context.format.full(opening.at),
          })}
        </p>`,
      )}
    </section>`;
  }

  #renderPeople({ people }: ListPeopleResult): TemplateResult {
    return html`<section class="card">
      <h2>${this.t("people.title")}</h2>
      <ul>
        ${people.map((person) => this.#renderPerson(person))}
      </ul>
    </section>`;
  }

  #renderPerson(person: Person): TemplateResult {
    const { name, kind, is_me, facts, exchanges, may_open, id } = person;
    return html`<li>
      ${icon(kind === "household" ? "home" : "person")}
      <span class="grow bidi"
        >${name} ${is_me ? html`<span class="chip">${this.t("owner.me")}</span>` : nothing}</span
      >
      ${facts === null
        ? nothing
        : html`<span class="quiet">${this.t("people.facts", { count: facts })}</span>`}
      ${exchanges === null
        ? nothing
        : html`<span class="quiet">${this.t("people.exchanges", { count: exchanges })}</span>`}
      ${may_open && !is_me && kind !== "household"
        ? html`<button @click=${() => this.context.openFactsOf(id)}>
            ${icon("eye")} ${this.t("people.open")}
          </button>`
        : nothing}
    </li>`;
  }

  #renderSatellites({ satellites }: ListPeopleResult): TemplateResult {
    return html`<section class="card">
      <h2>${this.t("people.satellites")}</h2>
      <p class="quiet">
        ${this.t(satellites.length ? "people.satellites_help" : "people.satellites_none")}
      </p>
      <ul>
        ${satellites.map((satellite) => this.#renderSatellite(satellite))}
      </ul>
    </section>`;
  }

  #renderSatellite({ id, name, area, owner, landing }: Satellite): TemplateResult {
    return html`<li>
      <div class="grow bidi">
        ${name}${area ? html` <span class="quiet">· ${area.name}</span>` : nothing}
        ${this.#renderLanding(landing)}
      </div>
      ${this.#renderMapping(name, owner, (chosen) =>
        this.context.api.call("caesar/people/map_satellite", { satellite: id, owner: chosen }),
      )}
    </li>`;
  }

  #renderAccounts({ accounts }: ListPeopleResult): TemplateResult {
    return html`<section class="card">
      <h2>${this.t("people.accounts")}</h2>
      <p class="quiet">${this.t("people.accounts_help")}</p>
      <ul>
        ${accounts.map((account) => this.#renderAccount(account))}
      </ul>
    </section>`;
  }

  #renderAccount({ user_id, name, owner, landing }: Account): TemplateResult {
    return html`<li>
      <div class="grow bidi">${name} ${this.#renderLanding(landing)}</div>
      ${this.#renderMapping(name, owner, (chosen) =>
        this.context.api.call("caesar/people/map_account", { user_id, owner: chosen }),
      )}
    </li>`;
  }

  #renderLanding({ owner, reason }: Landing): TemplateResult {
    return html`<div class="quiet small">
      ${this.t("people.lands", { name: owner.name })} ${reason}
    </div>`;
  }

  #renderMapping(
    name: string,
    owner: string | null,
    map: (owner: string | null) => Promise<unknown>,
  ): TemplateResult | typeof nothing {
    if (!this.context.me.is_admin) return nothing;
    const change = async (event: Event) => {
      await this.attempt(map(inputText(event) || null));
      await this.#load();
    };
    return html`<select aria-label=${this.t("people.voice_of", { name })} @change=${change}>
      <option value="" ?selected=${!owner}>${this.t("people.nobody_chosen")}</option>
      ${this.people?.people.map(
        (person) => html`<option value=${person.id} ?selected=${person.id === owner}>
          ${person.name}
        </option>`,
      )}
    </select>`;
  }

  #renderMove({ people, moves }: ListPeopleResult): TemplateResult | typeof nothing {
    if (!this.context.me.is_admin) return nothing;
    return html`<caesar-move-memory
      .context=${this.context}
      .people=${people}
      .moves=${moves}
      @moved=${() => this.#load()}
    ></caesar-move-memory>`;
  }
}

define("caesar-people-tab", PeopleTab);

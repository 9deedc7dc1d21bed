/** The panel: what Home Assistant shows under "CAESAR" in its sidebar. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "./parts/decorators";
import { LitElement } from "lit";
import { Api } from "./api";
import { problem, type Context, type Notice } from "./context";
import { FactActions } from "./fact_actions";
import { Format } from "./format";
import type { Hass, PanelInfo, Route } from "./hass";
import { House } from "./house";
import { pathOf, placeOf, TABS, type Place, type Tab } from "./model/route";
import { panelStyles } from "./panel_styles";
import { icon } from "./parts/icons";
import { shared } from "./parts/styles";
import type { OwnerId } from "./protocol";
import { tabElement } from "./tabs";

const NOTICE_SECONDS = 10;
const CATEGORIES = ["config_panel", "exceptions"];
/** The hash in the address that this bundle was loaded from. */
const BUNDLE = /([0-9a-f]{12})\.js/.exec(import.meta.url)?.[1];

export class CaesarPanel extends LitElement {
  static override styles = [shared, panelStyles];

  @property() hass!: Hass;
  @property({ type: Boolean, reflect: true }) narrow = false;
  @property() route!: Route;
  @property() panel!: PanelInfo;

  @state() private notice: Notice | null = null;
  @state() private context: Context | null = null;
  readonly #api = new Api(() => this.hass);
  readonly #actions = new FactActions(() => this.context!);
  readonly #house = new House(
    this.#api,
    () => this.requestUpdate(),
    (error) => this.#notify({ text: problem(this.context!, error), isError: true }),
  );
  #format: Format | null = null;
  #textsOf = "";
  #tabInSight = "";
  #tab: HTMLElement | null = null;
  #noticeTimer = 0;

  /** Home Assistant assigns `hass` on every change of any state. */
  protected override shouldUpdate(changed: PropertyValues<this>): boolean {
    const before = changed.get("hass");
    if (changed.size > 1 || !changed.has("hass") || !before) return true;
    const { localize, locale, connection, connected, dockedSidebar, themes } = this.hass;
    return (
      before.localize !== localize ||
      before.locale !== locale ||
      before.connection !== connection ||
      before.connected !== connected ||
      before.themes !== themes ||
      before.dockedSidebar !== dockedSidebar
    );
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("hass") || !this.#format) this.#format = new Format(this.hass);
    if (this.#textsOf !== this.hass.language) void this.#loadTexts();
    this.#house.listen(this.hass.language);
    this.context = this.#newContext();
  }

  protected override updated(): void {
    this.style.colorScheme = this.hass.themes.darkMode ? "dark" : "light";
    // On a phone there are more tabs than fit; how many, their words decide.
    const tab = this.renderRoot.querySelector<HTMLElement>("[aria-selected=true]")!;
    if (tab.textContent === this.#tabInSight) return;
    this.#tabInSight = tab.textContent;
    tab.scrollIntoView({ block: "nearest" });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("click", onlyOnce, true);
    window.addEventListener("keydown", this.#onKey);
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("keydown", this.#onKey);
    this.#house.leave();
  }

  async #loadTexts(): Promise<void> {
    this.#textsOf = this.hass.language;
    const loading = CATEGORIES.map((name) =>
      this.hass.loadBackendTranslation(name, "caesar"),
    );
    await Promise.all(loading);
    this.requestUpdate();
  }

  #newContext(): Context | null {
    const { hass } = this;
    const house = this.#house;
    const format = this.#format;
    if (!house.me || !format || house.state === "refused") return null;
    return {
      hass,
      format,
      api: this.#api,
      actions: this.#actions,
      narrow: this.narrow,
      online: hass.connected,
      me: house.me,
      store: house.store,
      suggestions: house.suggestions,
      opened: house.opened,
      changes: house.changes,
      openFactsOf: (owner) => this.#openFactsOf(owner),
      text: (key, values) => this.#t(key, values),
      notify: (notice) => this.#notify(notice),
      go: (place) => this.#go(place),
    };
  }

  #t(key: string, values: Record<string, unknown> = {}): string {
    const { localize } = this.hass;
    const path = `component.caesar.config_panel.${key}`;
    const words = this.#format!.inWords(values);
    const form = this.#format!.plural(values.count);
    return (form && localize(`${path}_${form}`, words)) || localize(path, words);
  }

  protected override render(): TemplateResult {
    const place = placeOf(this.route.path);
    const menu = this.narrow || this.hass.dockedSidebar === "always_hidden";
    return html`<header>
        ${menu
          ? html`<button class="square" aria-label=${this.#t("menu")} @click=${this.#openMenu}>
              ${icon("menu")}
            </button>`
          : nothing}
        <h1>CAESAR</h1>
      </header>
      ${this.#renderTabs(place.tab)} ${this.#renderBanners()}
      <main>
        <div
          class="content"
          id="content"
          role="tabpanel"
          aria-labelledby=${place.tab}
          aria-busy=${!this.context}
        >
          ${this.#renderContent(place)}
        </div>
      </main>
      ${this.#renderNotice()}`;
  }

  #renderTabs(current: Tab): TemplateResult {
    return html`<nav>
      <div class="tabs" role="tablist" @keydown=${this.#onTabKey}>
        ${TABS.map(
          (tab) => html`<button
            role="tab"
            id=${tab}
            aria-controls="content"
            aria-selected=${tab === current}
            tabindex=${tab === current ? 0 : -1}
            @click=${() => this.#go({ tab, id: null })}
          >
            ${this.#t(`tab.${tab}`)}
            ${tab === "suggestions" && this.#house.suggestions.length
              ? html`<span class="badge">${this.#house.suggestions.length}</span>`
              : nothing}
          </button>`,
        )}
      </div>
    </nav>`;
  }

  #renderBanners(): TemplateResult {
    const house = this.#house;
    const bundle = this.panel.config?.bundle;
    return html`${BUNDLE && bundle && bundle !== BUNDLE
      ? html`<div class="banner" role="status">
          <span>${this.#t("banner.updated")}</span>
          <button class="primary" @click=${() => location.reload()}>
            ${this.#t("banner.reload")}
          </button>
        </div>`
      : nothing}
    ${!this.hass.connected
      ? html`<div class="banner warn" role="status">${this.#t("banner.offline")}</div>`
      : house.state === "unavailable" && house.me
        ? html`<div class="banner warn" role="status">${this.#t("banner.unavailable")}</div>`
        : nothing}
    ${house.opened
      ? html`<div class="banner warn" role="status">
          <span>${this.#t("banner.opened")}</span>
          <button @click=${() => this.#openFactsOf(null)}>${this.#t("close")}</button>
        </div>`
      : nothing}`;
  }

  #renderContent(place: Place): TemplateResult {
    if (this.context) return html`${(this.#tab = tabElement(this.#tab, place, this.context))}`;
    if (this.#house.state === "unavailable" || this.#house.state === "refused") {
      return html`<div class="empty" role="status">
        ${icon("alert")}
        <h2>${this.#t(`state.${this.#house.state}`)}</h2>
        <p>${this.#t(`state.${this.#house.state}_help`)}</p>
        <button class="primary" @click=${() => this.#house.again()}>
          ${this.#t("state.retry")}
        </button>
      </div>`;
    }
    return html`<div class="waiting">
      <span class="hidden" role="status">${this.#t("state.loading")}</span>
      ${[1, 2, 3, 4, 5].map(() => html`<div class="skeleton"></div>`)}
    </div>`;
  }

  #renderNotice(): TemplateResult {
    const { notice } = this;
    return html`<div
      class="notice ${notice ? "shown" : ""}"
      role=${notice?.isError ? "alert" : "status"}
      @mouseenter=${this.#keepNotice}
      @mouseleave=${this.#endNoticeLater}
      @focusin=${this.#keepNotice}
      @focusout=${this.#endNoticeLater}
    >
      ${notice
        ? html`<span class="bidi">${notice.text}</span>
            ${notice.undo
              ? html`<button title="Ctrl+Z" @click=${this.#undo}>${icon("undo")} ${this.#t("undo")}</button>`
              : nothing}
            <button class="square" aria-label=${this.#t("close")} @click=${this.#endNotice}>
              ${icon("close")}
            </button>`
        : nothing}
    </div>`;
  }

  #go(place: Place): void {
    const path = pathOf(this.route.prefix, place);
    if (path === location.pathname) return;
    history.pushState(null, "", path);
    const detail = { replace: false };
    window.dispatchEvent(new CustomEvent("location-changed", { detail }));
  }

  #onTabKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const current = TABS.indexOf(placeOf(this.route.path).tab);
    const tab = TABS[(current + step + TABS.length) % TABS.length]!;
    this.#go({ tab, id: null });
    this.renderRoot.querySelector<HTMLElement>(`#${tab}`)?.focus();
  }

  #openFactsOf(owner: OwnerId | null): void {
    this.#house.open(owner);
    this.#go({ tab: "facts", id: null });
  }

  #openMenu(): void {
    this.dispatchEvent(new CustomEvent("hass-toggle-menu", { bubbles: true, composed: true }));
  }

  #notify(notice: Notice): void {
    this.notice = notice;
    this.#endNoticeLater();
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const isTyping = innermost(event).matches("input, textarea");
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !isTyping) this.#undo();
  };

  #undo(): void {
    const undo = this.notice?.undo;
    this.#endNotice();
    void undo?.();
  }

  #endNotice(): void {
    clearTimeout(this.#noticeTimer);
    this.notice = null;
  }

  #endNoticeLater(): void {
    clearTimeout(this.#noticeTimer);
    this.#noticeTimer = window.setTimeout(() => this.#endNotice(), NOTICE_SECONDS * 1000);
  }

  #keepNotice(): void {
    clearTimeout(this.#noticeTimer);
  }
}

/** The second click of a double click would hit what has moved under the pointer since. */
function onlyOnce(event: MouseEvent): void {
  if (event.detail < 2 || !innermost(event).closest("button, .tr")) return;
  event.stopPropagation();
  event.preventDefault();
}

function innermost(event: Event): Element {
  return event.composedPath()[0] as Element;
}

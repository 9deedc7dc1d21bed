/** What the panel uses of Home Assistant's frontend, and nothing more. */

export type Unsubscribe = () => Promise<void> | void;

export interface Connection {
  subscribeMessage<Event>(
    listener: (event: Event) => void,
    message: object,
  ): Promise<Unsubscribe>;
}

/** A person's choices under "Profile"; the words are Home Assistant's own. */
export interface Locale {
  language: string;
  number_format: string;
  time_format: string;
  date_format: string;
  time_zone: string;
}

export type Localize = (key: string, values?: Record<string, unknown>) => string;

export interface Hass {
  connection: Connection;
  connected: boolean;
  language: string;
  locale: Locale;
  config: { time_zone: string };
  dockedSidebar: string;
  themes: { darkMode: boolean };
  localize: Localize;
  loadBackendTranslation(category: string, integration: string): Promise<Localize>;
  callWS<Result>(message: object): Promise<Result>;
}

export interface Route {
  prefix: string;
  path: string;
}

export interface PanelInfo {
  config: { bundle?: string } | null;
}

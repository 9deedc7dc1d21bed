/** Dates and numbers in the way that a person chose in their profile. */

import type { Hass, Locale } from "./hass";

const NUMBER_LANGUAGES: Record<string, string[] | undefined> = {
  comma_decimal: ["en-US"],
  decimal_comma: ["de"],
  space_comma: ["fr"],
  quote_decimal: ["de-CH"],
  system: undefined,
};
const DATE_ORDERS: Record<string, Intl.DateTimeFormatPartTypes[]> = {
  DMY: ["day", "month", "year"],
  MDY: ["month", "day", "year"],
  YMD: ["year", "month", "day"],
};
const HOURS: Record<string, Intl.DateTimeFormatOptions> = {
  "12": { hour12: true },
  "24": { hourCycle: "h23" },
};
const DAY = 86_400_000;

export class Format {
  readonly #dates: Intl.DateTimeFormat;
  readonly #times: Intl.DateTimeFormat;
  readonly #relative: Intl.RelativeTimeFormat;
  readonly #plain: Intl.NumberFormat;
  readonly #shares: Intl.NumberFormat;
  readonly #days: Intl.DateTimeFormat;
  readonly #plurals: Intl.PluralRules;
  readonly #locale: Locale;

  constructor(hass: Pick<Hass, "locale" | "config">) {
    const locale = hass.locale;
    const timeZone = locale.time_zone === "server" ? hass.config.time_zone : undefined;
    const language = locale.language;
    this.#locale = locale;
    const numeric = locale.date_format in DATE_ORDERS;
    this.#dates = new Intl.DateTimeFormat(
      locale.date_format === "system" ? undefined : language,
      { year: "numeric", month: numeric ? "numeric" : "short", day: "numeric", timeZone },
    );
    this.#times = new Intl.DateTimeFormat(language, {
      hour: "numeric",
      minute: "2-digit",
      timeZone,
      ...HOURS[locale.time_format],
    });
    this.#days = new Intl.DateTimeFormat("en-CA", { timeZone });
    this.#plurals = new Intl.PluralRules(language);
    this.#relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    const numbers =
      locale.number_format in NUMBER_LANGUAGES
        ? NUMBER_LANGUAGES[locale.number_format]
        : language;
    const useGrouping = locale.number_format !== "none";
    this.#plain = new Intl.NumberFormat(numbers, { useGrouping, maximumFractionDigits: 1 });
    this.#shares = new Intl.NumberFormat(numbers, { style: "percent" });
  }

  number(value: number): string {
    return this.#plain.format(value);
  }

  /** The values of a text, with all numbers written out. */
  inWords(values: Record<string, unknown>): Record<string, unknown> {
    const words = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "number" ? this.number(value) : value,
    ]);
    return Object.fromEntries(words);
  }

  /**
   * The ending of the text for a number of things, as "one".
   *
   * Home Assistant takes texts with the plurals of its own frontend for mistranslated.
   */
  plural(count: unknown): string {
    if (typeof count !== "number") return "";
    return count === 0 ? "zero" : this.#plurals.select(count);
  }

  /** Of a share between 0 and 1. */
  percent(share: number): string {
    return this.#shares.format(share);
  }

  date(moment: string): string {
    const parts = this.#dates.formatToParts(new Date(moment));
    const order = DATE_ORDERS[this.#locale.date_format];
    if (!order) return parts.map((part) => part.value).join("");
    const separator = parts.find((part) => part.type === "literal")?.value ?? " ";
    const value = (type: string) => parts.find((part) => part.type === type)?.value;
    return order.map(value).join(separator);
  }

  time(moment: string): string {
    return this.#times.format(new Date(moment));
  }

  full(moment: string): string {
    return `${this.date(moment)}, ${this.time(moment)}`;
  }

  /** The calendar day, as 2026-11-30. */
  day(moment: string | Date): string {
    return this.#days.format(new Date(moment));
  }

  /** "today", "3 days ago"; from a week on the date. */
  ago(moment: string, now = new Date()): string {
    const days = (Date.parse(this.day(moment)) - Date.parse(this.day(now))) / DAY;
    return Math.abs(days) < 7 ? this.#relative.format(days, "day") : this.date(moment);
  }

  /** "in 4 minutes", "2 hours ago". */
  distance(moment: string, now = new Date()): string {
    const minutes = Math.round((Date.parse(moment) - now.getTime()) / 60_000);
    if (Math.abs(minutes) < 60) return this.#relative.format(minutes, "minute");
    if (Math.abs(minutes) < 60 * 24)
      return this.#relative.format(Math.round(minutes / 60), "hour");
    return this.ago(moment, now);
  }

  /** "5 minutes", "24 hours". */
  duration(seconds: number): string {
    const [unit, size] =
      seconds < 120 ? ["second", 1] : seconds < 7200 ? ["minute", 60] : ["hour", 3600];
    const { language } = this.#locale;
    return new Intl.NumberFormat(language, {
      style: "unit",
      unit: unit as string,
      unitDisplay: "long",
      maximumFractionDigits: 1,
    }).format(seconds / Number(size));
  }

  bytes(count: number): string {
    return `${this.number(count / 2 ** 20)} MiB`;
  }
}

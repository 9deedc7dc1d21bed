import { expect, test } from "vitest";
import { Format } from "../src/format";
import type { Locale } from "../src/hass";

const MOMENT = "2026-11-09T22:05:00+00:00";

function format(chosen: Partial<Locale> = {}): Format {
  const locale = {
    language: "en",
    number_format: "language",
    time_format: "language",
    date_format: "language",
    time_zone: "server",
    ...chosen,
  };
  return new Format({ locale, config: { time_zone: "Europe/Berlin" } });
}

test("dates and times are those of the house and of the person's language", () => {
  expect(format().full(MOMENT)).toBe("Nov 9, 2026, 11:05 PM");
  expect(format({ language: "de" }).full(MOMENT)).toBe("9. Nov. 2026, 23:05");
});

test("a person's own choice of format goes before the language", () => {
  const chosen = format({ date_format: "YMD", time_format: "24" });
  expect(chosen.full(MOMENT)).toBe("2026/11/9, 23:05");
  expect(format({ date_format: "DMY" }).date(MOMENT)).toBe("9/11/2026");
  expect(format({ language: "de", time_format: "12" }).time(MOMENT)).toMatch(/11:05/);
});

test("numbers are written as the person chose", () => {
  expect(format().number(10_000.5)).toBe("10,000.5");
  expect(format({ number_format: "decimal_comma" }).number(10_000.5)).toBe("10.000,5");
  expect(format({ number_format: "none" }).number(10_000)).toBe("10000");
});

test("days are told from each other by the calendar of the house", () => {
  const now = new Date("2026-11-09T23:30:00+00:00");
  expect(format().ago(MOMENT, now)).toBe("yesterday");
  expect(format({ language: "de" }).ago("2026-11-07T12:00:00+00:00", now)).toBe("vor 3 Tagen");
  expect(format().ago("2026-10-01T12:00:00+00:00", now)).toBe("Oct 1, 2026");
});

test("sizes and durations come in words that people use", () => {
  expect(format().bytes(2_400_000)).toBe("2.3 MiB");
  expect(format().bytes(0)).toBe("0 MiB");
  expect(format({ language: "de" }).duration(60)).toBe("60 Sekunden");
  expect(format().duration(86_400)).toBe("24 hours");
});

test("texts get their numbers written out, and the form for one", () => {
  expect(format().inWords({ count: 1000, key: "dog" })).toEqual({ count: "1,000", key: "dog" });
  expect([0, 1, 2].map((count) => format().plural(count))).toEqual(["zero", "one", "other"]);
});

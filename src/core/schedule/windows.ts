import type { Millis } from '#domain/names.ts';

/** Days of the week, 0 for Sunday, and minutes of the day; `to` at or before `from` is on the day after. */
interface OpenSpan {
  readonly days: readonly number[];
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** Dates as `2026-12-24`, the last one included, and the minutes of each of those days. */
interface ClosedSpan {
  readonly from: string;
  readonly to: string;
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** When a strategy may open positions, by the clocks of a time zone. Without `open`: always but when closed. */
export interface Windows {
  readonly timezone: string;
  readonly open: readonly OpenSpan[];
  readonly closed: readonly ClosedSpan[];
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAY_MINUTES = 1440;
const MINUTE_MS = 60_000;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
/** Days in which the next change is looked for. */
const DAYS_AHEAD = 9;

/** Reads `mon-fri 09:30-16:00`, `sat,sun 10:00-12:00` or `22:00-02:00`; undefined for anything else. */
export function openSpan(text: string): OpenSpan | undefined {
  const match = /^(?:([a-z,-]+) )?(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text);
  const days = match?.[1] === undefined ? [0, 1, 2, 3, 4, 5, 6] : daysIn(match[1]);
  const fromMinute = minuteIn(match?.[2]);
  const toMinute = minuteIn(match?.[3]);
  if (!match || !days || fromMinute === undefined || toMinute === undefined || fromMinute === DAY_MINUTES) return undefined;
  return fromMinute === toMinute ? undefined : { days, fromMinute, toMinute };
}

/** Reads `2026-12-25`, `2026-12-24..2026-12-26` or `2026-12-24 13:00-24:00`; undefined for anything else. */
export function closedSpan(text: string): ClosedSpan | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:\.\.(\d{4}-\d\d-\d\d))?(?: (\d\d:\d\d)-(\d\d:\d\d))?$/.exec(text);
  const from = match?.[1] ?? '';
  const to = match?.[2] ?? from;
  const fromMinute = match?.[3] === undefined ? 0 : minuteIn(match[3]);
  const toMinute = match?.[4] === undefined ? DAY_MINUTES : minuteIn(match[4]);
  if (!isDate(from) || !isDate(to) || from > to || fromMinute === undefined || toMinute === undefined) return undefined;
  return fromMinute < toMinute ? { from, to, fromMinute, toMinute } : undefined;
}

/** A local time as windows look at it. */
interface Local {
  readonly date: string;
  readonly day: number;
  readonly minute: number;
}

/** Says whether a strategy may open positions now. A minute is looked at once: there is one order path for all of them. */
export class TradingHours {
  private readonly windows: Windows;
  private readonly format: Intl.DateTimeFormat;
  private minute = Number.NaN;
  private why: string | null = null;
  /** The next change as it was last looked for. */
  private change: { readonly from: Millis; readonly at: Millis | null } | undefined;

  constructor(windows: Windows) {
    this.windows = windows;
    this.format = new Intl.DateTimeFormat('en-GB', {
      timeZone: windows.timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  }

  /** Why nothing may be opened at an instant; null while it may. */
  closedAt(now: Millis): string | null {
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.minute) {
      this.minute = minute;
      this.why = this.inspect(this.localAt(now));
    }
    return this.why;
  }

  /** When something may next be opened, to the minute; null where that is not within eight days, or it may be now. */
  opensAt(now: Millis): Millis | null {
    return this.closedAt(now) === null ? null : this.changesAt(now);
  }

  /** When what is closed opens, or what is open closes, to the minute; null where that is not within eight days. */
  changesAt(now: Millis): Millis | null {
    const { change } = this;
    if (change !== undefined && change.from <= now && (change.at === null || now < change.at)) return change.at;
    const at = this.nextChange(Math.floor(now / MINUTE_MS) * MINUTE_MS);
    this.change = { from: now, at };
    return at;
  }

  /** Windows change where one of them begins or ends, and where the clocks are moved: those instants are looked at, in their order. */
  private nextChange(now: Millis): Millis | null {
    const { open, closed } = this.windows;
    const minutes = [...new Set([0, ...[...open, ...closed].flatMap(({ fromMinute, toMinute }) => [fromMinute, toMinute % DAY_MINUTES])])];
    const isOpen = this.inspect(this.localAt(now)) === null;
    const days = Array.from({ length: DAYS_AHEAD }, (_, day) => day);
    const moved = days.flatMap((day) => this.clockMovedIn(now + day * DAY_MS) ?? []);
    // Counted from the last move before them: the same minute may come twice, or not at all.
    const edges = [now, ...moved].flatMap((from) => {
      const { minute: here } = this.localAt(from);
      return days.flatMap((day) => minutes.map((minute) => from + (day * DAY_MINUTES + minute - here) * MINUTE_MS));
    });
    const later = [...moved, ...edges].filter((at) => at > now && at < now + DAYS_AHEAD * DAY_MS).sort((a, b) => a - b);
    return later.find((at) => (this.inspect(this.localAt(at)) === null) !== isOpen) ?? null;
  }

  /** The minute, within a day from an instant, from which on the clocks of the zone are other ones; undefined where they are not moved. */
  private clockMovedIn(from: Millis): Millis | undefined {
    const before = this.aheadAt(from);
    let [least, most] = [from, from + DAY_MS];
    if (this.aheadAt(most) === before) return undefined;
    while (most - least > MINUTE_MS) {
      const middle = least + Math.floor((most - least) / 2 / MINUTE_MS) * MINUTE_MS;
      if (this.aheadAt(middle) === before) least = middle;
      else most = middle;
    }
    return most;
  }

  /** How far the clocks of the zone are ahead of UTC at a full minute, in milliseconds. */
  private aheadAt(at: Millis): Millis {
    const { date, minute } = this.localAt(at);
    return Date.parse(`${date}T00:00:00Z`) + minute * MINUTE_MS - at;
  }

  private inspect({ date, day, minute }: Local): string | null {
    const { open, closed, timezone } = this.windows;
    const inside = (span: { readonly fromMinute: number; readonly toMinute: number }): boolean =>
      minute >= span.fromMinute && minute < span.toMinute;
    const shut = closed.find((span) => date >= span.from && date <= span.to && inside(span));
    if (shut) return `closed on ${shut.from === shut.to ? shut.from : `${shut.from}..${shut.to}`}`;
    const isOpen = open.some((span) => {
      if (span.toMinute > span.fromMinute) return span.days.includes(day) && inside(span);
      return (span.days.includes(day) && minute >= span.fromMinute) || (span.days.includes((day + 6) % 7) && minute < span.toMinute);
    });
    return open.length === 0 || isOpen ? null : `outside of the hours in ${timezone}`;
  }

  private localAt(now: Millis): Local {
    const parts = new Map(this.format.formatToParts(now).map(({ type, value }) => [type, value]));
    const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
    const date = `${of('year')}-${of('month')}-${of('day')}`;
    return { date, day: new Date(`${date}T00:00:00Z`).getUTCDay(), minute: Number(of('hour')) * 60 + Number(of('minute')) };
  }
}

function daysIn(text: string): readonly number[] | undefined {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const [first, last = first, ...more] = part.split('-').map((name) => DAYS.indexOf(name));
    if (first === undefined || last === undefined || first === -1 || last === -1 || more.length > 0) return undefined;
    // Over the end of the week, as in fri-mon.
    for (let day = first; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === last) break;
    }
  }
  return [...days].sort((a, b) => a - b);
}

function minuteIn(text = ''): number | undefined {
  const [hours = 0, minutes = Number.NaN] = text.split(':').map(Number);
  const minute = hours * 60 + minutes;
  return minutes < 60 && minute <= DAY_MINUTES ? minute : undefined;
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}

import { DAY_MS } from '../utc-day.ts';
import { type SettingKind, whole } from './kind.ts';
import { shown } from './shown.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };
const MAX_MS = 31 * DAY_MS;

/** A duration such as 500ms, 30s, 10m, 2h or 7d, above zero and at most 31 days; read as milliseconds. */
export const duration: SettingKind<number> = {
  schema: { type: 'string', pattern: '^[1-9]\\d{0,8}(ms|s|m|h|d)$' },
  read(value, report) {
    const ms = typeof value === 'string' ? spanMs(value) : undefined;
    if (ms === undefined) report([], `must be a span such as 30s, 10m or 2h, at most 31d, not ${shown(value)}`);
    return ms;
  },
  fromText: (given) => given,
};

interface CrashHalt {
  readonly count: number;
  readonly windowMs: number;
}

/** A number of crashes within a time, as in `3 in 10m`. */
export const crashHalt: SettingKind<CrashHalt> = {
  schema: { type: 'string', pattern: '^[1-9]\\d{0,2} in [1-9]\\d{0,8}(ms|s|m|h|d)$' },
  read(value, report) {
    const match = typeof value === 'string' ? /^([1-9]\d{0,2}) in (\S+)$/.exec(value) : null;
    const windowMs = match?.[2] === undefined ? undefined : spanMs(match[2]);
    if (match && windowMs !== undefined && windowMs <= DAY_MS) return { count: Number(match[1]), windowMs };
    report([], `must be a number of crashes in a time of at most 1d, such as "3 in 10m", not ${shown(value)}`);
    return undefined;
  },
  fromText: (given) => given,
};

/** A number of milliseconds as a setting has it, in the largest unit that it is a whole number of: 90s, 15m. */
export function spanText(ms: number): string {
  const fitting = Object.entries(UNITS).filter(([, unitMs]) => ms % unitMs === 0);
  const [unit, unitMs] = fitting.at(-1) ?? ['ms', 1];
  return `${ms / unitMs}${unit}`;
}

/** A text such as 30s or 2h in milliseconds; undefined for any other, and for more than 31 days. */
export function spanMs(text: string): number | undefined {
  const ms = /^[1-9]\d{0,8}[a-z]/.test(text) ? millisIn(text) : Number.NaN;
  return ms <= MAX_MS ? ms : undefined;
}

/** A text such as 500ms, 1.5h or 0s in milliseconds; NaN for any other. */
export function millisIn(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  return match ? Number(match[1]) * (UNITS[match[2] ?? ''] ?? Number.NaN) : Number.NaN;
}

/** A fixed number of milliseconds, or a range from which each is drawn. */
export type MillisOrRange = number | readonly [min: number, max: number];

/** Milliseconds, or the shortest and the longest of them. */
export function range(min: number, max: number): SettingKind<MillisOrRange> {
  const one = whole({ min, max });
  return {
    schema: { anyOf: [one.schema, { type: 'array', items: one.schema, minItems: 2, maxItems: 2 }] },
    read(value, report) {
      if (!Array.isArray(value)) return one.read(value, report);
      if (value.length !== 2) {
        report([], `must be a number or [shortest, longest], not ${value.length} values`);
        return undefined;
      }
      const shortest = one.read(value[0], (at, wrong) => report([0, ...at], wrong));
      const longest = one.read(value[1], (at, wrong) => report([1, ...at], wrong));
      if (shortest === undefined || longest === undefined) return undefined;
      if (shortest <= longest) return [shortest, longest];
      report([], `must be [shortest, longest]; ${shortest} is more than ${longest}`);
      return undefined;
    },
    ...(one.fromText && { fromText: one.fromText }),
  };
}

import { tap } from 'rxjs';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { durationMs } from '#core/strategy/duration.ts';
import { journaled } from '#core/strategy/kept-text.ts';
import { paramValues } from '#core/strategy/params.ts';
import { KairosError } from '#domain/errors.ts';
import { laneFor } from '#domain/lane.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { BacktestSession } from './session.ts';

/** A value of a strategy after its warm-up, and after one of twice the length. */
interface WarmUpValue {
  readonly strategy: string;
  /** As `observe` names it; `signal` is what `decide` is given. */
  readonly name: string;
  readonly once: unknown;
  readonly twice: unknown;
  /** How far they are apart, as a share of the larger; of lists and objects the most of any number in them. Null where more than numbers differs. */
  readonly apart: number | null;
  /** True when the longer warm-up makes no difference. */
  readonly same: boolean;
}

/** A strategy whose warm-up was doubled, or why it could not be. */
export interface WarmUpCheck {
  readonly strategy: string;
  /** `60 quotes`, `1h`. */
  readonly warmUp: string;
  /** When the values were compared; null where they were not. */
  readonly at: string | null;
  readonly values: readonly WarmUpValue[];
}

/** Values this near, as a share, are the same: sums of doubles in another order. */
const NEAR = 1e-9;

/**
 * Plays the beginning of the recording twice for each strategy, so that at one instant it has seen as much as its warm-up
 * asks for, and twice as much, and compares what its signals say then; `again` is the session anew. Throws NOT_FOUND where too little was recorded.
 */
export function checkWarmUps(session: BacktestSession, again: BacktestSession): readonly WarmUpCheck[] {
  return session.strategies.map((loaded, n) => check(session, loaded, again.strategies[n] ?? loaded));
}

function check(session: BacktestSession, loaded: LoadedStrategy, copy: LoadedStrategy): WarmUpCheck {
  const { strategy } = loaded;
  const need = strategy.definition.warmup?.(paramValues(strategy.params));
  if (!need || ('quotes' in need && need.quotes === 0)) {
    return { strategy: strategy.id, warmUp: 'none declared', at: null, values: [] };
  }
  const spans = 'quotes' in need ? spansOfQuotes(session, loaded, need.quotes) : spansOfTime(session, durationMs(need.duration, 'warmup'));
  const once = valuesAt(session, loaded, { from: spans.middle, to: spans.end });
  const twice = valuesAt(session, copy, { from: spans.begin, to: spans.end });
  const names = [...new Set([...Object.keys(twice), ...Object.keys(once)])];
  return {
    strategy: strategy.id,
    warmUp: 'quotes' in need ? `${need.quotes} quotes` : String(need.duration),
    at: isoTime(spans.end - 1),
    values: names.map((name) => {
      const apart = distance(once[name], twice[name]);
      return { strategy: strategy.id, name, once: once[name], twice: twice[name], apart, same: apart !== null && apart <= NEAR };
    }),
  };
}

interface Spans {
  readonly begin: Millis;
  readonly middle: Millis;
  readonly end: Millis;
}

function spansOfQuotes(session: BacktestSession, { strategy }: LoadedStrategy, quotes: number): Spans {
  const times = session.quoteTimes(laneFor(strategy.product, strategy.amount), 2 * quotes);
  const [begin, middle, last] = [times[0], times[quotes], times[2 * quotes - 1]];
  if (begin === undefined || middle === undefined || last === undefined) {
    throw new KairosError(
      'NOT_FOUND',
      `strategy ${strategy.id}: ${2 * quotes} quotes are needed to double its warm-up; there are ${times.length}`,
    );
  }
  return { begin, middle, end: last + 1 };
}

function spansOfTime({ from }: BacktestSession, ms: Millis): Spans {
  return { begin: from, middle: from + ms, end: from + 2 * ms + 1 };
}

/** What the strategy's signals say at the end of a time, when they began at its beginning. Nothing is decided. */
function valuesAt(session: BacktestSession, loaded: LoadedStrategy, span: { readonly from: Millis; readonly to: Millis }) {
  let signal: unknown;
  const { strategy } = loaded;
  const { warmup, ...definition } = strategy.definition;
  const silent: typeof definition = {
    ...definition,
    // Seen as it is emitted: `decide` need not be asked again about a word that it knows.
    signals: (inputs, params) =>
      definition.signals(inputs, params).pipe(
        tap((emitted) => {
          signal = journaled(emitted);
        }),
      ),
    decide: () => undefined,
  };
  const run = session.playAlone({ ...loaded, strategy: { ...strategy, definition: silent } }, span);
  const observed: Readonly<Record<string, unknown>> = run.engine.observed(strategy.id);
  return signal === undefined ? observed : { ...observed, signal };
}

/** The largest difference of two numbers in the same place, as a share of the larger; null if anything else differs. */
function distance(a: unknown, b: unknown): number | null {
  if (Object.is(a, b)) return 0;
  if (typeof a === 'number' && typeof b === 'number') {
    const share = a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
    return Number.isNaN(share) ? null : share;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return null;
  const [first, second] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  if (first.size !== second.size || ![...first.keys()].every((key) => second.has(key))) return null;
  const shares = [...first].map(([key, value]) => distance(value, second.get(key)));
  return shares.includes(null) ? null : Math.max(0, ...shares.map(Number));
}

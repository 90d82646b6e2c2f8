import type { Decision } from '#domain/decision.ts';
import type { Millis } from '#domain/names.ts';
import { type ChartSpan, keptMarks, keptValues } from './equity/kept-marks.ts';
import { withoutRepeat } from './own-signal.ts';
import { timesOf } from './refused-words.ts';

/** A value that a strategy named whenever its decision was journaled. */
export interface SignalSeries {
  readonly strategy: string;
  readonly name: string;
  /** In order of time: when, and what it was. */
  readonly points: readonly (readonly [at: Millis, value: number])[];
}

/** An intent that became no order. */
export interface RefusedIntent {
  readonly at: Millis;
  readonly side: 'buy' | 'sell';
  /** The side of the quote that it would have used, in quote currency. */
  readonly price: number;
  readonly reason: string;
  readonly strategy: string;
}

/** What charts of one product show besides prices and fills. */
interface ProductMarks {
  readonly signals: readonly SignalSeries[];
  readonly refusals: readonly RefusedIntent[];
}

/** A decision that names signals, with its product and time: kept by reference, and read when a chart is drawn. */
interface SignalDecision {
  readonly at: Millis;
  readonly strategy: string;
  readonly signals: Readonly<Record<string, unknown>>;
}

/** Refusals of a product that a chart marks. */
const MAX_REFUSALS = 2_000;

/** Collects signals and refused intents from decisions, by product. */
export class SignalCollector {
  private readonly named = new Map<string, SignalDecision[]>();
  private readonly refused = new Map<string, RefusedIntent[]>();
  private readonly refusedTimes = new Map<string, number>();

  add(decision: Decision): void {
    const { kind, at, product, strategy } = decision;
    if (product === null || strategy === null) return;
    if (kind === 'hold' || kind === 'intent') push(this.named, product, { at, strategy, signals: decision.detail.signals });
    if (kind !== 'refused') return;
    const { intent } = decision.detail;
    const price = intent.side === 'buy' ? intent.quote.buy : intent.quote.sell;
    push(this.named, product, { at, strategy, signals: intent.signals });
    this.refusedTimes.set(product, this.refusalsOf(product) + timesOf(decision.detail.repeated));
    push(this.refused, product, { at, side: intent.side, price, reason: decision.reason ?? '-', strategy });
  }

  /** Of one product; of more than a chart can show each stretch of time keeps its lowest and highest signal and each kind of refusal. */
  of(product: string, span: ChartSpan): ProductMarks {
    const all = new Map<string, Map<string, (readonly [Millis, number])[]>>();
    for (const { at, strategy, signals } of this.named.get(product) ?? []) {
      for (const [name, value] of Object.entries(signals)) {
        if (typeof value !== 'number' || !Number.isFinite(value)) continue;
        const series = all.get(strategy) ?? new Map<string, (readonly [Millis, number])[]>();
        all.set(strategy, series);
        push(series, name, [at, value] as const);
      }
    }
    return {
      signals: [...all].flatMap(([strategy, series]) =>
        [...withoutRepeat(series, ([at, value], other) => at === other[0] && value === other[1])].map(([name, points]) => ({
          ...{ strategy, name, points: keptValues(points, span) },
        })),
      ),
      refusals: keptMarks(this.refused.get(product) ?? [], span, {
        kindOf: ({ side, reason }) => `${side} ${reason}`,
        most: MAX_REFUSALS,
      }),
    };
  }

  /** How many intents of a product were refused, repetitions counted, as the table of refusals has them. */
  refusalsOf(product: string): number {
    return this.refusedTimes.get(product) ?? 0;
  }
}

function push<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const list = lists.get(key);
  if (list) list.push(one);
  else lists.set(key, [one]);
}

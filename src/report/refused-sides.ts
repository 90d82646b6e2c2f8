import type { Decision, DecisionOf } from '#domain/decision.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { Side } from '#domain/quote.ts';
import { type Headline, headline } from './headline.ts';
import { fillIn, type HeldByFills, NO_SIZE } from './held-by-fills.ts';
import { isOfLimit, RefusalsByReason, topReasons } from './refused-words.ts';

/** Refusals that go on until settings, prices or what is left to spend change. */
const LASTING: ReadonlySet<string> = new Set(['BUDGET', 'INSUFFICIENT_FUNDS', 'SIZE_LIMITS', 'SHORT_NOT_ALLOWED', 'NO_RATE']);

/** Fewer refusals, or a shorter share of the run at its end, are not told. */
const LEAST = 10;
const SHARE = 0.1;

/** Openings of a strategy on one side of a product, since one passed last. */
interface RefusedSide {
  readonly strategy: string;
  readonly product: string;
  readonly side: Side;
  /** True once an opening on this side has passed. */
  hasPassed: boolean;
  since: Millis;
  readonly refusals: RefusalsByReason;
}

/** Reads decisions for strategies of which no opening on one side passed any more, or ever, though they traded. */
export class RefusedSides {
  private readonly sides = new Map<string, RefusedSide>();
  private readonly traded = new Set<string>();
  private readonly held: HeldByFills;
  private from: Millis | undefined;
  private to: Millis = 0;

  constructor(held: HeldByFills) {
    this.held = held;
  }

  add(decision: Decision): void {
    this.from ??= decision.at;
    this.to = decision.at;
    if (decision.kind === 'refused') this.refused(decision);
    else if (decision.kind === 'intent') this.passed(decision);
    else if (decision.strategy !== null && fillIn(decision) !== null) this.traded.add(decision.strategy);
  }

  /** One line for each. Of a strategy that never traded another headline says why. */
  headlines(run: { readonly isPlayed: boolean; readonly isBeyond: (strategy: string) => boolean }): readonly Headline[] {
    return [...this.sides.values()]
      .filter((one) => this.isTold(one))
      .map((one) => {
        const { strategy, product, side, hasPassed, since, refusals } = one;
        const words = refusals.topWords({ isPlayed: run.isPlayed, isBeyond: run.isBeyond(strategy) });
        const when = hasPassed ? ` from ${isoTime(since)} on` : '';
        const text = `strategy ${strategy}: no ${side} that opens in ${product} passed${when}: refused ${topReasons(refusals.counts)}${words}`;
        return headline('SIDE_REFUSED', text, { strategy, at: hasPassed ? since : null });
      });
  }

  private isTold({ strategy, refusals, hasPassed, since }: RefusedSide): boolean {
    if (refusals.total < LEAST || !this.traded.has(strategy)) return false;
    return !hasPassed || this.to - since > SHARE * (this.to - (this.from ?? this.to));
  }

  private refused(row: DecisionOf<'refused'>): void {
    const { at, strategy, product, reason, detail } = row;
    if (strategy === null || product === null || reason === null || !(LASTING.has(reason) || isOfLimit(reason))) return;
    const one = this.sideOf({ strategy, product, side: detail.intent.side });
    if (one.refusals.counts.size === 0) one.since = at;
    one.refusals.add(row);
  }

  private passed({ strategy, product, detail }: DecisionOf<'intent'>): void {
    if (strategy === null || product === null) return;
    const { side, quote } = detail;
    const after = (this.held.of(strategy, product) + (side === 'buy' ? quote.size : -quote.size)) * (side === 'buy' ? 1 : -1);
    if (after < NO_SIZE) return;
    const one = this.sideOf({ strategy, product, side });
    one.hasPassed = true;
    one.refusals.clear();
  }

  private sideOf({ strategy, product, side }: Pick<RefusedSide, 'strategy' | 'product' | 'side'>): RefusedSide {
    const key = `${strategy} ${product} ${side}`;
    const known = this.sides.get(key);
    if (known) return known;
    const one = { strategy, product, side, hasPassed: false, since: 0, refusals: new RefusalsByReason() };
    this.sides.set(key, one);
    return one;
  }
}

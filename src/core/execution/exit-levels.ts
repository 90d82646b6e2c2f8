/** A price at which a rule of `exits` would close the position. */
export interface ExitLevel {
  readonly reason: 'STOP_LOSS' | 'TAKE_PROFIT' | 'TRAILING_STOP';
  /** In quote currency: the closing side of the quote. */
  readonly price: number;
}

/** The rules that close at a price, in percent of it; null is off. */
interface PriceRules {
  readonly takeProfitPct: number | null;
  readonly stopLossPct: number | null;
  readonly trailingPct: number | null;
  /** Gain from which the trailing stop counts; null: from the start. */
  readonly activateAtPct: number | null;
}

/** An open position as its exits see it. */
interface Position {
  readonly average: number;
  /** The best closing price since it was opened. */
  readonly best: number;
  readonly isShort: boolean;
  /** What the quote charges, in percent; 0 where gains count before fees. */
  readonly feePct: number;
}

/** Where the exits of a position stand, for people: doubles, where `Exits` decides in decimals. A trailing stop counts from its gain on. */
export function exitLevels(rules: PriceRules, position: Position): readonly ExitLevel[] {
  const { stopLossPct, takeProfitPct, trailingPct, activateAtPct } = rules;
  const { average, best, isShort, feePct } = position;
  const at = (gainPct: number): number =>
    average * (isShort ? (100 - gainPct - feePct) / (100 + feePct) : (100 + gainPct + feePct) / (100 - feePct));
  const isTrailing = trailingPct !== null && (activateAtPct === null || (isShort ? best <= at(activateAtPct) : best >= at(activateAtPct)));
  return [
    ...(stopLossPct === null ? [] : [{ reason: 'STOP_LOSS' as const, price: at(-stopLossPct) }]),
    ...(takeProfitPct === null ? [] : [{ reason: 'TAKE_PROFIT' as const, price: at(takeProfitPct) }]),
    ...(isTrailing ? [{ reason: 'TRAILING_STOP' as const, price: best * (1 + ((isShort ? 1 : -1) * trailingPct) / 100) }] : []),
  ];
}

import type { DecisionView } from '#server/page/past-view.ts';

/** A decision as the feed shows it: the newest of those in a row that are the same. */
export interface RepeatedDecision {
  readonly row: DecisionView;
  /** How many times it was decided, those that the journal has in one row included. */
  readonly times: number;
  /** The oldest of them. */
  readonly first: DecisionView;
}

/** Kinds that say the same again with each quote. */
const REPEATING: ReadonlySet<string> = new Set(['refused', 'hold', 'threw', 'clock', 'lag']);

/** How often a row counts: the words of one that stands for several end with that. */
export const timesOf = ({ words }: DecisionView): number => Number(/ \| (\d+) times$/.exec(words)?.[1] ?? 1);

/** Rows, the newest first, with those of a strategy that say the same in a row as one. */
export function collapsed(rows: readonly DecisionView[]): readonly RepeatedDecision[] {
  const shown: RepeatedDecision[] = [];
  const places = new Map<string, { readonly at: number; readonly says: string }>();
  for (const row of rows) {
    const { kind, strategy, product, reason, order, words } = row;
    const whose = `${strategy} ${product}`;
    const says = order === null && REPEATING.has(kind) ? `${kind} ${reason} ${words.split(' | ')[0]}` : '';
    const last = places.get(whose);
    const newer = last && last.says === says && says !== '' ? shown[last.at] : undefined;
    if (last && newer) shown[last.at] = { row: newer.row, times: newer.times + timesOf(row), first: row };
    else {
      places.set(whose, { at: shown.length, says });
      shown.push({ row, times: timesOf(row), first: row });
    }
  }
  return shown;
}

import { isoTime } from '../domain/names.ts';
import type { Equity } from './equity/equity.ts';
import type { Halt } from './orders-seen.ts';
import type { FillQuality } from './quality.ts';
import type { RunRecord } from './record.ts';

const NO_IMPACT = 'no market impact is assumed';

/** What must be read first: the mode and how far the fills can be believed, then a halt, then the rest. */
export function headlines(of: {
  readonly record: RunRecord;
  readonly quality: FillQuality | string;
  readonly halts: readonly Halt[];
  readonly notes: readonly string[];
  readonly equity: Equity | string;
  /** Orders whose outcome is not known. */
  readonly unknown: number;
}): readonly string[] {
  const { record, quality, halts, notes, equity, unknown } = of;
  const mode = record.mode.toUpperCase();
  const share =
    typeof quality === 'string'
      ? `share of exact fills n/a: ${quality}`
      : quality.fills === 0
        ? 'nothing was executed'
        : `${((quality.exact / quality.fills) * 100).toFixed(1)} % exact fills (${quality.exact} of ${quality.fills})`;
  const crowded =
    typeof quality !== 'string' && quality.crowded > 0 ? `, ${quality.crowded} fills within one validity of an earlier one` : '';
  return [
    `${mode}  ${share}`,
    ...halts.map(({ from, to, why }) => `HALTED at ${isoTime(from)}${to === null ? ' to the end' : ` until ${isoTime(to)}`}: ${why}`),
    ...(unknown === 0
      ? []
      : [`${unknown} ${unknown === 1 ? 'order' : 'orders'} of unknown outcome: what may have moved is not in the figures`]),
    ...(typeof equity === 'string' || equity.ruinedAt === null ? [] : [`the capital was gone at ${isoTime(equity.ruinedAt)}`]),
    ...(record.mode === 'live' || notes.some((note) => note.startsWith(NO_IMPACT)) ? [] : [`${NO_IMPACT}${crowded}`]),
    ...notes,
  ];
}

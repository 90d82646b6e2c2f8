import type { Millis } from '#domain/names.ts';
import { counted } from './summary.ts';
import type { OpenPosition, ReportedTrade } from './trades.ts';

/**
 * Why the net profit of a run is not what its round trips and open positions made together, if some of these began before the run did;
 * undefined if none did.
 */
export function inheritedNote(
  trades: readonly Pick<ReportedTrade, 'openedAt'>[],
  open: readonly Pick<OpenPosition, 'openedAt'>[],
  startedAt: Millis,
): string | undefined {
  const before = (all: readonly { readonly openedAt: Millis | null }[]): number =>
    all.filter(({ openedAt }) => openedAt !== null && openedAt < startedAt).length;
  const [closed, held] = [before(trades), before(open)];
  if (closed + held === 0) return undefined;
  const parts = [...(closed > 0 ? [counted(closed, 'round trip')] : []), ...(held > 0 ? [counted(held, 'open position')] : [])];
  return `opened in an earlier run: ${parts.join(' and ')}, with the whole profit since then; the net profit has only what was made from the start of this run`;
}

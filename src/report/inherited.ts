import type { Millis } from '#domain/names.ts';
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
  const parts = [counted(before(trades), 'round trip'), counted(before(open), 'open position')].filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  return `opened in an earlier run: ${parts.join(' and ')}, with the whole profit since then; the net profit has only what was made from the start of this run`;
}

const counted = (count: number, what: string): string | undefined =>
  count === 0 ? undefined : `${count} ${what}${count === 1 ? '' : 's'}`;

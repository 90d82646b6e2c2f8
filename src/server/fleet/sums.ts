import { MODE_NAMES } from '#domain/mode.ts';
import type { MadeView } from '#server/page/view.ts';
import type { DaemonReport, DaemonView, ModeSums } from './view.ts';

/**
 * The profits of all daemons that have said some, live ones first: real money is added to no other. One that is named twice counts once.
 * Today's of a silent one is not known; nothing is of one that has never answered, which may be of any mode.
 */
export function sumsOf(daemons: readonly DaemonView[]): readonly ModeSums[] {
  const without = daemons.flatMap(({ name, said }) => (said === null ? name : []));
  const byMode = Map.groupBy(runsOf(daemons), ({ mode }) => mode);
  return MODE_NAMES.toReversed().flatMap((mode) => {
    const of = byMode.get(mode);
    return of ? [{ mode, ...summed(of), without }] : [];
  });
}

/** What is said of each run, by a daemon that answers where one does. */
function runsOf(daemons: readonly DaemonView[]): readonly DaemonReport[] {
  const told = daemons.flatMap(({ said, reach }) => (said ? { said, isSilent: reach === 'silent' } : []));
  return [...Map.groupBy(told, ({ said }) => said.run).values()].flatMap((those) => {
    const [one] = those.toSorted((a, b) => Number(a.isSilent) - Number(b.isSilent));
    if (!one) return [];
    return one.isSilent ? { ...one.said, profitOfDayIn: unknownDay(one.said) } : one.said;
  });
}

const unknownDay = ({ profitOfDayIn }: DaemonReport): readonly MadeView[] => profitOfDayIn.map((made) => ({ ...made, profit: null }));

const summed = (said: readonly DaemonReport[]) => ({
  profitOfDayIn: byCurrency(said.flatMap(({ profitOfDayIn }) => profitOfDayIn)),
  profitIn: byCurrency(said.flatMap(({ profitIn }) => profitIn)),
});

/** One for each currency; null where a part of it is not known. */
function byCurrency(amounts: readonly MadeView[]): readonly MadeView[] {
  const sums = new Map<string, number | null>();
  for (const { currency, profit } of amounts) {
    const sum = sums.get(currency);
    sums.set(currency, profit === null || sum === null ? null : (sum ?? 0) + profit);
  }
  return [...sums].map(([currency, profit]) => ({ currency, profit }));
}

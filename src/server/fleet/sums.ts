import { MODE_NAMES } from '#domain/mode.ts';
import type { MadeView } from '#server/page/view.ts';
import type { DaemonReport, DaemonView, ModeSums } from './view.ts';

/** The profits of all daemons that have said some, live ones first: real money is added to no other. Today's of a silent one is not known. */
export function sumsOf(daemons: readonly DaemonView[]): readonly ModeSums[] {
  const said = Map.groupBy(
    daemons.flatMap(({ said, reach }) => (said && reach === 'silent' ? { ...said, profitOfDayIn: unknownDay(said) } : (said ?? []))),
    ({ mode }) => mode,
  );
  return MODE_NAMES.toReversed().flatMap((mode) => {
    const of = said.get(mode);
    return of ? [{ mode, ...summed(of) }] : [];
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

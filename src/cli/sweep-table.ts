import { moneyText } from '#domain/money-text.ts';
import type { SweepView } from '#server/fleet/view.ts';
import { printTable } from './output.ts';

/** Prints the sweeps that go on on a queue; `engine`: the Kairos that plays them. */
export function printSweeps(sweeps: readonly (Omit<SweepView, 'version'> & { readonly engine: string })[]): void {
  printTable(
    ['sweep', 'from', 'engine', 'finished', 'of', 'workers', 'most earned so far'],
    sweeps.map(({ sweep, host, engine, finished, wanted, workers, paused, best }) => [
      ...[sweep, host, engine, String(finished), String(wanted)],
      paused ? `${workers}, paused` : String(workers),
      bestText(best),
    ]),
  );
}

/** What earned most. */
export const bestText = (best: SweepView['best']): string => (best ? `${moneyText(best.netProfit, '')} with ${best.params}` : '-');

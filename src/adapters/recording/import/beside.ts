import { lanesIn, type RecordedLane, readableIn } from '#adapters/recording/catalog.ts';
import { IMPORTED } from '#adapters/recording/manifest.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { isLentLane } from '#domain/lane.ts';

/** Quotes of the same product in the folder of an import. */
export interface Beside {
  /** Of a service, by runs and `kairos record`: backtests play the imported ones instead. */
  readonly recorded: readonly RecordedLane[];
  /** Of other imports: backtests play the lane that is nearest to an amount. */
  readonly imported: readonly RecordedLane[];
}

/** What else a folder of recordings has of the product of an import. Throws RECORDING_UNREADABLE. */
export function besideImport(dir: string, { run, product }: { readonly run: string; readonly product: string }): Beside {
  const logs = readableIn(dir).logs.map((log) => ({ log, ...openRun(log).header }));
  const lanesOf = (isWanted: (book: string) => boolean): readonly RecordedLane[] =>
    logs
      .filter((one) => one.run !== run && isWanted(one.book))
      .flatMap(({ log }) => lanesIn(log))
      .filter((one) => one.product === product && !isLentLane(one.lane));
  return { recorded: lanesOf((book) => book !== IMPORTED), imported: lanesOf((book) => book === IMPORTED) };
}

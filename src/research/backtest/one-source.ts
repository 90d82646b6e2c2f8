import { IMPORTED } from '#adapters/recording/manifest.ts';
import type { RecordedRun } from '#adapters/recording/open-run.ts';
import { SealedRun } from '#adapters/recording/sealed-run.ts';
import { KairosError } from '#domain/errors.ts';
import { isoTime, type Millis } from '#domain/names.ts';

/** The time that is played; all of it without its ends. */
export interface PlayedTime {
  readonly from?: Millis | undefined;
  readonly to?: Millis | undefined;
}

/**
 * Whether quotes of a recording are played. Imported prices and those of a service are never one market, so each product is played from one
 * source: what was imported of it for the time that is played, and what was recorded where nothing was.
 */
export function oneSource(
  readers: readonly RecordedRun[],
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: PlayedTime,
): (quotes: { readonly run: string; readonly product: string }) => boolean {
  const imports = readers.filter(({ header }) => header.book === IMPORTED);
  const quotes = imports.flatMap((reader) => reader.parts().flatMap((part) => (part instanceof SealedRun ? part.manifest.quotes : [])));
  const imported = new Set(quotes.filter((one) => one.to >= from && one.from <= to).map(({ product }) => product));
  const runs = new Set(imports.map(({ header }) => header.run));
  return ({ run, product }) => runs.has(run) === imported.has(product);
}

/** Throws USAGE where the time that was asked for ends before it begins. */
export function throwIfBackwards({ from, to }: PlayedTime): void {
  if (from === undefined || to === undefined || from < to) return;
  throw new KairosError('USAGE', `--to ${isoTime(to)} must be later than --from ${isoTime(from)}`);
}

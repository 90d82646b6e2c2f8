import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ImportOptions, importFile } from '#adapters/recording/import/import-file.ts';
import type { ColumnMap } from '#adapters/recording/import/row.ts';
import type { TickOptions } from '#adapters/recording/import/ticks.ts';
import { readManifest } from '#adapters/recording/manifest.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { newFolder } from '../../support/folder.ts';

/** When the first bar of most files begins. */
export const AT = Date.UTC(2024, 7, 1);
export const MINUTE = 60_000;

/** How a file of a test is imported, and the asks beside it. */
export interface Given extends Partial<Omit<ImportOptions, 'map' | 'ticks' | 'askFile'>> {
  readonly map?: Partial<ColumnMap>;
  readonly ticks?: Partial<TickOptions>;
  readonly asks?: string;
}

/** Imports a text as a file of bars, into a folder that the end of the test removes. */
export async function imported(content: string | Uint8Array, given: Given = {}) {
  const dir = newFolder();
  const { map, ticks, asks, ...others } = given;
  const file = path.join(dir, 'bars.csv');
  writeFileSync(file, content);
  const askFile = asks === undefined ? undefined : path.join(dir, 'asks.csv');
  if (askFile !== undefined && asks !== undefined) writeFileSync(askFile, asks);
  const lane = laneFor(productCode('btcusd'), amountOf({ base: '1' }));
  const quotes: TickOptions = {
    ...{ lane, baseCcy: currency('btc'), quoteCcy: currency('usd'), size: 1, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'drop' },
    ...ticks,
  };
  const out = path.join(dir, 'out');
  // A file with both sides has its own spread.
  const isOneSided = asks === undefined && !/^.*bid.*ask/i.test(content.toString());
  const spread = isOneSided ? { spreadBps: 0 } : {};
  const again = ({ ticks: other, ...more }: Pick<Given, 'spreadBps' | 'overlap' | 'ticks'>) =>
    importFile({ file, askFile, map: { unit: 'auto', ...map }, out, ...spread, ...others, ...more, ticks: { ...quotes, ...other } });
  const result = await again({});
  const played = [...openRun(logPath(out, result.run)).items()].map((item): [number, number, number] => {
    if (item.kind !== 'conflated') throw new Error('an imported quote has no number');
    return [item.at, item.quote.sell.price, item.quote.buy.price];
  });
  return { result, again, played, manifest: readManifest(path.join(result.path, 'sealed')) };
}

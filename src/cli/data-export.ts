import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CandlePrices } from '#adapters/recording/candle-file.ts';
import type { ExportFormat } from '#adapters/recording/export-file.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { spanMs } from '#domain/settings/spans.ts';
import { addDataFolder, dataFolder, type FolderOptions } from './data-folder.ts';
import { instant } from './instant.ts';
import { printJson, printLine, printNote } from './output.ts';
import { outputFile } from './output-file.ts';
import { addConfigOptions } from './settings.ts';

interface Options extends FolderOptions {
  readonly out: string;
  readonly format?: ExportFormat;
  readonly product?: readonly string[];
  readonly from?: Millis;
  readonly to?: Millis;
  readonly candles?: Millis;
  readonly prices?: CandlePrices;
  readonly json?: boolean;
}

/** Adds `data export`: recorded quotes for other programs. */
export function addDataExport(data: Command): void {
  addConfigOptions(addDataFolder(data.command('export')))
    .description('write recorded quotes, or candles of them, into one CSV or Parquet file')
    .requiredOption('--out <file>', 'file to write, .csv or .parquet', outputFile('quotes'))
    .addOption(new Option('--format <format>', 'the format, where the name does not say it').choices(['csv', 'parquet']))
    .option('--product <code>', 'only this product, repeatable', (code: string, before: readonly string[] = []) => [
      ...before,
      code.toLowerCase(),
    ])
    .option('--from <time>', 'arrived at this time or later, ISO 8601', instant)
    .option('--to <time>', 'arrived before this time, ISO 8601', instant)
    .option('--candles <width>', 'candles of this width instead, such as 1m or 1d', width)
    .addOption(new Option('--prices <side>', 'which prices candles are of').choices(['both', 'bid', 'ask', 'mid']))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  kairos data export --product btcusd --from 2026-11-20T00:00:00Z --out btcusd.csv\n  kairos data export --product btcusd --candles 1m --out btcusd-1m.csv',
    )
    .action(exportData);
}

async function exportData(dir: string | undefined, options: Options): Promise<void> {
  const { out, product, from, to, candles, prices } = options;
  if (prices !== undefined && candles === undefined) throw new KairosError('USAGE', '--prices is of candles: add --candles, such as 1m');
  const format = options.format ?? formatOf(out);
  const { openColumns } = await import('#adapters/recording/open-columns.ts');
  const { exportQuotes } = await import('#adapters/recording/export-file.ts');
  const { progressBar } = await import('./progress.ts');
  const filter = {
    ...(product && { reads: (lane: { readonly product: string }) => product.includes(lane.product) }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  const data = dataFolder(dir, options);
  const { columns: lanes, spans } = openColumns(data, filter, printNote);
  if (lanes.length === 0)
    throw new KairosError(
      'NOT_FOUND',
      `no such quotes are recorded in ${data}; kairos data list ${data} shows what is, and another folder is named as the argument or by --data`,
    );
  const { overlapHeadlines } = await import('#research/backtest/overlap-headlines.ts');
  const { overlapping } = await import('#adapters/recording/spans.ts');
  const exported = {
    played: new Set(lanes.map((lane) => lane.product)),
    from: from ?? Number.NEGATIVE_INFINITY,
    to: to ?? Number.POSITIVE_INFINITY,
  };
  for (const { text } of overlapHeadlines({ columns: lanes, overlapping: overlapping(spans) }, exported)) printNote(text);
  const progress = progressBar(`exporting ${out}`);
  const file = { file: out, format, onShare: progress.show };
  const write = async (): Promise<number> => {
    if (candles === undefined) return exportQuotes(lanes, file);
    const { exportCandles } = await import('#adapters/recording/candle-file.ts');
    const { importsAt } = await import('#adapters/recording/import/imports.ts');
    const bars = new Set(importsAt(data).flatMap(({ product: of, facts }) => (facts.barMs === null ? [] : [of])));
    return exportCandles(lanes, { ...file, widthMs: candles, prices: prices ?? 'both', areBars: ({ product: of }) => bars.has(of) });
  };
  const count = await write().finally(progress.end);
  const what = candles === undefined ? 'quotes' : 'candles';
  if (options.json) return printJson({ file: out, format, lanes: lanes.length, [what]: count });
  printLine(`${count} ${what} of ${lanes.length} ${lanes.length === 1 ? 'lane' : 'lanes'} in ${out}`);
}

function width(text: string): Millis {
  const ms = text.endsWith('ms') ? undefined : spanMs(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError('It must be a width such as 10s, 1m, 1h or 1d, at most 31d.');
}

function formatOf(file: string): ExportFormat {
  const [, ending] = /\.(csv|parquet)$/i.exec(file) ?? [];
  if (ending === undefined) throw new KairosError('USAGE', `${file}: end its name with .csv or .parquet, or add --format`);
  return ending.toLowerCase() === 'csv' ? 'csv' : 'parquet';
}

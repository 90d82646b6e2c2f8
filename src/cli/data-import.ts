import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Decimal, decimalOf } from '../domain/decimal.ts';
import { KairosError } from '../domain/errors.ts';
import { laneFor } from '../domain/lane.ts';
import { currency, productCode } from '../domain/names.ts';
import type { TimeUnit } from '../recording/import/cells.ts';
import type { Crossed } from '../recording/import/ticks.ts';
import { positiveNumber, wholeNumber } from './numbers.ts';
import { printJson, printLine } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly product: string;
  readonly time: string;
  readonly bid: string;
  readonly ask: string;
  readonly unit: TimeUnit;
  readonly size?: Decimal;
  readonly base?: string;
  readonly quote?: string;
  readonly feePct: number;
  readonly validMs: number;
  readonly bar: number;
  readonly crossed: Crossed;
  readonly out?: string;
  readonly json?: boolean;
}

/** Adds `data import`: other people's prices as a recording. */
export function addDataImport(data: Command): void {
  addConfigOptions(data.command('import'))
    .description('make a CSV (gz or not) or Parquet file of bid and ask into a recording of one lane')
    .argument('<file>', 'the file; a CSV has a header line')
    .requiredOption('--product <code>', 'product that the prices are of, such as eurusd')
    .option('--time <column>', 'column of times', 'time')
    .option('--bid <column>', 'column of bids; of bars, that of their last bid', 'bid')
    .option('--ask <column>', 'column of asks', 'ask')
    .addOption(
      new Option('--unit <unit>', 'what times count; auto goes by magnitude')
        .choices(['auto', 's', 'ms', 'us', 'ns', 'iso'])
        .default('auto'),
    )
    .addOption(new Option('--size <number>', 'size of the lane in base currency').argParser(positiveNumber).default(undefined, '1'))
    .option('--base <currency>', "base currency (default: the product code's first three letters)")
    .option('--quote <currency>', "quote currency (default: the product code's last three letters)")
    .option('--fee-pct <number>', 'fee in percent of the value', percent, 0)
    .option('--valid-ms <number>', 'how long a quote may be used, in milliseconds', wholeNumber(1, 86_400_000), 3000)
    .option('--bar <seconds>', 'rows are bars of this width, named by their begin: known at their end', wholeNumber(0, 86_400), 0)
    .addOption(new Option('--crossed <what>', 'what becomes of rows with ask below bid').choices(['drop', 'keep', 'fail']).default('drop'))
    .option('--out <dir>', 'folder of recordings that gets it (default: recording.dir)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos data import ticks.csv.gz --product eurusd --time ts_ms --bid bid --ask ask --size 1000')
    .action(importData);
}

async function importData(file: string, options: Options): Promise<void> {
  const { importFile } = await import('../recording/import/import-file.ts');
  const { IN_THREAD } = await import('../wiring/recording/import-thread.ts');
  const { progressBar } = await import('./progress.ts');
  const { time, bid, ask, unit, feePct, validMs, bar, crossed } = options;
  const { base, quote } = currenciesOf(options);
  const size = options.size ?? decimalOf(1);
  const progress = progressBar(`importing ${file}`);
  const imported = await importFile({
    file,
    map: { time, bid, ask, unit },
    ticks: {
      lane: laneFor(productCode(options.product), { base: size }),
      baseCcy: currency(base),
      quoteCcy: currency(quote),
      size: size.toNumber(),
      feePercentage: feePct,
      validMs,
      afterMs: bar * 1000,
      crossed,
    },
    out: options.out ?? configFrom(options).settings.recording.dir,
    onShare: progress.show,
    elsewhere: IN_THREAD,
  }).finally(progress.end);
  if (options.json) return printJson(imported);
  const { rows, quotes, locked, unordered, repeated, equalTime, path, lane, from, to, bytes } = imported;
  printLine(`${quotes} ${quotes === 1 ? 'quote' : 'quotes'} of ${lane} from ${from} to ${to} in ${path} (${Math.ceil(bytes / 1000)} kB)`);
  printLine(
    `${rows} rows: ${imported.crossed} crossed (${crossed}), ${locked} locked, ${unordered} unordered, ${repeated} repeated, ${equalTime} of equal time; all in file order`,
  );
}

const CODE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

function currenciesOf({ product, base, quote }: Options): { readonly base: string; readonly quote: string } {
  if (!CODE.test(product))
    throw new KairosError('USAGE', `--product: ${JSON.stringify(product.slice(0, 60))} is no product code, such as eurusd`);
  const [, first, last] = /^([A-Za-z]{3})[._-]?([A-Za-z]{3})$/.exec(product) ?? [];
  const known = { base: base ?? first?.toLowerCase(), quote: quote ?? last?.toLowerCase() };
  if (known.base === undefined || known.quote === undefined) {
    throw new KairosError(
      'USAGE',
      `--product ${product} does not tell its currencies: add --base and --quote, such as --base btc --quote usdt`,
    );
  }
  for (const name of [known.base, known.quote])
    if (!CODE.test(name)) throw new KairosError('USAGE', `${JSON.stringify(name)} is no currency, such as usd`);
  return { base: known.base, quote: known.quote };
}

function percent(text: string): number {
  const value = /^\d{1,3}(\.\d{1,8})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('It must be a percentage from 0 to 100, such as 0.1.');
}

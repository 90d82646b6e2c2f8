import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BarPath, BarStamp } from '#adapters/recording/import/bars.ts';
import { importLines, narrowLines } from '#adapters/recording/import/import-lines.ts';
import type { ImportOf } from '#adapters/recording/import/imports.ts';
import {
  type BadRows,
  type DecimalSign,
  FORMAT_NAMES,
  type FormatName,
  type PriceIs,
  type TimeUnit,
} from '#adapters/recording/import/row.ts';
import type { CrossedPolicy } from '#adapters/recording/import/ticks.ts';
import { fromZone } from '#core/schedule/local-time.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import { laneFor } from '#domain/lane.ts';
import { currency, isProductCode, productCode } from '#domain/names.ts';
import { positiveNumber, wholeNumber } from './numbers.ts';
import { printJson, printLine, printNote } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';
import { onStopSignal } from './stop-signal.ts';

interface Options extends ConfigOptions {
  readonly product: string;
  readonly format?: FormatName;
  readonly askFile?: string;
  readonly time?: string;
  readonly bid?: string;
  readonly ask?: string;
  readonly price?: string;
  readonly close?: string;
  readonly low?: string;
  readonly high?: string;
  readonly open?: string;
  readonly unit: TimeUnit;
  readonly zone?: string;
  readonly dates?: 'dmy' | 'mdy';
  readonly decimal?: DecimalSign;
  readonly size?: Decimal;
  readonly base?: string;
  readonly quote?: string;
  readonly spreadBps?: number;
  readonly spread?: string;
  readonly point?: Decimal;
  readonly priceIs?: PriceIs;
  readonly feePct?: number;
  readonly validMs: number;
  readonly bar: number;
  readonly barPath: BarPath;
  readonly stamp?: BarStamp;
  readonly crossed: CrossedPolicy;
  readonly bad: BadRows;
  readonly overlap: 'fail' | 'keep';
  readonly out?: string;
  readonly json?: boolean;
}

/** Adds `data import`: prices of other sources as a recording. */
export function addDataImport(data: Command): void {
  const command = addConfigOptions(data.command('import'))
    .description('make a CSV (gz or not) or Parquet file of ticks or bars into a recording of one lane')
    .argument('<file>', 'the file; its header, or its columns, tell what it is')
    .requiredOption('--product <code>', 'product that the prices are of, such as eurusd')
    .addOption(new Option('--format <name>', 'what the file is, where its columns do not tell').choices([...FORMAT_NAMES]))
    .option('--ask-file <file>', 'bars of the ask, where the file has only bids');
  addColumns(command)
    .addOption(
      new Option('--unit <unit>', 'unit of times; auto goes by magnitude').choices(['auto', 's', 'ms', 'us', 'ns', 'iso']).default('auto'),
    )
    .option('--zone <zone>', 'zone of times without one, such as Europe/Berlin or -05:00 (default: UTC)')
    .addOption(new Option('--dates <order>', 'what comes first in dates such as 3/4/2026').choices(['dmy', 'mdy']))
    .addOption(new Option('--decimal <sign>', 'decimal sign of prices (default: as the rows tell)').choices(['point', 'comma']))
    .addOption(new Option('--size <number>', 'size of the lane in base currency').argParser(positiveNumber).default(undefined, '1'))
    .option('--base <currency>', "base currency (default: the product code's first three letters)")
    .option('--quote <currency>', "quote currency (default: the product code's last three letters)")
    .option('--spread-bps <number>', 'assumed spread in hundredths of a percent, for one price', basisPoints)
    .option('--spread <column>', 'column of the spread, for one price')
    .option('--point <number>', 'worth of one unit of that spread; MetaTrader needs it', positiveNumber)
    .addOption(new Option('--price-is <side>', 'which one that price is (default: mid)').choices(['mid', 'bid', 'ask']))
    .option('--fee-pct <number>', 'fee in percent of the value (default: 0)', percent)
    .option('--valid-ms <number>', 'how long a quote may be used, in milliseconds', wholeNumber(1, 86_400_000), 3000)
    .addOption(
      new Option('--bar <seconds>', 'width of bars, known at their end').argParser(wholeNumber(0, 31_622_400)).default(0, 'measured'),
    )
    .addOption(new Option('--stamp <moment>', "which moment a bar's time is (default: its begin)").choices(['begin', 'end']))
    .addOption(
      new Option('--bar-path <path>', 'its close alone, or first its low bid and high ask').choices(['close', 'worst']).default('close'),
    )
    .addOption(new Option('--crossed <what>', 'rows with ask below bid').choices(['drop', 'keep', 'fail']).default('drop'))
    .addOption(new Option('--bad <what>', 'rows that cannot be read').choices(['fail', 'drop']).default('fail'))
    .addOption(
      new Option('--overlap <what>', 'where an earlier import has the same time; keep plays both')
        .choices(['fail', 'keep'])
        .default('fail'),
    )
    .option('--out <dir>', 'folder of recordings that gets it (default: recording.dir)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  kairos data import BTCUSDT-1m-2026-11.csv --product btcusdt --base btc --quote usdt --spread-bps 2',
    )
    .action(importData);
}

/** Names of columns, where they are not the usual ones. */
const addColumns = (command: Command): Command =>
  command
    .option('--time <column>', 'column of times (default: the usual names, as with others)')
    .option('--bid <column>', 'column of bids; of bars, that of their last bid')
    .option('--ask <column>', 'column of asks; of bars, that of their last ask')
    .option('--price <column>', 'column of the only price; of bars, the close')
    .option('--close <column>', 'another name of --price, for files of bars')
    .option('--low <column>', 'column of lows, of the bid with two sides')
    .option('--high <column>', 'column of highs, of the ask with two sides')
    .option('--open <column>', 'column of opens, to check the range');

/** What is made of the file. Throws USAGE for options that say two things. */
function wantedOf(file: string, options: Options, size: Decimal, { base, quote, asked }: ReturnType<typeof currenciesOf>) {
  const { askFile, zone, feePct, validMs, bar, crossed, spreadBps, barPath, stamp, overlap, close, price = close } = options;
  const { time, bid, ask, low, high, open, spread, point, priceIs, unit, dates, decimal, format, bad } = options;
  if (close !== undefined && close !== price)
    throw new KairosError('USAGE', '--close and --price name the same column: leave out one of them');
  return {
    ...{
      file,
      askFile,
      spreadBps,
      barPath,
      stamp,
      asked,
      overlap,
      feeAssumed: feePct === undefined,
      sizeAssumed: options.size === undefined,
    },
    map: {
      ...{ time, bid, ask, price, low, high, open, spread, point, priceIs, unit, dates, decimal, format, bad, zone },
      ...{ toUtc: zone === undefined ? undefined : fromZone(zone), zones: fromZone },
    },
    ticks: {
      lane: laneFor(productCode(options.product), { base: size }),
      ...{ baseCcy: currency(base), quoteCcy: currency(quote), size: size.toNumber() },
      ...{ feePercentage: feePct ?? 0, validMs, afterMs: bar * 1000, crossed },
    },
  };
}

async function importData(file: string, options: Options): Promise<void> {
  const { clearImports, importFile } = await import('#adapters/recording/import/import-file.ts');
  const { IN_THREAD } = await import('#daemon/run/record/import-thread.ts');
  const { productLike } = await import('#paper-venue/product-like.ts');
  const { progressBar } = await import('./progress.ts');
  const size = options.size ?? decimalOf(1);
  const currencies = currenciesOf(options);
  const wanted = wantedOf(file, options, size, currencies);
  const out = options.out ?? configFrom(options).settings.recording.dir;
  const progress = progressBar(`importing ${file}`);
  const heard = onStopSignal(({ exitCode }) => {
    clearImports(out);
    process.exit(exitCode);
  });
  const imported = await importFile({
    ...wanted,
    out,
    onShare: progress.show,
    elsewhere: IN_THREAD,
  }).finally(() => {
    heard();
    progress.end();
  });
  const { besideImport, besideLines } = await import('#adapters/recording/import/beside.ts');
  const product = productCode(options.product);
  const beside = besideImport(out, { run: imported.run, product });
  const { importSettings, importSettingsLines } = await import('#research/backtest/import-settings.ts');
  const { importsAt } = await import('#adapters/recording/import/imports.ts');
  const imports = importsAt(out);
  const highest = Math.max(imported.highest, highestOf(imports, product));
  const others = otherLanes(imports, imported.lane);
  const fitting = importSettings({ product, size, quote: currencies.quote, highest, others });
  if (options.json) return printJson({ ...imported, beside, settings: fitting });
  const { quotes, path, lane, from, to, bytes, facts, bad: unread, badRows } = imported;
  printLine(`${quotes} ${quotes === 1 ? 'quote' : 'quotes'} of ${lane} from ${from} to ${to} in ${path} (${Math.ceil(bytes / 1000)} kB)`);
  for (const line of importLines(facts)) printLine(line);
  for (const line of narrowLines([facts])) printNote(line);
  const silentMs = facts.barMs === null ? facts.staleMs : 10 * facts.barMs;
  const { told, warned } = besideLines(beside, { out, path, product, lane, from, to, barMs: facts.barMs ?? 0, silentMs });
  for (const line of told) printLine(line);
  for (const line of warned) printNote(line);
  const near = productLike(options.product);
  if (near !== undefined)
    printNote(
      `no venue known here quotes ${imported.lane.split('@')[0]}, and ${near} is one letter away: where that is meant, remove ${path} and import with --product ${near}`,
    );
  for (const row of badRows) printLine(`dropped: ${row}`);
  if (unread > badRows.length) printLine(`and ${unread - badRows.length} more`);
  const all = imports.filter((one) => one.product === product);
  const by = all.length > 1 ? `, by the highest price of all ${all.length} imports of ${product} in ${out}` : '';
  const lanes = others.map(({ lane: other }) => other);
  const named = `${lanes.slice(0, 3).join(', ')}${lanes.length > 3 ? ` and ${lanes.length - 3} more` : ''}`;
  const room = lanes.length === 0 ? '' : `; its limits have room for ${named} of ${out} as well`;
  printLine(`kairos.yaml for this import${by}${room}; npx kairos config check --data ${out} checks your own:`);
  for (const line of importSettingsLines(fitting)) printLine(line);
}

/** The highest price of a product among imports; 0 where none tells it. */
const highestOf = (imports: readonly ImportOf[], product: string): number =>
  Math.max(0, ...imports.filter((one) => one.product === product).map(({ facts }) => facts.highest));

/** The other imported lanes of a folder, each at the highest price of its product. */
function otherLanes(imports: readonly ImportOf[], own: string) {
  const lanes = new Map(imports.map(({ lane, product, quoteCcy }) => [lane, { product, quote: quoteCcy }]));
  return [...lanes].flatMap(([lane, { product, quote }]) => {
    const highest = highestOf(imports, product);
    const size = /@base:(?<size>[\d.e+-]+)$/.exec(lane)?.groups?.size;
    return lane === own || size === undefined || highest === 0 ? [] : [{ lane, size: decimalOf(size), quote, highest }];
  });
}

const CODE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

/** Where the product code does not tell them and nobody said them, both names stand for nothing: what is asked ends the import. */
function currenciesOf({ product, base, quote }: Options) {
  if (!isProductCode(product))
    throw new KairosError('USAGE', `--product: ${JSON.stringify(product.slice(0, 60))} is no product code, such as eurusd`);
  const [, first, last] = /^([A-Za-z]{3})[._-]?([A-Za-z]{3})$/.exec(product) ?? [];
  const known = { base: base ?? first?.toLowerCase(), quote: quote ?? last?.toLowerCase() };
  for (const name of [known.base, known.quote])
    if (name !== undefined && !CODE.test(name)) throw new KairosError('USAGE', `${JSON.stringify(name)} is no currency, such as usd`);
  const asked =
    known.base === undefined || known.quote === undefined
      ? [`--product ${product} does not tell its currencies; add --base and --quote, such as --base btc --quote usdt`]
      : [];
  return { base: known.base ?? '', quote: known.quote ?? '', asked };
}

function percent(text: string): number {
  const value = /^\d{1,3}(\.\d{1,8})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('It must be a percentage from 0 to 100, such as 0.1.');
}

function basisPoints(text: string): number {
  const value = /^\d{1,4}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 5_000) return value;
  throw new InvalidArgumentError('It must be hundredths of a percent from 0 to 5000, such as 2.');
}

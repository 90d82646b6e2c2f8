import { type Command, Option } from 'commander';
import type { Frame } from '#adapters/service-client/quotes/decode-frame.ts';
import type { ServiceClient } from '#adapters/service-client/rest/rest.ts';
import type { QuoteRequest } from '#daemon/run/record/quote-stream.ts';
import type { Decimal } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import { spreadPctOf } from '#domain/quote.ts';
import { positiveNumber, wholeNumber } from './numbers.ts';
import { printLine, printNote } from './output.ts';
import { withService } from './service.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';
import { onStopSignal } from './stop-signal.ts';

interface Options extends ConfigOptions {
  readonly size?: Decimal;
  readonly value?: Decimal;
  readonly basic?: boolean;
  readonly full?: boolean;
  readonly count?: number;
  readonly json?: boolean;
}

/** Adds `quotes`: a product's live quotes (spec 4.5). */
export function addQuotes(command: Command): void {
  addConfigOptions(command)
    .argument('<product>', 'a product code such as btcusd')
    .addOption(
      new Option('--size <number>', 'trading quotes for a size in base currency')
        .argParser(positiveNumber)
        .conflicts(['value', 'basic', 'full']),
    )
    .addOption(
      new Option('--value <number>', 'trading quotes for a value in quote currency').argParser(positiveNumber).conflicts(['basic', 'full']),
    )
    .addOption(new Option('--basic', 'one price, for display').conflicts('full'))
    .option('--full', 'the order book, for display')
    .option('--count <number>', 'end after so many', wholeNumber(1, 1_000_000_000))
    .option('--json', 'print one line of JSON a quote')
    .addHelpText('after', '\nExample:\n  kairos quotes btcusd --size 0.01 --count 10')
    .action(quotes);
}

async function quotes(product: string, options: Options): Promise<void> {
  const request = requestOf(product, options);
  await withService(options, async (service) => {
    const { streamQuotes } = await import('#daemon/run/record/quote-stream.ts');
    const { systemTimers } = await import('#adapters/time/system-timers.ts');
    const ended = Promise.withResolvers<void>();
    let left = options.count ?? Number.POSITIVE_INFINITY;
    if (!options.json && request.quoteType === 'TRADING') await tellLargest(product, options);
    const show = rowPrinter(options.json === true);
    const stop = streamQuotes({
      baseUrl: service.baseUrl,
      service: service.settings,
      timers: systemTimers,
      request: { ...request, product: await spelledBy(service.client, product) },
      onFrame: (frame) => {
        if (left <= 0 || !show(frame)) return;
        left -= 1;
        if (left <= 0) ended.resolve();
      },
      onEnd: ended.reject,
    });
    const off = onStopSignal(({ exitCode }) => {
      process.exitCode = exitCode;
      ended.resolve();
    });
    try {
      await ended.promise;
    } finally {
      stop();
      off();
    }
  });
}

/** The product in the service's spelling; as given if the service does not list it or has no list. */
async function spelledBy(client: ServiceClient, product: string): Promise<string> {
  const { quotedProducts } = await import('#assembly/service.ts');
  const { wireCode } = await import('#adapters/service-client/spelling.ts');
  const products = await quotedProducts(client).catch(() => []);
  const found = products.find(({ code }) => code === product.toLowerCase());
  return found === undefined ? product : wireCode(found);
}

/** Prints the largest size that runs have seen without a spread, if a journal knows it. */
async function tellLargest(product: string, options: Options): Promise<void> {
  const { existsSync } = await import('node:fs');
  const { path } = configFrom(options).settings.journal;
  if (!existsSync(path)) return;
  const { JournalReader } = await import('#adapters/journal/reader.ts');
  const journal = JournalReader.open(path);
  try {
    const found = journal.learned().find((one) => one.product === product.toLowerCase());
    if (found) printNote(`${product} was quoted without a spread up to ${found.size} ${found.currency}`);
  } finally {
    journal.close();
  }
}

function requestOf(product: string, { size, value, basic, full }: Options): QuoteRequest {
  if (size) return { quoteType: 'TRADING', product, amount: { base: size } };
  if (value) return { quoteType: 'TRADING', product, amount: { quote: value } };
  if (basic) return { quoteType: 'BASIC', product, amount: null };
  if (full) return { quoteType: 'FULL', product, amount: null };
  throw new KairosError('USAGE', 'quotes needs one of --size N, --value N, --basic and --full');
}

const COLUMNS = ['buy price', 'sell price', 'buy size', 'sell size', 'spread %', 'fee %', 'valid until', 'id'];
const WIDTHS = [14, 14, 14, 14, 9, 6, 24, 36];

/** Prints each quote as a row; returns false for other frames. */
function rowPrinter(json: boolean): (frame: Frame) => boolean {
  let headed = false;
  const print = (cells: readonly string[], value: unknown): true => {
    printLine(
      json
        ? JSON.stringify(value)
        : cells
            .map((cell, column) => cell.padStart(WIDTHS[column] ?? 0))
            .join('  ')
            .trimEnd(),
    );
    return true;
  };
  return (frame) => {
    switch (frame.kind) {
      case 'quote': {
        const { quote } = frame;
        if (!headed && !json) print(COLUMNS, null);
        headed = true;
        const { buy, sell, feePercentage, validUntil, id } = quote;
        const figures = [buy.price, sell.price, buy.size, sell.size, spreadPctOf(quote), feePercentage].map(String);
        return print([...figures, isoTime(validUntil), id ?? 'anonymous'], { ...quote, validUntil: isoTime(validUntil) });
      }
      case 'basic': {
        const { basic } = frame;
        return print([String(basic.price ?? '-'), basic.time ?? ''], basic);
      }
      case 'full': {
        const { full } = frame;
        const [bid] = full.bids;
        const [ask] = full.asks;
        const side = (level: typeof bid): string => (level ? `${level.size} @ ${level.price}` : '-');
        return print([`bid ${side(bid)}`, `ask ${side(ask)}`, `${full.bids.length}+${full.asks.length} levels`, full.time ?? ''], full);
      }
      default:
        return false;
    }
  };
}

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RunLog } from '#adapters/recording/run-log.ts';
import { productText } from '#assembly/assemble.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { InboxEvent } from '#domain/event.ts';
import { laneFor, shownInput } from '#domain/lane.ts';
import { currency, type Millis, productCode, quoteId, runId } from '#domain/names.ts';
import type { Quote, QuoteSide } from '#domain/quote.ts';
import { VenueMarket } from '#paper-venue/market.ts';
import { asVolatile, type PriceSource } from '#paper-venue/prices/sources.ts';
import { SyntheticPrices } from '#paper-venue/prices/synthetic.ts';
import { type QuotedProduct, VB_PRODUCTS } from '#paper-venue/products.ts';

export const RECORDED_FROM = Date.UTC(2026, 0, 5, 9);

export interface SyntheticOptions {
  /** Recordings folder, in which the run gets a folder of its own. */
  readonly dir: string;
  readonly run?: string;
  /** `btcusd 0.01`: product and size in base currency. */
  readonly lanes: readonly string[];
  readonly seconds: number;
  readonly quotesPerSecond?: number;
  readonly validityMs?: number;
  /** How many recorded seconds each of the market's takes; 1 without it. */
  readonly stretch?: number;
  /** Seconds in which nothing is recorded. */
  readonly silent?: readonly [from: number, to: number];
  readonly seed?: string;
  readonly feePercentage?: number;
  /** `venue.prices.volatility`: 1 without it. */
  readonly volatility?: number;
  readonly from?: Millis;
  /** Best bid and ask of every product at a second, in place of those that the venue would make. */
  readonly top?: (second: number) => { readonly bid: number; readonly ask: number };
  /** Products whose basic price is recorded as well. */
  readonly basic?: readonly string[];
  /** Products whose book is recorded as well. */
  readonly books?: readonly string[];
}

/** Files of recordings by where prices come from and what was asked for: tests ask for the same ones, and a quote is work. */
const recorded = new WeakMap<object, Map<string, ReadonlyMap<string, Buffer>>>();

/** Records what the paper venue's core would have quoted, as the log of a run; returns the folder of that run. */
export function syntheticRecording(options: SyntheticOptions): string {
  const { dir, top, ...rest } = options;
  const source = top ?? VenueMarket;
  const ofSource = recorded.get(source) ?? new Map<string, ReadonlyMap<string, Buffer>>();
  recorded.set(source, ofSource);
  const key = JSON.stringify(rest);
  const files = ofSource.get(key);
  if (!files) {
    const folder = record(options);
    ofSource.set(key, new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))])));
    return folder;
  }
  const folder = path.join(dir, options.run ?? 'run-1');
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(path.join(folder, name), bytes, { flag: 'ax', mode: 0o600 });
  return folder;
}

function record(options: SyntheticOptions): string {
  const {
    dir,
    run = 'run-1',
    lanes,
    seconds,
    quotesPerSecond = 2,
    validityMs = 3000,
    silent,
    seed = 'paper',
    feePercentage = 0.1,
    volatility = 1,
    basic = [],
    books = [],
    stretch = 1,
  } = options;
  const from = options.from ?? RECORDED_FROM;
  const { top } = options;
  const sources = VB_PRODUCTS.map((product): [QuotedProduct, PriceSource] => [
    product,
    top ? { at: (ms) => ({ ...top(ms / 1000), hasSpread: true }) } : new SyntheticPrices(asVolatile(product, { volatility }), seed),
  ]);
  const market = new VenueMarket(new Map(sources), feePercentage);
  const log = RunLog.create({ dir, run: runId(run), book: 'paper' });
  let n = 0;
  let made = 0;
  const give = (at: Millis, event: InboxEvent): void => {
    n += 1;
    log.append({ n, at, event });
  };
  give(from, { kind: 'products', products: VB_PRODUCTS.map(productText) });
  const wanted = lanes.map((text) => {
    const [code = '', size = ''] = text.split(' ');
    return { code, lane: laneFor(productCode(code), { base: decimalOf(size) }) };
  });
  for (let step = 0; step < seconds * quotesPerSecond; step += 1) {
    const second = step / quotesPerSecond;
    if (silent && second >= silent[0] && second < silent[1]) continue;
    market.advance(second * 1000);
    const at = from + second * 1000 * stretch;
    for (const code of basic) {
      const shown = { product: code, baseCcy: null, quoteCcy: null, price: market.midPrice(code) ?? null, time: null };
      give(at, { kind: 'shown', source: shownInput(productCode(code), 'BASIC').id, shown });
    }
    for (const code of books) {
      const shown = { product: code, baseCcy: null, quoteCcy: null, bids: [], asks: [], time: null, ...market.book(code) };
      give(at, { kind: 'shown', source: shownInput(productCode(code), 'FULL').id, shown });
    }
    for (const { code, lane } of wanted) {
      const figures = market.quote(code, lane.amount)?.figures;
      if (!figures) continue;
      made += 1;
      const quote: Quote = {
        id: quoteId(`0000000b-0000-4000-8000-${made.toString(16).padStart(12, '0')}`),
        product: lane.product,
        baseCcy: currency(figures.baseCcy),
        quoteCcy: currency(figures.quoteCcy),
        buy: Object.freeze<QuoteSide>(figures.buyQuote),
        sell: Object.freeze<QuoteSide>(figures.sellQuote),
        feePercentage: figures.feePercentage,
        spread: figures.spread,
        spreadPercentage: figures.spreadPercentage,
        dailyChangePercentage: figures.dailyChangePercentage,
        validUntil: at + validityMs,
        lane: lane.id,
        epoch: 1,
      };
      give(at, { kind: 'quote', quote: Object.freeze(quote) });
    }
  }
  log.close();
  return path.join(dir, run);
}

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { KairosError } from '../../domain/errors.ts';
import type { ProductText } from '../../domain/event.ts';
import { type Millis, runId } from '../../domain/names.ts';
import type { QuoteColumns } from '../../domain/quote-columns.ts';
import { type MeasuredOrder, measuredOrders } from '../../journal/measured-orders.ts';
import { SqliteJournal } from '../../journal/sqlite-journal.ts';
import type { PastOutcome } from '../../replay/backtest-broker.ts';
import { drawnLatency, fixedLatency, type LatencyModel, measuredLatency } from '../../replay/latency.ts';
import { isLent, QuoteSources } from '../../replay/quote-sources.ts';
import { VB_PRODUCTS } from '../../venue/products.ts';
import { checkProducts, type LoadedStrategy, loadStrategies, productText } from '../assemble.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Notice } from '../notice.ts';
import { VERSION } from '../version.ts';
import { BACKTEST_BOOK, Backtest, type BacktestRun, productsByCode } from './backtest.ts';
import { type BacktestData, recordedData } from './data.ts';
import { type Flow, readFlows } from './deposits.ts';

/** A round trip while no own run has measured one, in milliseconds. */
const UNMEASURED_ROUND_TRIP_MS = 200;

export interface SessionOptions {
  readonly config: LoadedConfig;
  readonly folders: { readonly cwd: string; readonly packaged: string };
  /** A recording; the configured folder of recordings unless given. */
  readonly data: string | undefined;
  readonly from: Millis | undefined;
  readonly to: Millis | undefined;
  /** The run whose round trips are measured ones; all of the journal unless given. */
  readonly measuredIn: string | undefined;
  /** The run of the journal from which outcomes are drawn. */
  readonly outcomesOf: string | undefined;
  readonly notice: Notice;
  readonly onProgress?: (at: Millis) => void;
}

/** Everything that several backtests of one configuration on the same quotes share. */
export class BacktestSession {
  readonly data: BacktestData;
  readonly strategies: readonly LoadedStrategy[];
  readonly from: Millis;
  /** Quotes from this time on are left out. */
  readonly to: Millis;
  /** What a reader should know of the data, one line each. */
  readonly remarks: readonly string[];
  private readonly options: SessionOptions;
  private readonly products: readonly ProductText[];
  private readonly flows: readonly Flow[];
  private readonly outcomes: readonly PastOutcome[];
  private readonly hash: string;

  private constructor(options: SessionOptions, data: BacktestData, strategies: readonly LoadedStrategy[]) {
    this.options = options;
    this.data = data;
    this.strategies = strategies;
    const { settings } = options.config;
    const standing = data.columns.filter(({ lane, length }) => length > 0 && !isLent(lane));
    const first = Math.min(...standing.map(({ at }) => at[0] ?? Number.POSITIVE_INFINITY));
    this.from = Math.max(first, options.from ?? Number.NEGATIVE_INFINITY);
    this.to = options.to ?? Number.POSITIVE_INFINITY;
    if (!Number.isFinite(this.from) || this.from >= this.to) {
      throw new KairosError('NOT_FOUND', `${data.path} holds no quotes of that time: check --data, --from and --to`);
    }
    const { products, remarks } = productsFor(
      settings.strategies.map(({ product }) => product),
      data,
    );
    this.products = products;
    this.remarks = remarks;
    checkProducts(settings.strategies, [...productsByCode(products).values()]);
    this.flows = settings.backtest.deposits === null ? [] : readFlows(settings.backtest.deposits);
    this.outcomes = options.outcomesOf === undefined ? [] : outcomesIn(measuredOrders(settings.journal.path, options.outcomesOf));
    this.hash = hashOf(data.columns, [options.config.hash, ...strategies.map(({ sourceHash }) => sourceHash), this.from, this.to]);
  }

  /** Reads recordings and strategies. Throws a KairosError where something cannot be had. */
  static async open(options: SessionOptions): Promise<BacktestSession> {
    const { settings } = options.config;
    if (settings.strategies.length === 0) throw new KairosError('CONFIG_INVALID', 'strategies: there is none to test; configure one');
    const strategies = await loadStrategies(settings, options.folders);
    return new BacktestSession(options, recordedData(options.data ?? settings.recording.dir), strategies);
  }

  /** Plays everything once, with the configured latency or a fixed one in milliseconds each way. */
  play(latencyMs?: number): BacktestRun {
    const { config, notice, onProgress } = this.options;
    const latency = latencyMs === undefined ? this.configuredLatency() : fixedLatency(latencyMs);
    const { data, strategies, products, flows, outcomes, from, to } = this;
    const sources = new QuoteSources({
      columns: data.columns,
      products: productsByCode(products),
      from,
      to,
      slippagePct: config.settings.backtest.slippagePct,
    });
    const run = `backtest-${createHash('sha256').update(`${this.hash} ${latency.name}`).digest('hex').slice(0, 12)}`;
    const more = onProgress ? { onProgress } : {};
    return new Backtest({ config, strategies, run, sources, products, flows, latency, outcomes, from, to, notice, ...more }).play();
  }

  /** Writes a run into a new journal, as a daemon would have. Throws USAGE where the file is there already. */
  save(run: BacktestRun, file: string): void {
    if (existsSync(file)) throw new KairosError('USAGE', `--journal: ${file} is there already; name a new file for each backtest`);
    const { config } = this.options;
    const journal = SqliteJournal.open({ path: file, book: BACKTEST_BOOK, beforeCommit: () => {}, now: () => run.endedAt });
    try {
      const id = runId(run.run);
      const { hash, json } = config;
      journal.beginRun({ run: id, at: run.startedAt, mode: 'backtest', version: VERSION, configHash: hash, configJson: json });
      journal.commit(run.decisions);
      journal.end(id, run.halted ? 'halted' : 'stopped');
    } finally {
      journal.close();
    }
  }

  private configuredLatency(): LatencyModel {
    const { settings } = this.options.config;
    const { latency } = settings.backtest;
    const { seed } = settings.trading;
    if (typeof latency === 'number') return fixedLatency(latency);
    if (latency !== 'measured') return drawnLatency(latency, seed);
    const measured = existsSync(settings.journal.path) ? measuredOrders(settings.journal.path, this.options.measuredIn ?? null) : [];
    const trips = measured.flatMap(({ quoteId, roundTripMs }) => (roundTripMs === null ? [] : [{ quoteId, roundTripMs }]));
    if (trips.length > 0) return measuredLatency(trips, seed);
    const half = UNMEASURED_ROUND_TRIP_MS / 2;
    return { ...fixedLatency(half), name: `fixed, ${half} ms each way: no run in the journal has measured any` };
  }
}

/** Outcomes but those that latency alone explains: it decides by itself which order comes too late. */
function outcomesIn(orders: readonly MeasuredOrder[]): readonly PastOutcome[] {
  return orders.filter(({ outcome, late }) => !(outcome === 'rejected' && late));
}

/** Limits of the products as they were recorded, else those of the paper venue, else as fine as amounts need. */
function productsFor(wanted: readonly string[], { products, columns }: BacktestData) {
  const byCode = new Map(products.map((product) => [product.code, product]));
  const remarks: string[] = [];
  for (const code of new Set([...wanted, ...columns.map(({ product }) => product)])) {
    if (byCode.has(code) || !columns.some(({ product }) => product === code)) continue;
    const venue = VB_PRODUCTS.find((product) => product.code === code);
    byCode.set(code, venue ? productText(venue) : { code, ...FINEST });
    remarks.push(`the limits of ${code} were not recorded: ${venue ? "the paper venue's" : 'none'} are used`);
  }
  return { products: [...byCode.values()], remarks };
}

const FINEST = { minSize: '0.00000001', minNotionalValue: '0.00000001', sizeIncrement: '0.00000001', priceIncrement: '0.00000001' };

/** What decides a backtest, as one hash: the quotes, and what plays them. */
function hashOf(columns: readonly QuoteColumns[], others: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(others));
  for (const { lane, at, validUntil, buy, sell, ids } of columns) {
    hash.update(lane);
    for (const column of [at, validUntil, buy.price, buy.size, sell.price, sell.size]) hash.update(bytesOf(column));
    hash.update(ids);
  }
  return hash.digest('hex');
}

const bytesOf = (column: Float64Array): Uint8Array => new Uint8Array(column.buffer, column.byteOffset, column.byteLength);

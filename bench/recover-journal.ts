import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import type { Decision, DecisionKind, DecisionRow } from '#domain/decision.ts';
import { orderId, type ProductCode, productCode, quoteId, runId, type StrategyId, strategyId } from '#domain/names.ts';
import type { FillText, OrderText } from '#domain/order.ts';

/** When it begins; its rows are spread over three years from there. */
const HISTORY_START = Date.UTC(2023, 0, 1);
const YEARS_MS = 3 * 365 * 86_400_000;
const COMMIT_ROWS = 5_000;

interface Trader {
  readonly strategy: StrategyId;
  readonly product: ProductCode;
  readonly baseCcy: string;
  readonly cents: number;
}

const TRADERS: readonly Trader[] = [
  { strategy: strategyId('cross-btc'), product: productCode('btcusd'), baseCcy: 'BTC', cents: 6_000_000 },
  { strategy: strategyId('reversion-btc'), product: productCode('btcusd'), baseCcy: 'BTC', cents: 6_000_000 },
  { strategy: strategyId('cross-eth'), product: productCode('ethusd'), baseCcy: 'ETH', cents: 300_000 },
  { strategy: strategyId('grid-sol'), product: productCode('solusd'), baseCcy: 'SOL', cents: 15_000 },
];

/**
 * Years of trading as a journal keeps them, written by its own writer: orders of four strategies, filled and rejected, refusals,
 * holds, peaks, kept states, measures. Three in five rows belong to orders.
 */
export class History {
  private readonly path: string;
  private readonly decisions: Decisions;
  private readonly configJson: string;
  private runs = 0;

  /** `rows` are spread over all the years; `configJson`: the configuration that each run had. */
  constructor(path: string, rows: number, configJson = '{}') {
    this.path = path;
    this.configJson = configJson;
    this.decisions = new Decisions(Math.floor(YEARS_MS / rows));
  }

  /** When the last row was written, in the journal's own time. */
  get at(): number {
    return this.decisions.at;
  }

  /** Writes a run of about so many rows, and whether it ended as it should or was killed. */
  addRun(rows: number, end: 'stopped' | 'killed'): void {
    const journal = SqliteJournal.open({ path: this.path, book: 'paper', beforeCommit: () => {}, now: () => this.at });
    try {
      journal.recover(this.at);
      const run = runId(`run-${this.runs++}`);
      journal.beginRun({ run, at: this.at, mode: 'paper', version: 'bench', configHash: '', configJson: this.configJson });
      for (let left = rows; left > 0; left -= COMMIT_ROWS) journal.commit(this.decisions.next(Math.min(left, COMMIT_ROWS)));
      if (end === 'stopped') journal.end(run, 'stopped');
    } finally {
      journal.close();
    }
  }
}

/** Decisions in the order in which they would have come. */
class Decisions {
  at = HISTORY_START;
  private readonly stepMs: number;
  private orders = 0;

  constructor(stepMs: number) {
    this.stepMs = stepMs;
  }

  /** What one commit holds: so many rows, and some more to end a round of all strategies. */
  next(rows: number): readonly Decision[] {
    const batch: Decision[] = [];
    while (batch.length < rows) {
      for (const trader of TRADERS) {
        batch.push(...this.order(trader), ...this.order(trader), ...this.silence(trader));
      }
      this.at += this.stepMs * TRADERS.length * 13;
    }
    return batch;
  }

  /** Four rows of an order; each seventh is rejected. Prices go up and down, so that some round trips win and some lose. */
  private order({ strategy, product, baseCcy, cents }: Trader): Decision[] {
    const n = this.orders++;
    const id = orderId(`${n + 10}-1`);
    const quote = quoteId(
      `${((n * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}-0c4e-4b7e-9a57-${n.toString(16).padStart(12, '0')}`,
    );
    const side = Math.floor(n / 8) % 2 === 0 ? 'buy' : 'sell';
    const price = (cents + ((n * 7919) % 20_011)) / 100;
    const value = (price / 100).toFixed(4);
    const fill: FillText = {
      side,
      baseCcy,
      quoteCcy: 'USD',
      price: String(price),
      size: '0.01',
      value,
      fee: (price / 100_000).toFixed(7),
      feeCcy: 'USD',
    };
    const order: OrderText = {
      ...fill,
      id,
      strategy,
      product,
      quoteId: quote,
      lane: `${product}@base:0.01`,
      validUntil: this.at + 3000,
      intentAt: this.at,
    };
    const shown = { lane: order.lane, buy: price, sell: price, size: 0.01, spreadPercentage: 0.02, timeLeftMs: 2990 };
    const quoted = { ...shown, validUntil: new Date(order.validUntil).toISOString() };
    const about = { strategy, product, quoteId: quote, orderId: id, inboxSeq: n + 10 };
    const intent = {
      side,
      why: 'fast above slow',
      tag: null,
      wants: `${side} base:0.01`,
      signals: { fast: price, slow: price },
      quote: quoted,
    } as const;
    const answer = { httpStatus: 201, roundTripMs: 12, body: '{"status":"FILLED"}' };
    return [
      this.row('intent', intent, about),
      this.row('approved', { order, checks: CHECKS, timeLeftMs: 2990 }, about),
      this.row('sent', { sentAt: new Date(this.at).toISOString(), timeLeftMs: 2980, signatureAgeMs: 1 }, about),
      n % 7 === 6
        ? this.row('rejected', { ...answer, httpStatus: 400, why: 'quote expired' }, { ...about, reason: 'HTTP_REFUSED' })
        : this.row('accepted', { ...answer, fill }, { ...about, reason: 'HTTP_OK' }),
    ];
  }

  /** Five rows of a strategy that does not trade. */
  private silence({ strategy, product }: Trader): Decision[] {
    const about = { strategy, product, inboxSeq: this.orders + 10 };
    const signals = { fast: 1.5, slow: 1.25 };
    const quote = { lane: `${product}@base:0.01`, buy: 1, sell: 1, size: 0.01, spreadPercentage: 0.02, validUntil: '', timeLeftMs: 2990 };
    const intent = { side: 'buy', why: 'fast above slow', tag: null, wants: 'buy base:0.01', signals, quote } as const;
    return [
      this.row('refused', { intent, checks: CHECKS }, { ...about, reason: 'MAX_SPREAD' }),
      this.row('hold', { why: 'nothing crossed', signals }, { ...about, reason: 'HOLD' }),
      this.row('state', { state: JSON.stringify({ seen: this.orders }), by: 'quote' }, about),
      this.row('peak', { price: '60123.45', openedAt: this.at }, about),
      this.row(
        'measured',
        { day: '2023-01-01', byCurrency: { USD: { dayStart: this.orders, peak: this.orders } } },
        { inboxSeq: about.inboxSeq },
      ),
    ];
  }

  private row<Kind extends DecisionKind>(
    kind: Kind,
    detail: DecisionRow<Kind>['detail'],
    about: Pick<DecisionRow<Kind>, 'inboxSeq'> & Partial<DecisionRow<Kind>>,
  ): Decision {
    const none = { strategy: null, product: null, reason: null, quoteId: null, orderId: null };
    return { ...none, ...about, kind, at: this.at, detail } as Decision;
  }
}

const CHECKS = (
  ['HALTED', 'TIME_LEFT', 'MAX_SPREAD', 'MAX_ORDER_VALUE', 'MAX_POSITION_VALUE', 'MAX_ORDERS_PER_MINUTE', 'BUDGET'] as const
).map((check) => ({
  check,
  passed: true,
  figure: '601.2345',
  limit: '5000',
}));

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import type { Decision } from '#domain/decision.ts';
import { orderId, productCode, quoteId, runId, strategyId } from '#domain/names.ts';
import type { BenchOptions } from './options.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { inTurns, machineMs, percentile } from './statistics.ts';

const START = Date.UTC(2026, 0, 1);
const OURS = 'journal, FULL';
const NORMAL = 'journal, NORMAL';
const BARE = 'one row, FULL';
const BARE_NORMAL = 'one row, NORMAL';

/**
 * Time of a durable commit of an order's permission (two decisions with chain and projection), beside the same with
 * `synchronous = NORMAL` and a bare one-row transaction. Wall time: the disk is what is measured.
 */
export async function benchJournal({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch((folder) => {
    const full = openJournal(join(folder, 'full.db'));
    const normal = withSynchronousNormal(() => openJournal(join(folder, 'normal.db')));
    const bare = openBare(join(folder, 'bare.db'), 'FULL');
    const bareNormal = openBare(join(folder, 'bare-normal.db'), 'NORMAL');
    const contestants: [string, (round: number) => void][] = [
      [OURS, (round) => full.commit(permission(round))],
      [NORMAL, (round) => normal.commit(permission(round))],
      [BARE, (round) => bare.add(round)],
      [BARE_NORMAL, (round) => bareNormal.add(round)],
    ];
    const seconds = inTurns(
      contestants.map(([label, commit]) => {
        let round = 0;
        return { label, run: () => secondsOf(() => commit(round++)) };
      }),
      quick ? { warmUp: 5, counted: 50 } : { warmUp: 100, counted: 1500 },
    );
    for (const store of [full, normal, bare, bareNormal]) store.close();
    const at = (label: string, share: number): Figure => ({ label, value: percentile(seconds(label), share) * 1000, unit: 'ms' });
    const ratio = (what: string, theirs: string, share: number) => ratioOf(what, { ours: at(OURS, share), theirs: at(theirs, share) });
    return {
      name: 'journal',
      ratios: [
        ratio('commit p50', BARE, 0.5),
        ratio('commit p99', BARE, 0.99),
        ratio('commit p50', NORMAL, 0.5),
        ratio('commit p99', NORMAL, 0.99),
      ],
      figures: [
        { ...at(BARE_NORMAL, 0.5), label: 'one row, NORMAL, p50' },
        { ...at(BARE_NORMAL, 0.99), label: 'one row, NORMAL, p99' },
      ],
    };
  });
}

function secondsOf(work: () => void): number {
  const before = machineMs();
  work();
  return (machineMs() - before) / 1000;
}

function openJournal(path: string): SqliteJournal {
  const journal = SqliteJournal.open({ path, book: 'paper', beforeCommit: () => {} });
  journal.beginRun({ run: runId('bench'), at: START, mode: 'paper', version: 'bench', configHash: '', configJson: '{}' });
  return journal;
}

/** The journal opens with FULL and knows nothing else; this puts NORMAL in the place of the one statement that says so. */
function withSynchronousNormal(open: () => SqliteJournal): SqliteJournal {
  const pragma = Database.prototype.pragma;
  Database.prototype.pragma = function normal(this: Database.Database, source: string, options?: Database.PragmaOptions) {
    return pragma.call(this, source.replace('synchronous = FULL', 'synchronous = NORMAL'), options);
  };
  try {
    return open();
  } finally {
    Database.prototype.pragma = pragma;
  }
}

function openBare(path: string, synchronous: 'FULL' | 'NORMAL') {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${synchronous}`);
  database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, at INTEGER, text TEXT)');
  const insert = database.prepare<[number, string]>('INSERT INTO rows (at, text) VALUES (?, ?)');
  const text = JSON.stringify(permission(0)[0]);
  return { add: (round: number) => insert.run(START + round, text), close: () => database.close() };
}

/** What the order placer commits before an order may leave: the intent, and its approval. */
function permission(round: number): Decision[] {
  const about = {
    at: START + round * 200,
    inboxSeq: round + 10,
    strategy: strategyId('cross-btc'),
    product: productCode('btcusd'),
    reason: null,
    quoteId: quoteId(`5f1d7a52-0c4e-4b7e-9a57-${round.toString(16).padStart(12, '0')}`),
    orderId: orderId(`${round + 10}-1`),
  };
  const quote = {
    lane: 'btcusd@base:0.01',
    buy: 60_123.45,
    sell: 60_123.45,
    size: 0.01,
    spreadPercentage: 0,
    validUntil: new Date(about.at + 3000).toISOString(),
    timeLeftMs: 2990,
  };
  const figures = { price: '60123.45', size: '0.01', value: '601.2345', fee: '0.6012345', feeCcy: 'usd' };
  const names = { id: about.orderId, strategy: about.strategy, product: about.product, quoteId: about.quoteId, lane: quote.lane };
  const order = {
    ...names,
    baseCcy: 'btc',
    quoteCcy: 'usd',
    side: 'buy' as const,
    validUntil: about.at + 3000,
    ...figures,
    intentAt: about.at,
  };
  const checks = (
    ['HALTED', 'TIME_LEFT', 'MAX_SPREAD', 'MAX_ORDER_VALUE', 'MAX_POSITION_VALUE', 'MAX_ORDERS_PER_MINUTE', 'BUDGET'] as const
  ).map((check) => ({
    check,
    passed: true,
    figure: '601.2345',
    limit: '5000',
  }));
  const signals = { fast: 60_120.125, slow: 60_118.5, signal: 'above' };
  return [
    {
      ...about,
      kind: 'intent',
      detail: { side: 'buy', why: 'fast above slow', tag: null, wants: 'buy base:0.01', signals, quote },
    },
    { ...about, kind: 'approved', detail: { order, checks, timeLeftMs: 2990 } },
  ];
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { columnsOf } from '#adapters/recording/log-columns.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { type LoadedConfig, loadConfig } from '#config/load.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import { startVenue } from '#paper-venue/venue.ts';
import { rowsOf } from './books.ts';
import { cutProxy } from './cut-proxy.ts';
import { UNWATCHED } from './unwatched.ts';
import { VirtualTimers } from './virtual-timers.ts';
import { settle, step } from './virtual-wire.ts';

/** Averages long enough that an order seldom waits for the answer of the one before. */
const CROSSES = [
  { id: 'cross-10-30', product: 'btcusd', fast: 10, slow: 30, base: 0.01 },
  { id: 'cross-20-50', product: 'ethusd', fast: 15, slow: 40, base: 0.2 },
];

/** Answers later than this are unknown; the venue takes its time over some. */
const ANSWER_MS = 100;
const MAX_ANSWER_MS = 115;

const STRATEGY = `import { above, buy, mid, observe, param, sell, sma, strategy } from 'kairos/strategy';

export default strategy({
  name: 'cross',
  params: { fast: param.int(20, { min: 1 }), slow: param.int(60, { min: 2 }) },
  signals: ({ quotes$ }, { fast, slow }) => quotes$.pipe(mid(), above(observe('fast', sma(fast)), observe('slow', sma(slow)))),
  decide: (standing, { position, amount }) =>
    standing === 'above' && position.isFlat ? buy(amount, 'fast above slow')
    : standing === 'below' && position.isLong ? sell('position', 'fast below slow')
    : undefined,
});
`;

/** A paper run in this process against a real venue, with what can go wrong in one. */
export interface PaperRun {
  readonly folder: string;
  readonly config: LoadedConfig;
  readonly run: string;
  readonly journal: string;
  /** Orders by state. */
  readonly orders: Readonly<Record<string, number>>;
  remove(): void;
}

export interface PaperRunOptions {
  /** Quotes that each lane shall have seen, and accepted orders. */
  readonly quotes: number;
  readonly orders: number;
  readonly quotesPerSecond?: number;
}

/**
 * Trades in virtual time until enough was seen, among it an order that expired, one whose outcome was unknown for a while, and a
 * reconnect of every lane; then stops as a person would stop it.
 */
export async function paperRun({ quotes, orders, quotesPerSecond = 150 }: PaperRunOptions): Promise<PaperRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kairos-paper-run-'));
  mkdirSync(path.join(folder, 'strategies'));
  writeFileSync(path.join(folder, 'strategies', 'cross.ts'), STRATEGY);
  const journal = path.join(folder, 'kairos.db');
  const strategies = CROSSES.map(
    ({ id, product, fast, slow, base }) =>
      `  - { id: ${id}, use: cross, product: ${product}, amount: { base: ${base} }, params: { fast: ${fast}, slow: ${slow} } }`,
  );
  const common = `journal: { path: ${journal} }
recording: { dir: ${path.join(folder, 'recordings')} }
risk: { minTimeLeftMs: off, duplicateWindowMs: off, maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxLossStreak: off, maxUnknown: off, maxDayLoss: off, maxDrawdownPct: off }
strategies:
${strategies.join('\n')}
service: { answerMs: ${ANSWER_MS} }
venue:
  database: ${path.join(folder, 'venue.db')}
  quotesPerSecond: ${quotesPerSecond}
  validityMs: [60, 3000]
  answerDelayMs: [0, ${MAX_ANSWER_MS}]
`;
  const file = path.join(folder, 'kairos.yaml');
  writeFileSync(file, common);
  const load = (set: readonly string[]) => loadConfig({ files: [file], set, env: {}, cwd: folder, live: false, isVenue: true });
  const timers = new VirtualTimers();
  const venue = await startVenue(load([]).settings.venue, timers);
  const proxy = await cutProxy(venue.port);
  const config = load([`service.baseUrl=${proxy.url}`]);
  let fault: unknown;
  try {
    const starting = Daemon.start({
      config,
      strategyFolders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
      timers,
      notice: () => {},
      onFault: (error) => {
        fault = error;
      },
      beside: UNWATCHED,
    });
    const daemon = await settle(timers, starting);
    try {
      const log = logPath(config.settings.recording.dir, daemon.opened.run);
      const seenEnough = (): boolean => {
        const { accepted = 0, expired = 0 } = ordersByState(journal);
        const unknowns = rowsOf(journal, "SELECT 1 FROM decisions WHERE kind = 'unknown'").length;
        return accepted >= orders && expired > 0 && unknowns > 0 && numberedQuotes(log) >= quotes;
      };
      const halfMs = (quotes / quotesPerSecond) * 500;
      await pass(halfMs, timers);
      proxy.cutFeed();
      await pass(halfMs, timers);
      while (fault === undefined && !seenEnough()) await pass(1_000, timers);
    } finally {
      await settle(timers, daemon.stop('test', 'seen enough'));
    }
    if (fault !== undefined) throw fault;
    return {
      folder,
      config,
      run: daemon.opened.run,
      journal,
      orders: ordersByState(journal),
      remove: () => rmSync(folder, { recursive: true, force: true }),
    };
  } finally {
    await proxy.close();
    await settle(timers, venue.close());
  }
}

/** Lets so much time go by, in steps that are shorter than the time between two quotes. */
async function pass(ms: number, timers: VirtualTimers): Promise<void> {
  for (const end = timers.monotonicMs() + ms; timers.monotonicMs() < end; ) await step(timers, 5);
}

/** Quotes that the engine handled, of the standing lane that had the fewest. */
function numberedQuotes(log: string): number {
  const lanes = columnsOf(openRun(log).items()).filter(({ lane }) => !lane.includes('#'));
  return Math.min(...lanes.map(({ n }) => n.filter((number) => !Number.isNaN(number)).length));
}

function ordersByState(journal: string): Readonly<Record<string, number>> {
  const rows = rowsOf<{ state: string; count: number }>(journal, 'SELECT state, count(*) AS count FROM orders GROUP BY state');
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

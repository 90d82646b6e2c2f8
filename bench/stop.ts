import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import type { BenchOptions } from './options.ts';
import { type BenchResult, type Ratio, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { type BenchStrategy, benchConfig } from './settings.ts';
import { machineMs, percentile } from './statistics.ts';

/** With the steps of which amounts are made. */
const PRODUCTS = [
  { product: 'btcusd', base: 0.0001 },
  { product: 'ethusd', base: 0.001 },
  { product: 'eurusd', base: 1 },
] as const;
/** Strategies that trade at the same time, each with a reserve lane to be had. */
const STRATEGIES = 12;
const GOAL_MS = 700;
const PERIOD_MS = 500;
/** How long stops are measured; a quick run waits for the first, and no longer than this. */
const MEASURED_MS = 75_000;
const QUICK_MS = 100_000;
const LOOK_MS = 500;
/** Its multiples fill a period evenly. */
const GOLDEN = 0.618_033_988_749_895;

interface Row {
  readonly kind: 'exit' | 'approved' | 'sent';
  readonly strategy: string;
  readonly at: string;
  readonly detail: string;
}

/**
 * A stop of an odd size: from the quote that brought the exit to the order's bytes, through a reserve lane that has to be
 * subscribed first. The whole daemon against the paper venue at two quotes a second; what is held is twice what any lane
 * offers. Real time, as the journal has it, in whole milliseconds.
 */
export async function benchStop({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  const waits = await inScratch(async (folder) => {
    const use = fileURLToPath(new URL('strategies/reopen.ts', import.meta.url));
    const strategies = Array.from({ length: STRATEGIES }, (_, index): BenchStrategy => {
      const { product, base } = PRODUCTS[index % PRODUCTS.length] ?? PRODUCTS[0];
      return {
        id: `stops-${index}`,
        use,
        product,
        amount: { base: Number((base * (index + 13)).toFixed(4)) },
        exits: { maxHoldSeconds: 1 },
      };
    });
    const config = benchConfig({ folder, baseUrl: null, reserve: STRATEGIES, strategies });
    const daemon = await Daemon.start({
      config,
      strategyFolders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
      timers: systemTimers,
      notice: (level, text) => {
        if (level === 'error') console.error(`kairos: ${text}`);
      },
      onFault: (error) => {
        throw error;
      },
    });
    const standing = new Set<string>(daemon.lanes.map(({ id }) => id));
    const seen = () => waitsIn(config.settings.journal.path, standing);
    const endMs = machineMs() + (quick ? QUICK_MS : MEASURED_MS);
    while (machineMs() < endMs && !(quick && seen().length > 0)) await pause(LOOK_MS);
    await daemon.stop('bench', 'measured');
    return seen();
  });
  if (waits.length === 0) throw new Error('no stop reached the service');
  const at = (share: number) => percentile(waits, share);
  // The paper venue quotes as soon as it is asked; another service may do so at its next turn, anywhere in a period.
  const later = waits.map((wait, index) => wait + ((index * GOLDEN) % 1) * PERIOD_MS);
  return {
    name: `odd-size stop through a reserve lane, ${STRATEGIES} at once, 2 quotes/s`,
    ratios: [
      allowed('exit due to order bytes, p99', waits),
      allowed('the same, were the first quote to come at any time of a period, p99', later),
    ],
    figures: [
      { label: 'p50', value: at(0.5), unit: 'ms' },
      { label: 'slowest', value: at(1), unit: 'ms' },
    ],
  };
}

function allowed(what: string, times: readonly number[]): Ratio {
  return ratioOf(what, {
    ours: { label: `of ${times.length}`, value: percentile(times, 0.99), unit: 'ms' },
    theirs: { label: 'allowed', value: GOAL_MS, unit: 'ms' },
    goal: { atMost: 1 },
  });
}

/** Milliseconds between each exit and the order that followed it on a lane that was lent. */
function waitsIn(journal: string, standing: ReadonlySet<string>): readonly number[] {
  const database = new Database(journal, { readonly: true });
  try {
    const due = new Map<string, number>();
    const lent = new Set<string>();
    const waits: number[] = [];
    const rows = database.prepare<[], Row>(
      "SELECT kind, strategy, at, detail FROM decisions WHERE kind IN ('exit', 'approved', 'sent') ORDER BY seq",
    );
    for (const { kind, strategy, at, detail } of rows.all()) {
      const dueAt = due.get(strategy);
      if (kind === 'exit') due.set(strategy, Date.parse(at));
      else if (kind === 'approved') {
        if (standing.has(JSON.parse(detail).order.lane)) lent.delete(strategy);
        else lent.add(strategy);
      } else if (dueAt !== undefined && lent.has(strategy)) {
        waits.push(Date.parse(JSON.parse(detail).sentAt) - dueAt);
        due.delete(strategy);
      }
    }
    return waits;
  } finally {
    database.close();
  }
}

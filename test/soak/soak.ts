import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import { LAG_PERIOD_MS } from '#daemon/run/time-keeping.ts';
import { startVenue } from '#paper-venue/venue.ts';
import type { Timers } from '#ports/timers.ts';
import { driftOf, metricsOf } from '../load/watched.ts';
import { rowsOf } from '../support/books.ts';
import { JournalJudge } from '../support/journal-judge.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

export interface SoakOptions {
  readonly hours: number;
  readonly lanes: number;
  /** Seconds between two quotes of a lane. */
  readonly everySeconds: number;
  /** How often it is looked at. */
  readonly looks?: number;
  readonly onLook?: (look: Look, share: number) => void;
}

/** What daemon and venue hold together at one time, when garbage is collected. */
export interface Look {
  readonly heapMb: number;
  /** Timers of both that wait. */
  readonly timers: number;
  /** Sockets, files and threads that keep the process going. */
  readonly handles: number;
  /** Rows of the journal. */
  readonly decisions: number;
  readonly orders: number;
  readonly quotes: number;
}

export interface Soaked {
  readonly looks: readonly Look[];
  /** What did not stay flat, and broken invariants; empty where everything held. */
  readonly faults: readonly string[];
}

/** The soak is looked at so often unless said. */
const LOOKS = 24;
/** A third more is growth; heaps of a few dozen MB move by less. */
const MAX_DRIFT = 1.35;
/** Lanes that reconnect at this moment, and what else is on its way. */
const MAX_MORE = 24;
/** Turns of the loop after each step, in which what is on the wire arrives. */
const TURNS = 4;
const LONGEST_STEP_MS = 1_000;

/**
 * A real daemon on a real venue, both in this process and in one virtual time: hours of it pass in minutes. Lanes drop now and then, and each
 * trades. Memory, timers, handles and what each part of it adds to the journal must be the same at the end as at the start.
 */
export async function soak({ hours, lanes, everySeconds, looks: count = LOOKS, onLook = () => {} }: SoakOptions): Promise<Soaked> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kairos-soak-'));
  const virtual = new VirtualTimers(Date.UTC(2026, 2, 2));
  const timers = unhurried(virtual);
  const file = path.join(folder, 'kairos.yaml');
  writeFileSync(file, yaml({ folder, hours, lanes, everySeconds, looks: count }));
  const load = (...set: readonly string[]) => loadConfig({ files: [file], set, env: {}, cwd: folder, live: false, isVenue: true });
  const venue = await startVenue(load().settings.venue, timers);
  const faults: string[] = [];
  try {
    const starting = Daemon.start({
      config: load(`service.baseUrl=${venue.url}`),
      strategyFolders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
      timers,
      notice: () => {},
      onFault: (error) => faults.push(`a fault of the daemon: ${error instanceof Error ? error.stack : String(error)}`),
    });
    const daemon = await settled(virtual, starting);
    const page = daemon.opsUrl;
    const journal = path.join(folder, 'kairos.db');
    const looks: Look[] = [];
    const partMs = (hours * 3_600_000) / count;
    for (let part = 1; part <= count && faults.length === 0; part += 1) {
      await passed(virtual, partMs);
      const quotes = (await metricsOf(page)).get('kairos_quotes_total') ?? 0;
      const look = { ...held(virtual), ...grown(journal), quotes };
      looks.push(look);
      onLook(look, part / count);
    }
    await settled(virtual, daemon.stop('test', 'soaked'));
    const judge = new JournalJudge(journal);
    return { looks, faults: [...faults, ...judge.look(), ...judge.wholeness(), ...driftsOf(looks)] };
  } finally {
    await settled(virtual, venue.close());
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is not as it was. */
export function driftsOf(looks: readonly Look[]): readonly string[] {
  const first = looks.slice(0, looks.length / 3);
  const last = looks.at(-1);
  const added = (of: 'decisions' | 'orders' | 'quotes'): number => driftOf(looks.map((look, at) => look[of] - (looks[at - 1]?.[of] ?? 0)));
  const more = (of: 'timers' | 'handles'): number => (last?.[of] ?? 0) - Math.max(...first.map((look) => look[of]));
  return [
    ...(driftOf(looks.map(({ heapMb }) => heapMb)) <= MAX_DRIFT ? [] : ['its memory grows']),
    ...(added('decisions') <= MAX_DRIFT ? [] : ['it adds ever more to the journal']),
    ...(added('orders') >= 1 / MAX_DRIFT ? [] : ['it orders ever less']),
    ...(added('quotes') >= 1 / MAX_DRIFT ? [] : ['quotes come ever less']),
    ...(more('timers') <= MAX_MORE ? [] : ['its timers grow']),
    ...(more('handles') <= MAX_MORE ? [] : ['its handles grow']),
  ];
}

/** All but the measuring of the loop's lag, which virtual time has none of. */
const unhurried = (timers: VirtualTimers): Timers => ({
  wallMs: () => timers.wallMs(),
  monotonicMs: () => timers.monotonicMs(),
  after: (delayMs, run) => timers.after(delayMs, run),
  every: (periodMs, run) => (periodMs === LAG_PERIOD_MS ? () => {} : timers.every(periodMs, run)),
  random: () => timers.random(),
  uuid: () => timers.uuid(),
});

/** Each lane has an amount of its own, and a strategy that may turn round twice between two looks. */
function yaml({ folder, hours, lanes, everySeconds, looks = LOOKS }: SoakOptions & { readonly folder: string }): string {
  const flipSeconds = Math.ceil((hours * 3_600) / looks / 2);
  const flips = Array.from(
    { length: lanes },
    (_, n) =>
      `  - { id: flip-${n}, use: coin-flip, product: btcusd, amount: { base: ${(10 + n) / 1e5} }, params: { seed: ${n}, everySeconds: ${flipSeconds} } }`,
  );
  return `journal: { path: '${path.join(folder, 'kairos.db')}' }
recording: { enabled: false }
lanes: { reserve: 1, opensPerSecond: 1000, staleAfter: { btcusd: ${everySeconds * 3}s } }
risk: { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, duplicateWindowMs: off, maxLossStreak: off,
    maxLossStreakOfAll: off, maxRejectionStreak: off, maxDayLoss: off, maxDayValue: off, maxDrawdownPct: off }
venue: { database: '${path.join(folder, 'venue.db')}', seed: soak, quotesPerSecond: ${1 / everySeconds}, faults: [dropped-feed=0.2%] }
strategies:
${flips.join('\n')}
`;
}

const collect: unknown = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
})();

function held(timers: VirtualTimers): Pick<Look, 'heapMb' | 'timers' | 'handles'> {
  if (typeof collect === 'function') collect();
  const handles = process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout' && kind !== 'Immediate').length;
  return { heapMb: process.memoryUsage().heapUsed / 1024 / 1024, timers: timers.pending, handles };
}

function grown(journal: string): Pick<Look, 'decisions' | 'orders'> {
  const count = (table: string): number => rowsOf<{ n: number }>(journal, `SELECT count(*) AS n FROM ${table}`)[0]?.n ?? 0;
  return { decisions: count('decisions'), orders: count('orders') };
}

/** From one timer to the next; after each, what is on the wire arrives. */
async function passed(timers: VirtualTimers, ms: number): Promise<void> {
  const end = timers.monotonicMs() + ms;
  while (timers.monotonicMs() < end) {
    timers.advance(Math.min(timers.untilNext, LONGEST_STEP_MS, end - timers.monotonicMs()));
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Lets time pass until something is done. */
async function settled<Done>(timers: VirtualTimers, work: Promise<Done>): Promise<Done> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => {});
  while (!isOver) {
    await passed(timers, 25);
    // What threads do meanwhile takes real time.
    await pause(1);
  }
  return over;
}

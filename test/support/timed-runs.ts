import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { type LoadedConfig, loadConfig } from '#config/load.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import { startVenue } from '#paper-venue/venue.ts';
import { rowsOf } from './books.ts';
import { UNWATCHED } from './unwatched.ts';
import { VirtualTimers } from './virtual-timers.ts';
import { settle, step } from './virtual-wire.ts';

const PULSE = `import { buy, param, sell, strategy } from 'kairos/strategy';

export default strategy({
  name: 'pulse',
  params: { everyMs: param.int(700, { min: 1 }) },
  signals: ({ every }, { everyMs }) => every(everyMs),
  decide: (_count, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});
`;

const CLOCKED = `import { merge } from 'rxjs';
import { buy, close, delay, strategy } from 'kairos/strategy';

export default strategy({
  name: 'clocked',
  signals: ({ at, quotes$ }) => merge(at('* * * * * *'), quotes$.pipe(delay('333ms'))),
  decide: (_signal, { position, amount, random }) =>
    random() < 0.7 ? undefined : position.isFlat ? buy(amount, 'in', { within: '400ms' }) : close(50, 'half', { within: '1s' }),
});
`;

/** Runs of one journal, one after the other, whose strategies decide on timers. */
export interface TimedRuns {
  readonly folder: string;
  readonly config: LoadedConfig;
  readonly runs: readonly string[];
  remove(): void;
}

/** Trades on the paper venue, in virtual time, until each run has so many fills, and stops it as a person would stop it. */
export async function timedRuns(fills: readonly number[]): Promise<TimedRuns> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kairos-timed-runs-'));
  mkdirSync(path.join(folder, 'strategies'));
  for (const [name, text] of Object.entries({ pulse: PULSE, clocked: CLOCKED }))
    writeFileSync(path.join(folder, 'strategies', `${name}.ts`), text);
  const file = path.join(folder, 'kairos.yaml');
  writeFileSync(
    file,
    `journal: { path: ${path.join(folder, 'kairos.db')} }
recording: { dir: ${path.join(folder, 'recordings')} }
risk: { duplicateWindowMs: off, maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxLossStreak: off, maxDayLoss: off, maxDrawdownPct: off }
strategies:
  - { id: pulse, use: pulse, product: btcusd, amount: { base: 0.01 } }
  - { id: quick, use: pulse, product: ethusd, amount: { base: 0.2 }, params: { everyMs: 170 } }
  - { id: clocked, use: clocked, product: btcusd, amount: { base: 0.02 } }
venue: { database: ${path.join(folder, 'venue.db')}, quotesPerSecond: 4, answerDelayMs: [0, 60] }
`,
  );
  const load = (set: readonly string[]) => loadConfig({ files: [file], set, env: {}, cwd: folder, live: false, isVenue: true });
  const timers = new VirtualTimers();
  const venue = await startVenue(load([]).settings.venue, timers);
  const config = load([`service.baseUrl=http://127.0.0.1:${venue.port}`]);
  const runs: string[] = [];
  try {
    for (const wanted of fills) {
      const starting = Daemon.start({
        config,
        strategyFolders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
        timers,
        notice: () => {},
        onFault: (error) => {
          throw error;
        },
        beside: UNWATCHED,
      });
      const daemon = await settle(timers, starting);
      runs.push(daemon.opened.run);
      const filled = `SELECT 1 FROM orders WHERE run_id = '${daemon.opened.run}' AND state = 'accepted'`;
      while (rowsOf(config.settings.journal.path, filled).length < wanted) await step(timers);
      await settle(timers, daemon.stop('test', 'seen enough'));
    }
  } finally {
    await settle(timers, venue.close());
  }
  return { folder, config, runs, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

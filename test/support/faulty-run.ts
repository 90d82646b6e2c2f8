import path from 'node:path';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { type LoadedConfig, loadConfig } from '#config/load.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import type { VenueFault } from '#paper-venue/faults/catalogue.ts';
import { startVenue } from '#paper-venue/venue.ts';
import { DaemonFolder } from './daemon-folder.ts';
import { freePort } from './free-port.ts';
import { UNWATCHED } from './unwatched.ts';
import { VENUE_SETTINGS } from './venue-settings.ts';
import { VirtualTimers } from './virtual-timers.ts';
import { settle, step } from './virtual-wire.ts';
import { lookFor } from './wait-for.ts';

/** Wants to be in when it is out and out when it is in, five times a second, whether there are quotes or not. */
const STRATEGY = `import { merge } from 'rxjs';
import { buy, sell, strategy } from 'kairos/strategy';

export default strategy({
  name: 'eager',
  signals: ({ quotes$, every }) => merge(quotes$, every('200ms')),
  decide: (_signal, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});
`;

/** Limits that such a strategy would reach by itself are off; those that faults lead to are as they come. */
const CONFIG = `strategies:
  - { id: btc, use: ./eager.ts, product: btcusd, amount: { base: 0.01 } }
  - { id: eth, use: ./eager.ts, product: ethusd, amount: { base: 0.1 } }
risk:
  { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxThrottledPerMinute: off,
    duplicateWindowMs: off, maxLossStreak: off, maxLossStreakOfAll: off, maxDayValue: off, maxDayLoss: off, maxDrawdownPct: off }
`;

/** What faults lead to shows within minutes. */
const MAX_MS = 600_000;

const DEPOSIT = JSON.stringify({ userId: '1205', currency: 'btc', amount: '0.5' });

export interface FaultyRun {
  readonly folder: DaemonFolder;
  readonly config: LoadedConfig;
  readonly venueDatabase: string;
  readonly executions: number;
  /** What the daemon said: its notices, its rows as `kind REASON`, what its lanes were, and its metrics. */
  readonly told: string;
}

export interface FaultyRunOptions {
  readonly faults: readonly VenueFault[];
  /** Settings of the daemon. */
  readonly set: readonly string[];
  /** It is stopped once all of these were told. */
  readonly meets: readonly RegExp[];
}

/** A daemon in this process in virtual time, from its start to a stop by a person, against a venue that fails. */
export async function faultyRun({ faults, set, meets }: FaultyRunOptions): Promise<FaultyRun> {
  const folder = new DaemonFolder('faulty');
  const venueDatabase = path.join(folder.path, 'venue.db');
  // The receiver of webhooks has a thread, and there the time of the machine.
  const timers = new VirtualTimers(Date.now());
  const hooks = await freePort();
  const webhooks = { ...VENUE_SETTINGS.webhooks, url: `http://127.0.0.1:${hooks}/webhooks` };
  const capabilities = ['order-query'] as const;
  const venue = await startVenue(
    { ...VENUE_SETTINGS, faults, quotesPerSecond: 10, database: venueDatabase, capabilities, webhooks },
    timers,
  );
  try {
    folder.write('eager.ts', STRATEGY);
    const file = folder.write(
      'kairos.yaml',
      `${CONFIG}service: { baseUrl: "${venue.url}", answerMs: 2000 }\nwebhooks: { port: ${hooks}, windowMs: 3600000 }\n`,
    );
    const config = loadConfig({ files: [file], set, env: {}, cwd: folder.path, live: false, isVenue: true });
    const told = new Set<string>();
    const faulted: unknown[] = [];
    const starting = Daemon.start({
      config,
      strategyFolders: { cwd: folder.path, packaged: PACKAGED_STRATEGIES },
      timers,
      notice: (_level, text) => told.add(text),
      onFault: (error) => faulted.push(error),
      beside: UNWATCHED,
    });
    const daemon = await settle(timers, starting);
    try {
      if (config.settings.webhooks.enabled) {
        const headers = { 'content-type': 'application/json' };
        await fetch(`${venue.url}/venue/deposits`, { method: 'POST', body: DEPOSIT, headers });
        await settle(
          timers,
          lookFor(() => folder.rows("SELECT 1 FROM ledger WHERE kind = 'deposit'")[0]),
        );
      }
      const isMet = (): boolean => {
        const text = [...told, ...rowsOf(folder)].join('\n');
        return meets.every((pattern) => pattern.test(text));
      };
      for (const end = timers.monotonicMs() + MAX_MS; faulted.length === 0 && timers.monotonicMs() < end && !isMet(); ) {
        for (let steps = 0; steps < 20; steps += 1) {
          await step(timers);
          for (const { phase, epoch, untradable } of daemon.inspect().lanes) told.add(`lane ${phase} ${epoch}`).add(`lane ${untradable}`);
        }
      }
      told.add(await (await fetch(`${daemon.opsUrl}/metrics`)).text());
    } finally {
      await settle(timers, daemon.stop('test', 'seen enough'));
    }
    if (faulted.length > 0) throw faulted[0];
    return { folder, config, venueDatabase, executions: venue.executions().length, told: [...told, ...rowsOf(folder)].join('\n') };
  } finally {
    await settle(timers, venue.close());
  }
}

function rowsOf(folder: DaemonFolder): readonly string[] {
  const rows = folder.rows<{ kind: string; reason: string | null }>('SELECT kind, reason FROM decisions ORDER BY seq');
  return rows.map(({ kind, reason }) => `${kind} ${reason ?? '-'}`);
}

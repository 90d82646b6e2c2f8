import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import { messageOf } from '#domain/errors.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import { rowsOf } from '../support/books.ts';
import { freePort } from '../support/free-port.ts';
import { UNWATCHED } from '../support/unwatched.ts';
import { VENUE_SETTINGS } from '../support/venue-settings.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { STEP_MS, settle, step } from '../support/virtual-wire.ts';
import { lookFor } from '../support/wait-for.ts';

const STRATEGY = fileURLToPath(new URL('eager.ts', import.meta.url));

/** A round of trading is enough; so long is waited for it, and for a word about why there is none. */
export const ENOUGH_EXECUTIONS = 9;
const MAX_MS = 45_000;
/** Once something was said that stops trading for good, so long is waited for more of it. */
const AFTERWORD_MS = 1500;

const DEPOSITED = "SELECT kind FROM ledger WHERE kind = 'deposit'";
/** What is paid in where deposits are made. */
export const DEPOSIT = { userId: '1205', currency: 'btc', amount: '0.5' } as const;

/** Limits of the run: `maxOrderValue` is what no order at the service may exceed. */
export const CAPS = { maxOrderValue: 1000, maxPositionValue: 1000 } as const;
/** What each order is for. */
export const AMOUNT = '0.01';

export interface OrderRow {
  readonly order_id: string;
  readonly quote_id: string;
  readonly state: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string | null;
  readonly fee_ccy: string | null;
}

export interface ExecutionRow {
  readonly quote_id: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
  readonly fee_ccy: string;
}

export interface Told {
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
}

/** What a run left behind, here and at the service: all that the judge looks at. */
export interface Seen {
  readonly journal: string;
  readonly venueDatabase: string;
  readonly orders: readonly OrderRow[];
  readonly executions: readonly ExecutionRow[];
  /** Orders that the service refused, by the quote that they named. */
  readonly refusals: readonly { readonly quote_id: string | null; readonly error_code: string }[];
  readonly told: readonly Told[];
  /** Rows of decisions by kind and reason. */
  readonly decisions: readonly string[];
  /** Why it did not start; null where it did. */
  readonly startFault: string | null;
}

export interface WorldOptions {
  readonly dialect: readonly string[];
  /** Settings, as `--set` takes them. */
  readonly set: readonly string[];
  readonly apiSecret?: string;
  /** Whether a deposit is made and notified. */
  readonly deposits?: boolean;
  /** What stands between the daemon and the venue, by the venue's port; nothing unless given. */
  readonly between?: (port: number) => Promise<{ readonly url: string; close(): Promise<void> }>;
  /** Enough was seen of it. */
  readonly enough?: (seen: { readonly executions: number; readonly told: readonly Told[]; readonly passedMs: number }) => boolean;
}

/**
 * One run of the real daemon against the venue in a dialect, on a loopback port of this process. Both have the same time, which moves
 * only when the wire is quiet: half a minute of it is over in a second or two. `look` reads what is left before the folder goes.
 */
export async function runInDialect<T>(options: WorldOptions, look: (seen: Seen) => T): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kairos-dialect-'));
  // The receiver of webhooks has a thread, and there the time of the machine.
  const timers = new VirtualTimers(Date.now());
  const venueDatabase = path.join(folder, 'venue.db');
  const hooks = options.deposits ? await freePort() : null;
  const webhooks = { ...VENUE_SETTINGS.webhooks, url: hooks === null ? null : `http://127.0.0.1:${hooks}/webhooks` };
  const settings = { ...VENUE_SETTINGS, database: venueDatabase, dialect: options.dialect, seed: 'dialects', webhooks };
  const venue = await startVenue(settings, timers);
  const between = await options.between?.(venue.port);
  try {
    const place = { folder, venue, timers, url: between?.url ?? venue.url, hooks };
    return look({ ...(await traded(options, place)), venueDatabase });
  } finally {
    await between?.close();
    await settle(timers, venue.close());
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly folder: string;
  readonly venue: Venue;
  /** Where the daemon finds it. */
  readonly url: string;
  /** Where notifications are received; null where none are. */
  readonly hooks: number | null;
  readonly timers: VirtualTimers;
}

async function traded({ set, apiSecret, enough = isEnough }: WorldOptions, { folder, venue, timers, url, hooks }: Place) {
  const journal = path.join(folder, 'kairos.db');
  const told: Told[] = [];
  const seen = (startFault: string | null): Omit<Seen, 'venueDatabase'> => ({
    journal,
    orders: rowsOf(journal, 'SELECT order_id, quote_id, state, side, price, size, value, fee, fee_ccy FROM orders ORDER BY rowid'),
    executions: rowsOf(
      path.join(folder, 'venue.db'),
      'SELECT quote_id, side, price, size, value, fee, fee_ccy FROM executions ORDER BY rowid',
    ),
    refusals: rowsOf(path.join(folder, 'venue.db'), 'SELECT quote_id, error_code FROM refusals ORDER BY rowid'),
    told,
    decisions: rowsOf<{ kind: string; reason: string | null }>(journal, 'SELECT kind, reason FROM decisions ORDER BY seq').map(
      ({ kind, reason }) => (reason === null ? kind : `${kind} ${reason}`),
    ),
    startFault,
  });
  const base = [
    `service.baseUrl=${url}`,
    `journal.path=${journal}`,
    'recording.enabled=false',
    'lanes.reserve=1',
    `strategies=[{id: eager, use: "${STRATEGY}", product: btcusd, amount: {base: ${AMOUNT}}}]`,
    `risk={maxOrderValue: ${CAPS.maxOrderValue}, maxPositionValue: ${CAPS.maxPositionValue}, maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxLossStreak: off, maxLossStreakOfAll: off, duplicateWindowMs: off}`,
    ...(hooks === null ? [] : [`webhooks={enabled: true, port: ${hooks}, windowMs: 3600000}`]),
  ];
  const faults: unknown[] = [];
  let daemon: Daemon | undefined;
  try {
    const env = apiSecret === undefined ? {} : { KAIROS_API_SECRET: apiSecret };
    const config = loadConfig({ files: [], set: [...base, ...set], env, cwd: folder, live: false, isVenue: true });
    const starting = Daemon.start({
      config,
      strategyFolders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
      timers,
      notice: (level, text) => told.push({ level, text }),
      onFault: (error) => faults.push(error),
      beside: UNWATCHED,
    });
    daemon = await settle(timers, starting);
  } catch (error) {
    return seen(messageOf(error));
  }
  if (hooks !== null)
    await settle(
      timers,
      deposited(venue.url, () => rowsOf<{ kind: string }>(journal, DEPOSITED).length > 0),
    );
  const began = timers.monotonicMs();
  for (;;) {
    const passedMs = timers.monotonicMs() - began;
    if (passedMs >= MAX_MS || faults.length > 0) break;
    if (enough({ executions: venue.executions().length, told, passedMs })) break;
    await step(timers);
  }
  for (let after = 0; after < AFTERWORD_MS; after += STEP_MS) await step(timers);
  await settle(timers, daemon.stop('test', 'seen enough'));
  if (faults.length > 0) throw faults[0];
  return seen(null);
}

/** Somebody pays in, and it is booked; the receiver has a thread and a time of its own, so that this waits for both. */
async function deposited(url: string, isBooked: () => boolean): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/venue/deposits`, { method: 'POST', headers, body: JSON.stringify(DEPOSIT) });
  await answer.arrayBuffer();
  await lookFor(() => isBooked() || undefined);
}

function isEnough({ executions }: { readonly executions: number }): boolean {
  return executions >= ENOUGH_EXECUTIONS;
}

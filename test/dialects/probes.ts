import WebSocket from 'ws';
import { meetingOf } from '#adapters/service-client/dialect/dialect.ts';
import { decodeFrame } from '#adapters/service-client/quotes/decode-frame.ts';
import { createdId } from '#adapters/service-client/rest/orchestrator.ts';
import { isShown } from '#adapters/service-client/rest/read-back.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { clientOf } from '#assembly/service.ts';
import { loadConfig } from '#config/load.ts';
import { laneIdOf } from '#domain/names.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import { VENUE_SETTINGS } from '../support/venue-settings.ts';

/** Readings that trading does not meet. */
const PROBED = /^(find-|account-|level-)/;

/** What has no answer by then is not read. */
const PROBE_MS = 8000;

/** What the client takes wrongly, or cannot read, of lists, strategies and full quotes in a dialect. */
export interface Probed {
  /** What it takes for done or for true though it is not. */
  readonly unsafe: readonly string[];
  /** What it should read and cannot. */
  readonly short: readonly string[];
}

export async function probes(names: readonly string[]): Promise<Probed> {
  if (!names.some((name) => PROBED.test(name))) return { unsafe: [], short: [] };
  const venue = await startVenue({ ...VENUE_SETTINGS, dialect: names }, systemTimers);
  const { set } = meetingOf(names);
  const given = [`service.baseUrl=${venue.url}`, ...Object.entries(set).map(([key, value]) => `${key}=${value}`)];
  const productCode = names.some((name) => name.startsWith('upper-products')) ? 'BTCUSD' : 'btcusd';
  const { settings } = loadConfig({ files: [], set: given, env: {}, cwd: '/', live: false, isVenue: true });
  const client = clientOf(venue.url, settings.service, { timers: systemTimers });
  try {
    const accounts = await client.accounts().catch(() => []);
    const short = accounts.map(({ id }) => id).join() === '70311,70312' ? [] : [`the accounts are read as ${JSON.stringify(accounts)}`];
    if (!(await fullQuoteIsRead(venue, { path: settings.service.paths.quotes, productCode }))) short.push('a full quote is not read');
    return { unsafe: await takenForDeleted(client), short };
  } finally {
    await client.close();
    await venue.close();
  }
}

/** A strategy that was not deleted, and what the service reads back of it. */
async function takenForDeleted({ strategies }: ReturnType<typeof clientOf>): Promise<readonly string[]> {
  const fields = { strategyType: 'AI', accountId: '70312', productCode: 'btcusd', initialQuoteCurrencyAmount: 1000 };
  const created = await strategies.ask({ action: 'create', fields });
  const strategyId = createdId(created.response);
  // What cannot be read back is no word that it was done.
  let unread = false;
  const onUnread = (): void => {
    unread = true;
  };
  const found = await strategies.find(onUnread).catch(() => null);
  if (strategyId === null || found === null || unread) return [];
  const asks = [{ action: 'delete', strategyId } as const, { action: 'deleteAll' } as const];
  return asks
    .filter((asked) => isShown(asked, found) === true)
    .map(({ action }) => `${action} is shown as done, though the strategy is there`);
}

/** Asks for a full quote at the path of the settings, and reads it. */
async function fullQuoteIsRead(
  venue: Venue,
  { path, productCode }: { readonly path: string; readonly productCode: string },
): Promise<boolean> {
  const socket = new WebSocket(`${venue.url.replace('http', 'ws')}${path}`, { headers: { 'user-agent': 'probe' } });
  const frames = new Promise<boolean>((resolve) => {
    socket.on('error', () => resolve(false)).on('close', () => resolve(false));
    setTimeout(() => resolve(false), PROBE_MS);
    socket.on('open', () => ask());
    socket.on('message', (data) => {
      const frame = decodeFrame(data.toString(), { lane: laneIdOf('btcusd@full'), epoch: 1 });
      if (frame.kind === 'err') setTimeout(ask, 200);
      if (data.toString().includes('"FQ"')) resolve(frame.kind === 'full' && frame.full.bids.length > 0 && frame.full.asks.length > 0);
    });
  });
  const ask = () => socket.send(JSON.stringify({ quoteType: 'FULL', productCode }));
  try {
    return await frames;
  } finally {
    socket.terminate();
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startVenueThread } from '#assembly/venue-thread.ts';
import { FeedClient, firstQuote, order, SETTINGS, scratch } from './venue-rig.ts';

describe('the embedded venue in its own thread', () => {
  test('trades over its sockets alone, closes twice without harm, and keeps its books', async () => {
    const database = path.join(scratch(), 'venue.db');
    const thread = await startVenueThread({ ...SETTINGS, database });
    const client = await new FeedClient(thread).open();
    const quote = await firstQuote(client);
    expect(await order({ venue: thread, timers: systemTimers }, { quoteId: quote.id })).toMatchObject({ status: 201 });
    await Promise.all([thread.close(), thread.close()]);
    expect(await client.closed).toBe(1001);
    await expect(fetch(`${thread.url}/mms/v2/productDetails`)).rejects.toThrow();
  });

  test('that cannot start says why, with its code, as if it were no thread', async () => {
    const thread = await startVenueThread(SETTINGS);
    await expect(startVenueThread({ ...SETTINGS, port: thread.port })).rejects.toMatchObject({
      name: 'KairosError',
      code: 'PORT_IN_USE',
      message: expect.stringContaining(`127.0.0.1:${thread.port}`),
    });
    await thread.close();
  });

  test('I27 runs under plain Node too, and lets the process end once it is closed', async () => {
    const entry = pathToFileURL(path.resolve(import.meta.dirname, '../../src/assembly/venue-thread.ts')).href;
    const script = `
      const { startVenueThread } = await import(${JSON.stringify(entry)});
      const venue = await startVenueThread(JSON.parse(process.env.VENUE_SETTINGS));
      const answer = await fetch(venue.url + '/mms/v2/productDetails?exchangeCode=VB');
      console.log(answer.status, (await answer.json()).length);
      await venue.close();
    `;
    const env = { ...process.env, VENUE_SETTINGS: JSON.stringify(SETTINGS) };
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const [code] = await once(child, 'close');
    expect([output, code]).toEqual(['200 4\n', 0]);
  });
});

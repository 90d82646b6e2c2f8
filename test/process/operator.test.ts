import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import { KEY, SECRET, SETTINGS } from '../paper-venue/venue-rig.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { type Json, type OtherService, otherService, STRANGER, type Ways } from '../support/other-service.ts';
import { endAll, startKairos } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

const CONFIG = `account: { currency: usd, opening: { usd: 100000 } }
strategies:
  - { id: keep, use: buy-and-hold, product: btcusd, amount: { base: 0.01 }, budget: { usd: 50000 } }
risk: { maxOrderValue: 5000, maxPositionValue: 20000, maxDayValue: off, maxDayLoss: 12, maxDrawdownPct: off, maxOrdersPerMinute: off }
`;

let service: OtherService;
let venue: Venue;
const folders: DaemonFolder[] = [];
afterEach(async () => {
  await endAll();
  await service.close();
  await venue.close();
  for (const folder of folders.splice(0)) folder.remove();
});

function folderOf(name: string): DaemonFolder {
  const folder = new DaemonFolder(name);
  folders.push(folder);
  return folder;
}

/** A folder of a bot at a service that does some things its own way, and commands typed in it. */
async function at(ways: Ways, config: string) {
  venue = await startVenue({ ...SETTINGS, quotesPerSecond: 10, validityMs: 10_000 }, systemTimers);
  service = await otherService(venue.port, { ...STRANGER, ...ways });
  const folder = folderOf('operator');
  folder.write('kairos.yaml', config);
  const env = { KAIROS_BASE_URL: service.url, KAIROS_USER_ID: '1205', KAIROS_API_KEY: KEY, KAIROS_API_SECRET: SECRET.replace('=', '') };
  const place = { cwd: folder.path, env };
  return { folder, place, kairos: (...words: string[]) => kairosHere(words, place) };
}

test('rows 3 and 4: an exit is answered 500; close and flatten stay, say what to type, and go on once that was typed', async () => {
  let sales = 0;
  const { folder, place, kairos } = await at(
    {
      keeps: ({ method, body }) =>
        method === 'POST' && body.includes('SELL') && sales++ === 0 ? { status: 500, headers: {}, body: 'sorry' } : undefined,
    },
    `mode: live\n${CONFIG}`,
  );
  const daemon = startKairos(['run', '--live'], place);
  await daemon.says(/look +\S/);
  expect(await kairos('arm', '--yes', '--unrehearsed')).toMatchObject({ code: 0 });
  await daemon.until('a position', () => folder.accepted());
  const orders = (side: string, state: string) =>
    folder.rows<{ id: string }>(`SELECT order_id id FROM orders WHERE side = '${side}' AND state = '${state}'`);
  expect(await kairos('close', 'keep', '--no-wait')).toMatchObject({ code: 0 });
  const { id } = await daemon.until('an exit of unknown outcome', () => orders('sell', 'unknown')[0]);
  const waits = await waitFor(async () => {
    const said = await kairos('flatten', '--timeout', '2');
    return /keep still holds 0\.01 of btcusd \(still at work.*POSITION_UNSURE/.test(said.stderr) ? said : undefined;
  });
  expect(waits.code).toBe(1);
  const [, printed = ''] = new RegExp(`kairos (journal resolve ${id} --as) accepted`).exec(waits.stderr) ?? [];
  expect(orders('sell', 'accepted')).toEqual([]);
  expect(await kairos(...printed.split(' '), 'rejected')).toMatchObject({ code: 0 });
  await daemon.until('the sale of what is held', () => orders('sell', 'accepted')[0]);
  expect(sales).toBe(2);
  expect((await kairos('positions')).stdout).not.toContain('keep');
  daemon.signal('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});

test('row 5: a limit that trips while another process holds the journal acts at once; its row follows, and the daemon lives', async () => {
  let falls = false;
  const fallen = (side: unknown): unknown =>
    typeof side === 'object' && side !== null && 'price' in side && 'size' in side
      ? { ...side, price: Number(side.price) * 0.975, value: Number(side.price) * 0.975 * Number(side.size) }
      : side;
  const feed = (message: Json): readonly unknown[] => [
    falls && message.msgType === 'TQ' ? { ...message, buyQuote: fallen(message.buyQuote), sellQuote: fallen(message.sellQuote) } : message,
  ];
  const { folder, place } = await at({ feed }, CONFIG);
  const daemon = startKairos(['run'], place);
  await daemon.until('a position', () => folder.accepted());
  const held = new Database(folder.journal);
  held.exec('BEGIN IMMEDIATE');
  falls = true;
  await daemon.says(/REDUCING, only exits pass/);
  expect(folder.rows("SELECT 1 FROM decisions WHERE kind = 'reducing'")).toEqual([]);
  held.close();
  await waitFor(() => folder.rows("SELECT 1 FROM decisions WHERE kind = 'reducing' AND reason = 'MAX_DAY_LOSS'")[0]);
  daemon.signal('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});

test('row 7: what was armed stays armed over a rotation and a kill, and a copy is DISARMED', async () => {
  const { folder, place, kairos } = await at({}, `mode: live\n${CONFIG}`);
  const started = async (cwd = place.cwd) => {
    const daemon = startKairos(['run', '--live'], { ...place, cwd });
    await daemon.says(/look +\S/);
    return daemon;
  };
  const trading = async () => /^trading +(.*?)(?: since .*)?$/m.exec((await kairos('status')).stdout)?.[1];
  const first = await started();
  expect(await kairos('arm', '--yes', '--unrehearsed')).toMatchObject({ code: 0 });
  await first.until('a position', () => folder.accepted());
  first.signal('SIGTERM');
  await first.ended;
  expect(await kairos('journal', 'rotate')).toMatchObject({ code: 0 });
  const copy = folderOf('copy');
  copy.take(folder);
  const second = await started();
  expect(await trading()).toBe('on');
  await second.kill();
  const third = await started();
  expect(await trading()).toBe('REDUCING');
  const elsewhere = await started(copy.path);
  await elsewhere.says(/DISARMED, no order goes out .*this journal was armed in another place/);
  // Who arms it is told first, in case the other one still trades.
  const armed = await kairosHere(['arm', '--yes'], { ...place, cwd: copy.path });
  expect(armed).toMatchObject({ code: 0, stderr: expect.stringContaining('ARMED IN ANOTHER PLACE: this journal is a copy') });
  for (const daemon of [third, elsewhere]) {
    daemon.signal('SIGTERM');
    expect((await daemon.ended).code).toBe(0);
  }
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import { KEY, SECRET, SETTINGS } from '../paper-venue/venue-rig.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { HURRIED, kairosHere } from '../support/kairos-here.ts';
import { type OtherService, otherService, STRANGER, type Ways } from '../support/other-service.ts';
import { type Ended, endAll, startKairos } from '../support/process.ts';
import { startAtTerminal } from '../support/terminal.ts';

/** A service that takes the fee of what was received, and tells neither that nor any balance. */
const DIALECT = ['fee-as-received', 'fee-untold'] as const;

const CONFIG = `mode: live
account: { currency: usd, opening: { usd: 100000 } }
strategies:
  - { id: keep, use: buy-and-hold, product: btcusd, amount: { base: 0.01 }, budget: { usd: 50000 } }
risk: { maxOrderValue: 5000, maxPositionValue: 20000, maxDayValue: off, maxDayLoss: off, maxDrawdownPct: off, maxOrdersPerMinute: off }
`;

let service: OtherService;
let venue: Venue;
let folder: DaemonFolder;
beforeEach(() => {
  folder = new DaemonFolder('rehearsal');
});
afterEach(async () => {
  await endAll();
  await service.close();
  await venue.close();
  folder.remove();
});

/** A service that tells the fee and its currency, but not in its first answer to an order. */
function tellingFeesLater(): Ways {
  let isFirst = true;
  return {
    answer: (said, asked) => {
      if (asked.method !== 'POST' || !said.body.includes('"feeCcy"') || !isFirst) return STRANGER.answer?.(said, asked) ?? said;
      isFirst = false;
      const { fee: _fee, feeCcy: _currency, ...untold } = JSON.parse(said.body);
      return { ...said, body: JSON.stringify(untold) };
    },
  };
}

/** A live daemon at a service that does some things its own way. */
async function live(ways: Ways, dialect: readonly (typeof DIALECT)[number][] = DIALECT) {
  venue = await startVenue({ ...SETTINGS, dialect: [...dialect], quotesPerSecond: 10, validityMs: 10_000 }, systemTimers);
  service = await otherService(venue.port, { ...STRANGER, ...ways });
  folder.write('kairos.yaml', CONFIG);
  const env = { KAIROS_BASE_URL: service.url, KAIROS_USER_ID: '1205', KAIROS_API_KEY: KEY, KAIROS_API_SECRET: SECRET.replace('=', '') };
  const place = { cwd: folder.path, env };
  const daemon = startKairos(['run', '--live'], place);
  await daemon.says(/look +\S/);
  return { place, daemon };
}

/** What the account holds, as a person types it who looks it up at the service. */
const held = (): string => {
  const { btc = '0', usd = '0' } = venue.balances('1205');
  return `btc=${btc},usd=${usd}`;
};

test('row 6: a person at a terminal is asked for the balances, also after a sale whose answer tells its fee; they show fee and position', {
  tags: 'util-linux',
}, async () => {
  const { place, daemon } = await live(tellingFeesLater(), ['fee-as-received']);
  const answers: readonly (readonly [question: string, answer: () => string])[] = [
    ['Buy the least of btcusd and sell it again? [y/N]', () => 'y'],
    ['What the account holds before the purchase', held],
    ['What the account holds after the purchase', held],
    ['What the account holds after the sale', held],
  ];
  // Once more while the machine does not keep up.
  const rehearsed = async (): Promise<Ended> => {
    const terminal = startAtTerminal(['rehearse', 'btcusd', '--live'], place);
    for (const [question, answer] of answers) {
      const isRefused = (stdout: string): boolean => !terminal.isRunning && HURRIED.test(stdout);
      const said = await terminal.until(question, ({ stdout }) =>
        stdout.includes(question) ? 'question' : isRefused(stdout) ? 'refusal' : undefined,
      );
      if (said === 'refusal') return rehearsed();
      terminal.type(answer());
    }
    return terminal.ended;
  };
  const { code, stdout } = await rehearsed();
  expect(stdout).toMatch(/^fee of the buy: [\d.]+ btc, as the account moved; booked [\d.]+ usd\r?$/m);
  expect(stdout).toMatch(/^fee of the sell: [\d.]+ usd, as the account moved;/m);
  expect(stdout).toMatch(/^not flat: the account has -[\d.]+ btc against before, the book manual 0\r?$/m);
  expect(stdout).toMatch(/^service\.outcomes: 201 means accepted, as the account shows; nothing is to be set\r?$/m);
  expect(stdout).toMatch(/^ {2}feeIn: received\r?$/m);
  expect(stdout).toMatch(/kairos reconcile --actual btc=\.\.\.,usd=\.\.\./);
  expect(code).toBe(0);
  daemon.signal('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});

test('row 6: where the account held less of the coin than the fee, a refused sale shows it, and what is left is sold; then it may be armed', async () => {
  let sales = 0;
  const { place, daemon } = await live({
    keeps: ({ method, body }) =>
      method === 'POST' && body.includes('SELL') && sales++ === 0
        ? { status: 422, headers: { 'content-type': 'application/json' }, body: '{"error":"insufficient funds"}' }
        : undefined,
  });
  const orders = () => folder.rows("SELECT side, state FROM orders WHERE state NOT IN ('expired', 'not_sent') ORDER BY rowid");
  const hurried = () =>
    folder.rows<{ detail: string }>("SELECT detail FROM decisions WHERE kind = 'by_hand_end'").filter(({ detail }) => HURRIED.test(detail))
      .length;
  let before = 0;
  // Once more while the machine does not keep up: its first sale must be the one that the service refuses.
  const unhurried = async (): Promise<Ended> => {
    const refused = hurried();
    [sales, before] = [0, orders().length];
    const ended = await kairosHere(['rehearse', 'btcusd', '--live', '--yes'], place);
    return hurried() > refused ? unhurried() : ended;
  };
  const rehearsed = await unhurried();
  expect(rehearsed, rehearsed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ {2}feeIn: received$/m) });
  expect(rehearsed.stdout).toMatch(/^fee of the buy: [\d.]+ btc, as the sale shows: the books held less before;/m);
  expect(orders().slice(before)).toEqual([
    { side: 'buy', state: 'accepted' },
    { side: 'sell', state: 'rejected' },
    { side: 'sell', state: 'accepted' },
  ]);
  expect(await kairosHere(['arm', '--yes'], place)).toMatchObject({ code: 0 });
  daemon.signal('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
});

import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import { type AnswerFault, type AnswerRelay, answerRelay } from '../support/answer-relay.ts';
import { ledgerChanges, venueChanges } from '../support/books.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { kairosHere } from '../support/kairos-here.ts';
import { endAll, type Started, startKairos } from '../support/process.ts';
import { VENUE_SETTINGS } from '../support/venue-settings.ts';

const STRATEGY = `import { buy, mid, strategy } from 'kairos/strategy';

export default strategy({
  name: 'eager',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_price, { position, amount }) => (position.isFlat ? buy(amount, 'in') : undefined),
});
`;

const CONFIG = `strategies:
  - { id: own, use: ./eager.ts, product: btcusd, amount: { base: 0.01 } }
`;

interface Bench {
  readonly folder: DaemonFolder;
  readonly venue: Venue;
  readonly relay: AnswerRelay;
  readonly daemon: Started;
}

let bench: Bench | undefined;
afterEach(async () => {
  await endAll();
  await bench?.relay.close();
  await bench?.venue.close();
  bench?.folder.remove();
});

async function running(fault: AnswerFault, set: readonly string[] = []): Promise<Bench> {
  const folder = new DaemonFolder('lost');
  const capabilities = ['order-query', 'balances'] as const;
  const venue = await startVenue(
    { ...VENUE_SETTINGS, quotesPerSecond: 10, database: `${folder.path}/venue.db`, capabilities },
    systemTimers,
  );
  const relay = await answerRelay(venue.port);
  relay.fault = fault;
  folder.write('eager.ts', STRATEGY);
  folder.write('kairos.yaml', `${CONFIG}service: { baseUrl: "${relay.url}" }\n`);
  const daemon = startKairos(['run', ...set.flatMap((one) => ['--set', one])], { cwd: folder.path });
  bench = { folder, venue, relay, daemon };
  return bench;
}

interface State {
  readonly strategies: readonly { readonly position: string; readonly low: string; readonly high: string }[];
  readonly orders: readonly { readonly order: string; readonly state: string }[];
  readonly unknowns: number;
}

async function stateOf({ daemon }: Bench): Promise<State> {
  const [, url] = await daemon.says(/page +(http:\S+)/);
  const text = await (await fetch(`${url}/api/state`)).text();
  return JSON.parse(text);
}

async function settledByPage({ daemon, folder }: Bench, figures: Readonly<Record<string, string>>) {
  const [, url] = await daemon.says(/page +(http:\S+)/);
  const token = readFileSync(`${folder.path}/var/ops-token`, 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/resolve`, { method: 'POST', headers, body: JSON.stringify({ as: 'accepted', ...figures }) });
  return { status: answer.status, text: await answer.text() };
}

const unknownOrder = ({ folder, daemon }: Bench): Promise<string> =>
  daemon.until(
    'order of unknown outcome',
    () => folder.rows<{ id: string }>("SELECT order_id AS id FROM orders WHERE state = 'unknown'")[0]?.id,
  );

describe('F03 F10 the venue executes an order, and its answer is lost', () => {
  test.each([['500'], ['never']] as const)('%s: one execution there, one unknown here; a person makes both books agree', async (fault) => {
    const there = await running(fault);
    const { folder, venue, relay, daemon } = there;
    const order = await unknownOrder(there);
    await daemon.until('refusal of another', () => folder.rows("SELECT 1 FROM decisions WHERE reason = 'PRODUCT_FROZEN'")[0]);
    expect([relay.orders.length, relay.answers.length, venue.executions().length]).toEqual([1, 1, 1]);
    expect(await stateOf(there)).toMatchObject({
      strategies: [{ position: '0', low: '0', high: '0.01' }],
      orders: [{ order, state: 'unknown' }],
      unknowns: 1,
    });
    for (const slip of [{ price: '610000' }, { fee: '300' }]) {
      expect(await settledByPage(there, { order, ...slip }), 'nobody said that it is meant').toMatchObject({
        status: 400,
        text: expect.stringMatching(/ \(service\.figureTolerancePct\): correct it, or say that it is meant \(far\)/),
      });
    }
    expect(folder.rows('SELECT state FROM orders')).toEqual([{ state: 'unknown' }]);
    await daemon.kill();

    const reconciled = () => kairosHere(['reconcile', '--check', '--set', 'service.capabilities=[balances]'], { cwd: folder.path });
    expect(await reconciled()).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/btc +100 +100\.01 +0\.01\n[\s\S]*2 differences; nothing was booked\n$/),
      stderr: expect.stringContaining('1 order of unknown outcome may explain a difference'),
    });
    const { price, size, fee } = venue.executions()[0] ?? {};
    const figures = ['--price', `${price}`, '--size', `${size}`, '--fee', `${fee}`];
    const resolved = await kairosHere(['journal', 'resolve', order, '--as', 'accepted', '--yes', ...figures], { cwd: folder.path });
    expect(resolved).toMatchObject({ code: 0, stderr: '' });
    expect(ledgerChanges(folder.journal)).toEqual(venueChanges(`${folder.path}/venue.db`));
    expect(folder.rows('SELECT state FROM orders')).toEqual([{ state: 'accepted' }]);
    expect(await reconciled()).toMatchObject({ code: 0, stdout: expect.stringContaining('the ledger agrees with the account') });
    expect(verifyJournal(folder.journal)).toMatchObject({ ok: true });
    expect([relay.orders.length, venue.executions().length]).toEqual([1, 1]);
  });

  test('with service.capabilities the service itself says what became of it, and trading goes on', async () => {
    const there = await running('500', ['service.capabilities=[order-query]']);
    const { folder, venue, relay, daemon } = there;
    const order = await unknownOrder(there);
    const resolved = await daemon.until(
      'word of the service',
      () =>
        folder.rows<{ order_id: string; reason: string; who: string }>(
          "SELECT order_id, reason, detail ->> 'who' AS who FROM decisions WHERE kind = 'resolved'",
        )[0],
    );
    expect(resolved).toEqual({ order_id: order, reason: 'SERVICE_ASKED', who: 'service' });
    expect(await stateOf(there)).toMatchObject({ strategies: [{ position: '0.01', low: '0.01', high: '0.01' }], unknowns: 0 });
    daemon.signal('SIGTERM');
    expect(await daemon.ended).toMatchObject({ code: 0 });
    expect(ledgerChanges(folder.journal)).toEqual(venueChanges(`${folder.path}/venue.db`));
    expect([relay.orders.length, venue.executions().length]).toEqual([1, 1]);
  });
});

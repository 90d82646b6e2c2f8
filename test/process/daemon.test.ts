import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { VERSION } from '#assembly/package.ts';
import { runId } from '#domain/names.ts';
import { ledgerChanges, rowsOf, venueChanges } from '../support/books.ts';
import { DaemonFolder } from '../support/daemon-folder.ts';
import { type Ended, endAll, runKairos, type Started, startKairos } from '../support/process.ts';

/** What a user writes in a folder of their own: no package.json, no node_modules, nothing of the checkout. */
const STRATEGY = `import { buy, mid, observe, sell, sma, strategy } from 'kairos/strategy';

export default strategy({
  name: 'in-and-out',
  signals: ({ quotes$ }) => quotes$.pipe(mid(), observe('average', sma(2))),
  decide: (_average, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});
`;

const CONFIG = `strategies:
  - { id: own, use: ./in-and-out.ts, product: ethusd, amount: { base: 0.1 } }
  - { id: shipped, use: sma-cross, product: btcusd, amount: { base: 0.01 }, params: { fast: 2, slow: 4 } }
  - { id: resting, use: coin-flip, product: eurusd, amount: { base: 100 } }
risk: { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxLossStreak: off }
schedule:
  - { name: stop-all, cron: '*/2 * * * * *', action: remote.pauseAll }
  - { name: rest, cron: '* * * * * *', action: bot.pause, strategy: resting }
venue: { quotesPerSecond: 10 }
`;

interface DecisionRow {
  readonly kind: string;
  readonly quote_id: string | null;
  readonly detail: string;
}

describe('a daemon started in a folder of its own, with kairos.yaml there', () => {
  const folder = new DaemonFolder('daemon');
  let daemon: Started;

  const kairos = (...args: string[]): Promise<Ended> => runKairos(args, { cwd: folder.path });
  const printed = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await kairos(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await printed(...args, '--json'));

  beforeAll(async () => {
    folder.write('in-and-out.ts', STRATEGY);
    folder.write('kairos.yaml', CONFIG);
    daemon = startKairos(['run'], { cwd: folder.path, ipc: true });
    await daemon.until('order that was accepted', () => folder.accepted());
  });

  afterAll(async () => {
    await endAll();
    folder.remove();
  });

  test('trades, and tells the process manager that it is ready', async () => {
    await daemon.ready();
    await daemon.says(/PAPER/);
  });

  test('a strategy in a folder without package.json trades like one that comes with Kairos', async () => {
    expect(existsSync(path.join(folder.path, 'package.json'))).toBe(false);
    const traders = () => {
      const rows = folder.rows<{ strategy: string }>(
        "SELECT DISTINCT strategy FROM orders WHERE state = 'accepted' AND strategy IN ('own', 'shipped') ORDER BY strategy",
      );
      return rows.length === 2 ? rows.map(({ strategy }) => strategy) : undefined;
    };
    expect(await daemon.until('order of each strategy', traders)).toEqual(['own', 'shipped']);
  });

  test('the story of an order is in the journal: signal values, approval, time left at send, acceptance, one quote id', () => {
    const story = folder.rows<DecisionRow>(
      `SELECT kind, quote_id, detail FROM decisions WHERE order_id =
         (SELECT order_id FROM orders WHERE strategy = 'shipped' AND state = 'accepted' ORDER BY rowid LIMIT 1) ORDER BY seq`,
    );
    expect(story.map(({ kind }) => kind)).toEqual(['intent', 'approved', 'sent', 'accepted']);
    expect(new Set(story.map(({ quote_id }) => quote_id)).size).toBe(1);
    expect(story[0]?.quote_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const [intent, approved, sent, accepted] = story.map(({ detail }) => JSON.parse(detail));
    expect(intent.signals).toMatchObject({ fast: expect.any(Number), slow: expect.any(Number) });
    expect(approved.checks.length).toBeGreaterThan(0);
    expect(sent.timeLeftMs).toBeGreaterThan(0);
    expect(accepted).toMatchObject({ httpStatus: 201 });
  });

  test('I31: each order leads to its strategy, the version and configuration of its run, and the hash of the source that decided', () => {
    const orders = folder.rows<{ strategy: string; run_id: string; version: string; config_hash: string }>(
      `SELECT DISTINCT o.strategy, r.run_id, r.version, r.config_hash FROM orders o JOIN decisions d ON d.order_id = o.order_id AND d.kind = 'intent'
         LEFT JOIN runs r ON r.run_id = d.run_id`,
    );
    expect(orders.length).toBeGreaterThan(0);
    for (const { strategy, run_id, version, config_hash } of orders) {
      expect({ version, config_hash }).toEqual({ version: VERSION, config_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
      const [start] = [...openRun(logPath(folder.recordings, runId(run_id))).items()].flatMap((item) =>
        item.kind === 'event' && item.event.event.kind === 'start' ? [item.event.event.facts] : [],
      );
      expect(start?.strategySources).toMatchObject({ [strategy]: expect.stringMatching(/^[0-9a-f]{16,}$/) });
    }
  });

  test('F49 I29: a second daemon on the journal ends at once with 5, and the first trades on', async () => {
    const { code, stdout, stderr } = await kairos('run');
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    const held = `kairos: journal ${folder.journal} is held by process ${daemon.pid}: stop the daemon first, or set journal.path to another file\n`;
    expect(stderr).toBe(held);
    const orders = () => folder.rows('SELECT order_id FROM orders').length;
    const before = orders();
    await daemon.until('further order', () => (orders() > before ? true : undefined));
    expect(folder.runs()).toHaveLength(1);
  });

  test('schedules reach the journal: the service takes a pause of all, which cannot be read back; a strategy of ours is paused', async () => {
    const statuses = () => {
      const rows = folder.rows<{ action: string; status: string; http_status: number | null }>(
        "SELECT DISTINCT action, status, http_status FROM actions WHERE status NOT IN ('asked', 'skipped', 'unknown') ORDER BY action",
      );
      return rows.length === 2 ? rows : undefined;
    };
    expect(await daemon.until('answer of the service', statuses)).toEqual([
      { action: 'bot.pause', status: 'confirmed', http_status: null },
      { action: 'remote.pauseAll', status: 'unverified', http_status: 202 },
    ]);
    expect(rowsOf<{ action: string }>(folder.venue, 'SELECT DISTINCT action FROM actions')).toEqual([{ action: 'pauseAll' }]);
    expect(await printed('status')).toMatch(/paused/);
  });

  test('the journal can be read beside the daemon: tail, show, runs, reasons, verify', async () => {
    const order = folder.accepted() ?? '';
    const tail = await printed('journal', 'tail', '-n', '4');
    expect(tail.trimEnd().split('\n')).toHaveLength(4);
    expect(await json('journal', 'tail', '-n', '4')).toHaveLength(4);
    const story = await printed('journal', 'show', order);
    for (const word of [`order ${order}`, 'accepted', 'intent', 'timeLeftMs', 'ledger']) expect(story).toContain(word);
    expect(await json('journal', 'show', order)).toMatchObject({ order: { order_id: order, state: 'accepted' } });
    expect(await printed('journal', 'runs')).toMatch(/paper .* running /);
    expect(await json('journal', 'runs')).toMatchObject([{ book: 'paper', mode: 'paper', end_state: null }]);
    const reasons = await json('journal', 'reasons');
    expect(reasons.map((row: { kind: string; reason: string | null }) => `${row.kind} ${row.reason}`)).toContain('accepted HTTP_OK');
    expect(await printed('journal', 'verify')).toMatch(/ is whole: \d+ decisions, \d+ orders, /);
  });

  test('status, products, accounts and quotes say what there is, for people and for scripts', async () => {
    expect(await json('status')).toMatchObject({ running: true, pid: daemon.pid, book: 'paper', run: { end_state: null } });
    expect(await printed('status')).toContain(`running as process ${daemon.pid}`);
    // Without an address these commands start a venue of their own and say so; here they ask that of the daemon.
    const [baseUrl] = await daemon.says(/http:\/\/127\.0\.0\.1:\d+/);
    const at = ['--set', `service.baseUrl=${baseUrl}`];
    const products = await json('products', ...at);
    expect(products.map((row: { product: string }) => row.product)).toEqual(
      expect.arrayContaining(['btcusd', 'ethusd', 'ethsek', 'eurusd']),
    );
    expect((await json('accounts', ...at)).map((row: { id: string }) => row.id)).toEqual(['70311', '70312']);
    expect(await printed('products', ...at)).toContain('btcusd');
    expect(await printed('accounts', ...at)).not.toContain('paper-exchange-key');
    const quotes = await printed('quotes', 'btcusd', '--size', '0.01', '--count', '2', '--json', ...at);
    const sizes = quotes
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).buy.size);
    expect(sizes).toEqual([0.01, 0.01]);
  });

  test('F60: SIGINT ends it with 0; run, lease, books and files are left as they should be', async () => {
    daemon.signal('SIGINT');
    const { code, signal, stderr } = await daemon.ended;
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    expect(folder.runs()).toMatchObject([{ end_state: 'stopped' }]);
    expect(folder.holder()).toBeNull();
    expect(folder.rows("SELECT state FROM orders WHERE state NOT IN ('accepted', 'expired', 'not_sent', 'rejected')")).toEqual([]);
    expect(Object.keys(ledgerChanges(folder.journal))).toContain('usd');
    expect(ledgerChanges(folder.journal)).toEqual(venueChanges(folder.venue));
    expect(verifyJournal(folder.journal)).toMatchObject({ ok: true });
    expect((await json('status')).running).toBe(false);
    expect(folder.files().filter((file) => !file.startsWith('var/'))).toEqual(['in-and-out.ts', 'kairos.yaml']);
  });
});

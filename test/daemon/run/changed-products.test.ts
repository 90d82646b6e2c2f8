import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import { startVenue } from '#paper-venue/venue.ts';
import { rowsOf } from '../../support/books.ts';
import { newFolder } from '../../support/folder.ts';
import { type Json, otherService } from '../../support/other-service.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { settle, step } from '../../support/virtual-wire.ts';

const BTC = '{ id: b, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }';
const ETH = '{ id: e, use: buy-and-hold, product: ethusd, amount: { base: 0.1 } }';

/** Daemons on one journal, and a service whose list of products `changes` makes anew. */
async function place() {
  const folder = newFolder();
  mkdirSync(path.join(folder, 'var'));
  const journal = path.join(folder, 'var/kairos.db');
  const timers = new VirtualTimers();
  const load = (strategies: readonly string[], set: readonly string[], more = '') => {
    const file = path.join(folder, 'kairos.yaml');
    writeFileSync(
      file,
      `journal: { path: ${journal} }
recording: { enabled: false }
venue: { database: ${path.join(folder, 'venue.db')}, quotesPerSecond: 4 }
strategies: [${strategies.join(', ')}]
${more}
`,
    );
    return loadConfig({ files: [file], set, env: {}, cwd: folder, live: false, isVenue: true });
  };
  const venue = await startVenue(load([BTC], []).settings.venue, timers);
  let changes = (list: readonly Json[]): readonly Json[] => list;
  const service = await otherService(venue.port, {
    answer: (said, asked) =>
      asked.path.startsWith('/mms/v2/productDetails') ? { ...said, body: JSON.stringify(changes(JSON.parse(said.body))) } : said,
  });
  const notices: string[] = [];
  onTestFinished(async () => {
    await settle(timers, service.close());
    await settle(timers, venue.close());
  });
  return {
    folder,
    timers,
    notices,
    changeList(as: typeof changes) {
      changes = as;
    },
    start: (strategies: readonly string[], more = '') =>
      settle(
        timers,
        Daemon.start({
          config: load(strategies, [`service.baseUrl=${service.url}`], more),
          strategyFolders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
          timers,
          notice: (level, text) => notices.push(`${level}: ${text}`),
          onFault: (error) => {
            throw error;
          },
        }),
      ),
    states: () =>
      rowsOf<{ kept: string }>(journal, "SELECT detail ->> 'state' AS kept FROM decisions WHERE kind = 'state'").map(({ kept }) => kept),
    rows: (kind: string) =>
      rowsOf<{ strategy: string; reason: string }>(
        journal,
        `SELECT strategy, reason FROM decisions WHERE kind = '${kind}' ORDER BY seq`,
      ).map(({ strategy, reason }) => `${strategy} ${reason}`),
  };
}

const without = (code: string) => (list: readonly Json[]) => list.filter(({ productCode }) => productCode !== code);
const dearer = (list: readonly Json[]) => list.map((one) => (one.productCode === 'ethusd' ? { ...one, minSize: '1' } : one));
const asItIs = (list: readonly Json[]) => list;

test.each([
  ['is missing', without('ethusd'), 'the service lists ethusd no more'],
  ['has another least size', dearer, "the service changed ethusd: amount.base: must be at least ethusd's minSize 1"],
])('F19 a product that %s at a restart disables its strategy alone, once, and it comes back by itself', async (_what, change, why) => {
  const { start, rows, timers, notices, changeList } = await place();
  const first = await start([BTC, ETH]);
  while (rows('accepted').length < 2) await step(timers);
  await settle(timers, first.stop('ann', 'over'));
  changeList(change);
  const second = await start([BTC, ETH]);
  expect(rows('disabled')).toEqual(['e PRODUCT_CHANGED']);
  expect(notices).toContainEqual(expect.stringContaining(`strategy e is disabled until the service lists its products so again`));
  expect(notices).toContainEqual(expect.stringContaining(why));
  expect(second.inspect().strategies.map(({ id, disabled }) => ({ id, disabled }))).toEqual([
    { id: 'b', disabled: false },
    { id: 'e', disabled: true },
  ]);
  await settle(timers, second.stop('ann', 'over'));
  const third = await start([BTC, ETH]);
  changeList(asItIs);
  while (rows('enabled').length === 0) await step(timers, 1000);
  expect(rows('disabled')).toEqual(['e PRODUCT_CHANGED']);
  expect(rows('enabled')).toEqual(['e PRODUCT_CHECKED']);
  await settle(timers, third.stop('ann', 'over'));
});

test('F19 a product of account.rates that is missing at a restart gives no rate, which is told', async () => {
  const { start, timers, notices, changeList } = await place();
  const rates = 'account: { currency: usd, rates: [{ product: eurusd, amount: { base: 1000 } }] }';
  await settle(timers, (await start([BTC], rates)).stop('ann', 'over'));
  changeList(without('eurusd'));
  await settle(timers, (await start([BTC], rates)).stop('ann', 'over'));
  expect(notices).toContain('error: account.rates: eurusd gives no rate: the service lists eurusd no more');
});

test('B06 what the last run did not trade so is refused as at a first start, but for entries that are not enabled', async () => {
  const { start, rows, timers, changeList } = await place();
  changeList(without('ethusd'));
  await expect(start([BTC, ETH])).rejects.toThrow(/strategy e: the service quotes no product ethusd/);
  await settle(timers, (await start([BTC, ETH.replace('id: e', 'id: e, enabled: false')])).stop('ann', 'over'));
  changeList(dearer);
  await expect(start([BTC, ETH.replace('0.1', '0.2')])).rejects.toThrow(/must be at least ethusd's minSize 1/);
  expect(rows('disabled')).toEqual([]);
});

const COUNTING = `import { strategy } from 'kairos/strategy';
export default strategy({
  name: 'counting',
  state: { initial: 0, on: (n: number, event) => (event.type === 'signal' ? n + 1 : n) },
  signals: ({ quotes$ }) => quotes$,
  decide: () => undefined,
});
`;
const COUNTS = '{ id: c, use: ./one.ts, product: btcusd, amount: { base: 0.01 } }';

test.each([
  ['product', COUNTS.replace('btcusd', 'ethusd').replace('0.01', '0.1')],
  ['module', COUNTS.replace('one', 'two')],
])('a strategy of another %s under the same id does not trade by what was kept before', async (_what, changed) => {
  const { folder, start, states, timers, notices } = await place();
  for (const name of ['one', 'two']) writeFileSync(path.join(folder, `${name}.ts`), COUNTING);
  const firstKept = async (entry: string): Promise<number> => {
    const before = states().length;
    const daemon = await start([entry]);
    while (states().length < before + 3) await step(timers);
    await settle(timers, daemon.stop('ann', 'over'));
    return Number(states()[before]);
  };
  expect(await firstKept(COUNTS)).toBe(1);
  expect(await firstKept(COUNTS)).toBeGreaterThan(3);
  expect(notices).not.toContainEqual(expect.stringContaining('initial state'));
  expect(await firstKept(changed)).toBe(1);
  expect(notices).toContain('warn: strategy c begins with its initial state: what is kept is of ./one.ts for btcusd');
  expect(await firstKept(changed)).toBeGreaterThan(3);
});

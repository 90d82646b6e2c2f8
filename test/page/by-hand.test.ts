import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decimalOf } from '#domain/decimal.ts';
import type { RemoteStrategiesView } from '#server/page/remote-view.ts';
import type { StateView } from '#server/page/view.ts';
import { endBrowser, type Page } from '../support/browser.ts';
import { PageBench } from '../support/page-bench.ts';
import { endAll } from '../support/process.ts';
import { expectReadable } from '../support/readable.ts';
import { waitFor } from '../support/wait-for.ts';

const CONFIG = `strategies:
  - { id: holds, use: ./holds.ts, product: btcusd, amount: { base: 0.01 } }
  - { id: busy, use: ./busy.ts, product: ethusd, amount: { base: 0.1 } }
risk:
  maxOrdersPerMinute: off
  maxOrdersPerMinuteOfStrategy: off
  maxOrdersPerMinuteOfProduct: off
  maxLossStreak: off
  maxLossStreakOfAll: off
lanes: { waitMs: 20000 }
venue: { quotesPerSecond: 10, validityMs: 20000 }
`;

/** Holds what it has bought; it is paused then, so that a close by hand stands. */
const HOLDS = `import { buy, mid, strategy } from 'kairos/strategy';

export default strategy({
  name: 'holds',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_price, { position, amount }) => (position.isFlat ? buy(amount, 'in') : undefined),
});
`;

/** In and out all the time: a journal of many rows. */
const BUSY = `import { buy, mid, sell, strategy } from 'kairos/strategy';

export default strategy({
  name: 'busy',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_price, { position, amount }) => (position.isFlat ? buy(amount, 'in') : sell('position', 'out')),
});
`;

let bench: PageBench;
/** The last row before a test. */
let since = 0;
beforeAll(async () => {
  bench = await PageBench.start(CONFIG, { 'holds.ts': HOLDS, 'busy.ts': BUSY });
  // More rows than the page has at once; then it is quiet, as a drill wants it.
  await bench.daemon.until('a long journal', () => bench.folder.rows('SELECT 1 FROM decisions LIMIT 1 OFFSET 250')[0]);
});
beforeEach(async () => {
  await bench.ready(['busy']);
  const bought = async () => (Number((await holding('holds')).position) > 0 ? true : undefined);
  expect(await waitFor(bought), 'a position').toBe(true);
  await bench.ready(['busy', 'holds']);
  since = bench.lastRow();
});
afterAll(async () => {
  await endBrowser();
  await endAll();
  bench?.folder.remove();
});

const DIALOG = "document.querySelector('dialog')";
const DIALOG_SAYS = "document.querySelector('dialog').innerText";

/** The orders of a book that were decided in this test. */
const ordersOf = (book: string): readonly { readonly id: string }[] =>
  bench.folder.rows(
    `SELECT order_id AS id FROM decisions WHERE kind = 'approved' AND strategy = '${book}' AND seq > ${since} ORDER BY seq`,
  );

/** Who asked for it and why, of the rows of a kind in this test. */
const whoOf = (kind: string): readonly unknown[] =>
  bench.folder.rows(
    `SELECT DISTINCT detail ->> 'who' AS who, detail ->> 'why' AS why FROM decisions WHERE kind = '${kind}' AND seq > ${since}`,
  );

/** What a book holds now. */
async function holding(book: string): Promise<{ readonly position: string }> {
  const { strategies, otherBooks } = await bench.get<StateView>('/api/state');
  return [...strategies, ...otherBooks].find(({ id }) => id === book) ?? { position: '0' };
}

/** Says who and why, and gives the token where it is asked for: at the first act of a tab. */
async function sign(page: Page, why: string): Promise<void> {
  await page.fill('Who', 'ann');
  await page.fill('Why', why);
  if (await page.value("document.querySelector('dialog input[type=password]') !== null")) await page.fill('Token', bench.token);
}

/** Asks until it is done: a machine that does not keep up refuses for a while what it would do else. */
async function untilDone(page: Page, done: RegExp, ask: () => Promise<void>): Promise<void> {
  for (;;) {
    await ask();
    await page.until('what came of it', `${done}.test(${DIALOG_SAYS}) || /, refused;|No result|try again/.test(${DIALOG_SAYS})`);
    if (await page.value(`${done}.test(${DIALOG_SAYS})`)) return;
    await page.press('Escape');
  }
}

/** An expression: the feed tells of the fill of an order. */
const filled = (order: string): string =>
  `[...document.querySelectorAll('#feed li')].some((row) => row.querySelector('.badge')?.textContent === 'accepted' && row.querySelector('.link')?.textContent === '${order}')`;

async function choose(page: Page, group: string): Promise<void> {
  await page.value(
    `(() => { const s = document.querySelectorAll('#feed select')[1]; s.value = '${group}'; s.dispatchEvent(new Event('change')); })()`,
  );
}

describe('manual requests, by the page', { tags: 'chromium' }, () => {
  test('I35 an order by hand is sent once: its fill is in the feed, and in the journal with who and why', async () => {
    await bench.opened(async (page) => {
      const held = Number((await holding('manual')).position);
      await page.value(
        "(() => { const s = document.querySelectorAll('#feed select')[0]; s.value = ''; s.dispatchEvent(new Event('change')); })()",
      );
      await page.click('Order…');
      await page.until('the cursor in the size', "document.activeElement.id === 'field-size'");
      await page.fill('Size', '100000');
      await page.until('what the checks would say', `/It would be refused/.test(${DIALOG_SAYS})`);
      await page.fill('Size', '0.02');
      await page.until('price, cost and fee', `/price.*cost.*usd.*fee.*All \\d+ checks/s.test(${DIALOG_SAYS})`);
      await expectReadable(page, 'order');
      await page.fill('Size', '0.00000001');
      await sign(page, 'a test by hand');
      await page.click('Send order', DIALOG);
      await page.until('that it was refused', `/Nothing of it was done.*, refused; now .* is held/s.test(${DIALOG_SAYS})`);
      expect(await page.value(`${DIALOG}.querySelector('.result')`), 'nothing says that it was ordered').toBeNull();
      await page.press('Escape');
      await untilDone(page, /orders \S+ accepted/, async () => {
        await page.click('Order…');
        await page.fill('Size', '0.02');
        await sign(page, 'a test by hand');
        await page.click('Send order', DIALOG);
      });
      await page.click('Done', DIALOG);
      const [order, ...others] = ordersOf('manual');
      expect(others).toEqual([]);
      await choose(page, 'fills');
      await page.until('the fill in the feed', filled(order?.id ?? ''));
      expect(whoOf('by_hand')).toEqual([{ who: 'ann', why: 'a test by hand' }]);
      await page.tab('orders');
      await page.until('what was asked by hand', "/order, ann: a test by hand/.test(document.querySelector('#orders .tasks').innerText)");
      await page.until(
        'what the book holds',
        `/manual holds ${decimalOf(held).plus('0.02')} of btcusd at [0-9,.]+ .*usd/.test(document.querySelector('#strategies .books').innerText)`,
      );
    });
  });

  test('a close by the page sells what the strategy holds, and says so', async () => {
    await bench.opened(async (page) => {
      await page.until('its row', "document.querySelector('.strategy > summary')");
      await page.value("document.querySelector('.strategy > summary').click()");
      await page.click('Close holds');
      await sign(page, 'enough of it');
      await page.click('Close position', DIALOG);
      await page.until('that it is done', `/^Done\\.$.*holds btcusd: .*, done; now 0 is held/ms.test(${DIALOG_SAYS})`);
      await page.click('Done', DIALOG);
      const closing = ordersOf('holds');
      expect(closing).toHaveLength(1);
      await choose(page, 'fills');
      await page.until('the fill in the feed', filled(closing[0]?.id ?? ''));
      expect(whoOf('by_hand')).toContainEqual({ who: 'ann', why: 'enough of it' });
      await page.until('no position', '!document.querySelector(\'[aria-label="Close holds"]\')');
    });
  });

  test('I08 the halt drill passes, and says how fast in plain words', async () => {
    await bench.opened(async (page) => {
      await untilDone(page, /Passed/, async () => {
        await page.click('Halt drill…');
        await sign(page, 'monthly drill');
        await page.click('Start the drill', DIALOG);
      });
      expect(await page.value(DIALOG_SAYS)).toMatch(
        /shut \d+\.\d ms after.*stopped by the gate, \d+\.\d ms after.*no byte of it went out/s,
      );
      expect(whoOf('drill')).toEqual([{ who: 'ann', why: 'monthly drill' }]);
    });
  });

  test('Older looks back through the journal with the filter, to its first row, and leaves none out', async () => {
    // More of a kind than are drawn at first.
    for (let n = 0; n < 45; n++) for (const act of ['resume', 'pause']) await bench.ask(act, { strategy: 'holds' });
    await bench.opened(async (page) => {
      await choose(page, 'acts');
      await page.click('Older');
      await page.until('its first act', "/started/.test(document.querySelector('#feed .rows').innerText)");
      const kinds = await page.value("[...new Set([...document.querySelectorAll('#feed li .badge')].map((one) => one.textContent))]");
      expect(['by hand', 'by hand end', 'paused', 'resumed', 'drill', 'booked', 'started']).toEqual(
        expect.arrayContaining(kinds as string[]),
      );
      const acts = "'paused', 'resumed', 'drill', 'by_hand', 'by_hand_end', 'booked', 'started'";
      const [{ count } = { count: 0 }] = bench.folder.rows<{ count: number }>(
        `SELECT count(*) AS count FROM decisions WHERE kind IN (${acts})`,
      );
      expect(count).toBeGreaterThan(90);
      expect(await page.value("document.querySelectorAll('#feed li .badge').length")).toBe(count);
    });
  });
});

describe("the service's own strategies by the page", { tags: 'chromium' }, () => {
  const LIST = "document.querySelector('#remote details table').innerText";

  test('B41 they are read back, paused one by one and all together, and deleted once the id is typed; each is journaled with who', async () => {
    await cleared();
    const fields = { strategyType: 'AI', accountId: '70312', productCode: 'btcusd', initialQuoteCurrencyAmount: 500, ...AI };
    const id = await created(fields);
    await bench.opened(async (page) => {
      await page.tab('remote');
      await page.click('Strategies at the service');
      await page.until('the strategy', `${LIST}.includes('${id}')`);
      await page.click(`Start ${id}`);
      await sign(page, 'let it run');
      await page.click('Start', DIALOG);
      await page.until('that it shows', `/confirmed/.test(${DIALOG_SAYS})`);
      await page.click('Done', DIALOG);
      await page.until('its state', `/ACTIVE/.test(${LIST})`);
      await expectReadable(page, 'remote');

      await page.click('Pause all strategies at the service');
      await page.click('Pause all at the service', DIALOG);
      await page.until('that nobody can say', `/unverified.*cannot be read back/s.test(${DIALOG_SAYS})`);
      await page.click('Done', DIALOG);
      await page.until('its state', `/PAUSED/.test(${LIST})`);

      await page.click(`Pause openings of ${id}`);
      await page.until('the times', "document.getElementById('field-end')");
      for (const [name, day] of [
        ['begin', '24'],
        ['end', '27'],
      ]) {
        await page.value(
          `(() => { const f = document.getElementById('field-${name}'); f.value = '2099-12-${day}T12:00'; f.dispatchEvent(new Event('input', { bubbles: true })); })()`,
        );
      }
      await page.click('Pause openings', DIALOG);
      await page.until('that it shows', `/confirmed/.test(${DIALOG_SAYS})`);
      await page.click('Done', DIALOG);

      await page.click(`Delete ${id}`);
      await page.fill('Type its id', 'another');
      await page.click('Delete', DIALOG);
      expect(await page.value("document.querySelector('#field-typed').validity.valid")).toBe(false);
      await page.fill('Type its id', id);
      await page.click('Delete', DIALOG);
      await page.until('that it is gone', `/confirmed/.test(${DIALOG_SAYS})`);
      await page.click('Done', DIALOG);
      await page.until('an empty list', "document.querySelector('#remote details .nothing')");
    });
    expect(
      bench.folder.rows(
        `SELECT DISTINCT detail ->> 'action' AS action, detail ->> 'who' AS who FROM decisions WHERE kind = 'action' AND detail ->> 'status' IN ('confirmed', 'unverified') AND seq > ${since} ORDER BY seq`,
      ),
    ).toEqual(
      ['create', 'start', 'pauseAll', 'schedule-opening-pause', 'delete'].map((action) => ({
        action: `remote.${action}`,
        who: action === 'create' ? 'bob' : 'ann',
      })),
    );
  });
});

const AI = {
  alwaysPassive: false,
  ignoreWarnings: false,
  aiModelVariant: 'VFM6',
  aiModelPositionMode: 'LONG',
  executionType: 'SMO_MPL',
  useInitialModelPrice: false,
  useSpikeProtection: false,
};

/** The service has no strategies, whatever a first try has left there. */
async function cleared(): Promise<void> {
  const listed = async () => (await bench.get<RemoteStrategiesView>('/api/remote')).strategies;
  if ((await listed()).length === 0) return;
  await bench.ask('remote', { action: 'deleteAll', confirm: true });
  const gone = async () => ((await listed()).length === 0 ? true : undefined);
  expect(await waitFor(gone), 'an empty list at the service').toBe(true);
  since = bench.lastRow();
}

/** Has the daemon create a strategy at the service; its id. */
async function created(fields: object): Promise<string> {
  await bench.ask('remote', { action: 'create', arguments: { fields } });
  const said = (): string | undefined =>
    bench.folder.rows<{ id: string | null }>(
      `SELECT detail ->> 'response' ->> 'strategyId' AS id FROM decisions WHERE kind = 'action' AND detail ->> 'status' = 'confirmed' AND seq > ${since}`,
    )[0]?.id ?? undefined;
  return bench.daemon.until('a strategy at the service', said);
}

import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startVenue, type Venue } from '#paper-venue/venue.ts';
import { type AnswerRelay, answerRelay } from '../support/answer-relay.ts';
import { endBrowser } from '../support/browser.ts';
import { LIVE, PageBench } from '../support/page-bench.ts';
import { endAll } from '../support/process.ts';
import { expectReadable } from '../support/readable.ts';
import { VENUE_SETTINGS } from '../support/venue-settings.ts';
import { Person } from './tasks.ts';

const CONFIG = `strategies:
  - { id: flip, use: coin-flip, product: btcusd, amount: { base: 0.01 }, params: { seed: 7, everySeconds: 1 } }
risk: { maxOrdersPerMinute: off }
venue: { quotesPerSecond: 5 }
`;

const EAGER = `import { buy, mid, strategy } from 'kairos/strategy';

export default strategy({
  name: 'eager',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_price, { position, amount }) => (position.isFlat ? buy(amount, 'in') : undefined),
});
`;

let bench: PageBench | undefined;
let venue: Venue | undefined;
let relay: AnswerRelay | undefined;
afterEach(async () => {
  await endAll();
  await relay?.close();
  await venue?.close();
  bench?.folder.remove();
  [bench, venue, relay] = [undefined, undefined, undefined];
});

afterAll(endBrowser);

const trading = (state: string): string => `document.querySelector('.trading').innerText.endsWith('${state}')`;
const alarm = (...words: readonly string[]): string =>
  `[...document.querySelectorAll('.alarm')].some((one) => ${JSON.stringify(words)}.every((word) => one.innerText.includes(word)))`;
const DIALOG = "document.querySelector('dialog')";

describe('acts by the page', { tags: 'chromium' }, () => {
  test('I35 F73 a wrong token is said plainly and does nothing; the right one halts, who and why stand on the page, and it resumes from there', async () => {
    const at = await PageBench.start(CONFIG);
    bench = at;
    await at.trading();
    await at.opened(
      async (page) => {
        await page.click('HALT');
        await page.fill('Who', 'ann');
        await page.fill('Why', 'prices look wrong');
        await page.fill('Token', 'not the token');
        await page.click('Halt now', DIALOG);
        await page.until('the refusal', "document.querySelector('dialog [role=alert]').innerText.includes('refuses this token')");
        await expectReadable(page, 'refused');
        expect(at.folder.rows("SELECT 1 FROM decisions WHERE kind = 'halted'")).toEqual([]);
        expect(await page.value("Object.values({ ...sessionStorage }).includes('not the token')")).toBe(false);

        await page.fill('Token', at.token);
        await page.click('Halt now', DIALOG);
        await page.until('what came of it', "document.querySelector('dialog .result')");
        await page.press('Enter');
        await page.until('the state', trading('HALTED'));
        await page.until('who, why and the code', alarm('HALTED', 'ann', 'prices look wrong', 'BY_PERSON', 'way out'));
        await expectReadable(page, 'halted');
        expect(await page.value('document.title')).toMatch(/^HALTED/);
        expect(at.folder.rows("SELECT detail ->> 'who' AS who FROM decisions WHERE kind = 'halted'")).toEqual([{ who: 'ann' }]);

        // Who and token are kept: only the yes is asked for.
        await page.click('Resume…', "document.querySelector('.alarm')");
        expect(await page.value("document.querySelector('dialog input[type=password]')")).toBeNull();
        await page.click('Resume', DIALOG);
        await page.until('what came of it', "document.querySelector('dialog .result')");
        await page.press('Enter');
        await page.until('the state', trading('ACTIVE'));

        await page.value("document.querySelector('.strategy > summary').click()");
        await page.click('Pause flip');
        await page.click('Pause', DIALOG);
        await page.click('Done', DIALOG);
        await page.until('the pause', alarm('PAUSED: flip', 'ann'));
        await page.click('Flatten…');
        await page.click('Close all positions', DIALOG);
        await page.until('what was closed', "/nothing to do|flip btcusd: .*, done/.test(document.querySelector('dialog').innerText)");
        await page.click('Done', DIALOG);
        await page.until('the state', trading('REDUCING'));
        await page.until('the way back', alarm('REDUCING', 'ann'));
      },
      { refusals: true },
    );
  });

  test('DISARMED: the page shows the limits that an arming would let trade, arms, and orders go out', async () => {
    const at = await PageBench.start(`${CONFIG}trading: { arm: manual }\n`);
    bench = at;
    await at.daemon.says(/look +\S/);
    await at.opened(async (page) => {
      await page.until('the state', trading('DISARMED'));
      expect(at.folder.accepted()).toBeUndefined();
      await page.click('Arm…', "document.querySelector('.alarm')");
      await page.until('the limits', "/risk\\.maxOrderValue/.test(document.querySelector('dialog').innerText)");
      // Row 8: where, for whom, in which mode, and which strategies with what.
      const said = String(await page.value("document.querySelector('dialog').innerText"));
      for (const fact of [/service\s+the paper venue, embedded/, /mode\s+paper/i, /strategy flip\s+\S+ on \w+, .* an order, /])
        expect(said).toMatch(fact);
      await expectReadable(page, 'arm');
      await page.fill('Who', 'ann');
      await page.fill('Token', at.token);
      await page.click('Arm', DIALOG);
      await page.click('Done', DIALOG);
      await page.until('the state', trading('ACTIVE'));
      await at.trading();
    });
  });

  test('a daemon that is started again: the page says so, goes on by itself, and misses no decision', async () => {
    const at = await PageBench.start(CONFIG);
    bench = at;
    await at.trading();
    await at.opened(
      async (page) => {
        const first = String(await page.value("document.querySelector('footer').innerText.match(/run (\\S+),/)[1]"));
        await at.stop();
        await page.until('that it is lost', alarm('Nothing heard for', 'It may be trading'));
        await expectReadable(page, 'lost');
        await page.click('HALT');
        await page.fill('Who', 'ann');
        await page.fill('Token', at.token);
        await page.until('the command', `/kairos(\\.mjs)? halt --set journal\\.path=/.test(${DIALOG}.innerText)`);
        await page.click('Try from here as well', DIALOG);
        await page.until(
          'that it cannot be reached',
          "document.querySelector('dialog [role=alert]').innerText.includes('cannot be reached')",
        );
        await page.press('Escape');
        at.again();
        await page.until('the line again', LIVE);
        await page.until('the new run', `!document.querySelector('footer').innerText.includes('${first}')`);
        await page.until('the news', "document.querySelector('.toast').innerText.includes('started again')");
        await page.value(
          "(() => { const s = document.querySelectorAll('#feed select')[1]; s.value = 'acts'; s.dispatchEvent(new Event('change')); })()",
        );
        await page.until(
          'its end and its start',
          "/stopped/.test(document.querySelector('#feed .rows').innerText) && /started/.test(document.querySelector('#feed .rows').innerText)",
        );
      },
      { refusals: true },
    );
  });

  test('F03 F16 from a halt by unknown outcomes to trading again with the page alone, and a create of unknown outcome settled', async () => {
    const there = await startVenue({ ...VENUE_SETTINGS, quotesPerSecond: 10 }, systemTimers);
    venue = there;
    const before = await answerRelay(there.port);
    relay = before;
    before.fault = 'never';
    const config = `strategies:
  - { id: one, use: ./eager.ts, product: btcusd, amount: { base: 0.01 } }
  - { id: two, use: ./eager.ts, product: ethusd, amount: { base: 0.1 } }
service: { baseUrl: "${before.url}" }
`;
    const at = await PageBench.start(config, { 'eager.ts': EAGER });
    bench = at;
    await at.daemon.until('halt', () => at.folder.rows("SELECT 1 FROM decisions WHERE kind = 'halted'")[0]);
    before.fault = 'none';
    await at.opened(async (page) => {
      await page.until('the reason and the way out', alarm('HALTED', 'MAX_UNKNOWN', 'Settle the orders'));
      await page.until('the orders', "document.querySelectorAll('#orders .urgent').length === 2");
      await page.value("document.querySelector('.strategy > summary').click()");
      await page.until(
        'positions that are not known',
        "document.querySelector('.strategy svg.interval')?.getAttribute('aria-label') === 'from 0 to 0.01 is held'",
      );
      await page.click('Resume…', "document.querySelector('.alarm')");
      await page.until('what remains', `/2 orders of unknown outcome remain/.test(${DIALOG}.innerText)`);
      await page.click('Settle them first', DIALOG);
      await page.until('the orders before us', "!document.querySelector('dialog') && location.hash === '#orders'");
      const [first, second] = at.folder.rows<{ id: string }>("SELECT order_id AS id FROM orders WHERE state = 'unknown' ORDER BY rowid");
      await expectReadable(page, 'unknown');
      const range = (name: string) => `/${name}\\s+\\S+ to \\S+.usd/.test(document.querySelector('.glance').innerText)`;
      expect(await page.value(`${range('equity')} && ${range('today')}`), 'what was made is as little known').toBe(true);
      const values = "[...document.querySelectorAll('#orders [data-title=value]')].map((one) => one.innerText)";
      expect(await page.value(values), 'to the cent, and of which money').toEqual([
        expect.stringMatching(/^[\d,]+\.\d\d\u00a0usd$/),
        expect.stringMatching(/^[\d,]+\.\d\d\u00a0usd$/),
      ]);
      await page.click(`Order ${first?.id} was executed`);
      await page.fill('Who', 'ann');
      await expectReadable(page, 'settle');
      await page.fill('Why', 'seen in the account');
      await page.fill('Token', at.token);
      await page.click('Book as accepted', DIALOG);
      await page.click('Done', DIALOG);
      await page.until('one order less', "document.querySelectorAll('#orders .urgent').length === 1");
      const person = new Person(page);
      await person.click(`Order ${second?.id} was not executed`);
      await person.click('Book as rejected', DIALOG);
      await person.has('a settled order', "document.querySelectorAll('#orders .urgent').length === 0");
      await page.click('Done', DIALOG);
      expect(
        at.folder.rows(
          "SELECT state FROM orders WHERE order_id IN (SELECT order_id FROM decisions WHERE kind = 'resolved') ORDER BY rowid",
        ),
      ).toEqual([{ state: 'accepted' }, { state: 'rejected' }]);
      await page.click('Resume…', "document.querySelector('.alarm')");
      await page.click('Resume', DIALOG);
      await page.click('Done', DIALOG);
      await page.until('the state', trading('ACTIVE'));
      await at.daemon.until(
        'order after that',
        () => at.folder.rows("SELECT 1 FROM orders WHERE state = 'accepted' AND strategy = 'two'")[0],
      );

      // A closing waits for its order that nobody answers, until a person ends it.
      before.fault = 'never';
      await at.ask('close', { strategy: 'one', product: 'btcusd' });
      await page.tab('orders');
      await page.until('the order that nobody answers', "document.querySelectorAll('#orders .urgent').length === 1");
      const closing = "document.querySelector('#orders .tasks').innerText";
      await page.until('a closing that waits', `/under way close, bob: for a test/i.test(${closing})`);
      await person.click('End the closing of one');
      await person.click('End closing', DIALOG);
      await person.has('an ended closing', `/ended close, bob/i.test(${closing})`);
      await page.click('Done', DIALOG);

      // The same of a strategy at the service whose creation was not answered (F16).
      before.fault = '500';
      await at.ask('remote', { action: 'create', arguments: { fields: { strategyType: 'AI' } } });
      await page.tab('remote');
      await page.click('Strategies at the service');
      const left = `document.querySelector('#remote [aria-label$=" left nothing"]')`;
      await page.until('the create', left);
      const action = String(await page.value(`${left}.getAttribute('aria-label')`));
      await page.click(action);
      await page.click('Nothing was created', DIALOG);
      await page.click('Done', DIALOG);
      await page.until('that it is settled', `!${left}`);
      expect(
        at.folder.rows(
          "SELECT detail ->> 'status' AS status, detail ->> 'who' AS who FROM decisions WHERE kind = 'action' ORDER BY seq DESC",
        ),
      ).toEqual(
        expect.arrayContaining([
          { status: 'failed', who: 'ann' },
          { status: 'unknown', who: 'bob' },
        ]),
      );
    });
  });
});

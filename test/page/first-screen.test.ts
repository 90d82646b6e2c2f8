import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChartHistory, PriceHistory } from '#server/page/history-view.ts';
import type { StateView } from '#server/page/view.ts';
import { endBrowser, type Page } from '../support/browser.ts';
import { PageBench } from '../support/page-bench.ts';
import { endAll } from '../support/process.ts';
import { expectReadable } from '../support/readable.ts';
import { waitFor } from '../support/wait-for.ts';

/** One trades, one is refused at each try, one holds. */
const CONFIG = `strategies:
  - { id: cross-btc, use: sma-cross, product: btcusd, amount: { base: 0.05 }, params: { fast: 4, slow: 12 }, budget: { usd: 10000 } }
  - { id: hold-eth, use: buy-and-hold, product: ethusd, amount: { base: 3 }, budget: { usd: 10000 } }
  - { id: hold-eur, use: buy-and-hold, product: eurusd, amount: { quote: 5000 }, budget: { usd: 10000 } }
risk: { maxOrderValue: { usd: 6000 }, maxOrdersPerMinute: 20 }
venue: { quotesPerSecond: 5 }
`;

const ROW = (id: string) => `document.querySelector('#strategy-${id}')`;
const REFUSED = `${ROW('hold-eth')}?.querySelector('.badge').textContent === 'REFUSED'`;

/** The lowest edge of what a selector finds, as far as it is drawn. */
const bottomOf = async (page: Page, selector: string): Promise<number> =>
  Number(
    await page.value(`Math.max(...[...document.querySelectorAll('${selector}')].filter((one) => one.checkVisibility())
      .map((one) => one.getBoundingClientRect().bottom))`),
  );

describe('what is in view before anybody scrolls', { tags: 'chromium' }, () => {
  let bench: PageBench;
  beforeAll(async () => {
    bench = await PageBench.start(CONFIG);
    await bench.trading();
  });
  afterAll(async () => {
    await endBrowser();
    await endAll();
    bench?.folder.remove();
  });

  test('the first answer about a product has its lines whole, for the large chart and for that of a strategy', async () => {
    const warm = async () => {
      const { at, strategies } = await bench.get<StateView>('/api/state');
      return typeof strategies.find(({ id }) => id === 'cross-btc')?.observed.slow === 'number' ? Date.parse(at) : undefined;
    };
    const now = (await waitFor(warm)) + 5_000;
    const [from, to] = [now - 60_000, now].map((time) => new Date(time).toISOString());
    const { signals } = await bench.get<ChartHistory>(`/api/history/chart?product=btcusd&from=${from}&to=${to}&bars=60`);
    expect(signals.map(({ name, isWhole }) => [name, isWhole])).toEqual([
      ['fast', true],
      ['slow', true],
    ]);
    const prices = await bench.get<PriceHistory>(`/api/history/prices?strategy=cross-btc&run=last&points=60&from=${from}`);
    expect(prices.whole).toEqual(['fast', 'slow']);
  });

  test('a phone shows two rows of a header, all states and the chart; HALT stays, and a menu has the rest', async () => {
    await bench.opened(async (page) => {
      await page.size(390, 844);
      await page.until('a chart and the refusals', `document.querySelector('#chart canvas') && ${REFUSED}`);
      const tops =
        "[...document.querySelectorAll('.bar > :not(.glance, .unseen)')].map((one) => one.getBoundingClientRect()).map(({ top, height }) => Math.round((top + height / 2) / 20))";
      expect(new Set((await page.value(tops)) as number[]).size, 'rows of the header').toBeLessThanOrEqual(2);
      expect(await bottomOf(page, '.bar'), 'with a strip of figures').toBeLessThanOrEqual(130);
      expect(await page.value("document.querySelectorAll('.strategy').length")).toBe(3);
      expect(await bottomOf(page, '.strategy .badge')).toBeLessThanOrEqual(400);
      const heights = "[...document.querySelectorAll('.strategy > summary')].map((one) => one.clientHeight)";
      expect(new Set((await page.value(heights)) as number[]).size, 'rows of one height, also of one that is refused').toBe(1);
      expect(await bottomOf(page, '#chart .large')).toBeLessThanOrEqual(844);
      await page.value("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })");
      const halt = "document.querySelector('.bar .halt').getBoundingClientRect()";
      expect(await page.value(`${halt}.top >= 0 && ${halt}.bottom <= 130`), 'HALT, scrolled down').toBe(true);
      await page.click('Parts and acts');
      await page.until(
        'what can be done',
        "[...document.querySelectorAll(':popover-open button')].some((one) => one.textContent === 'Pause all…')",
      );
      const atHalt = `((at) => document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2).textContent)(${halt})`;
      expect(await page.value(atHalt), 'HALT beside the menu').toBe('HALT');
      const visible = "[...document.querySelectorAll('.bar button')].filter((one) => one.checkVisibility()).map((one) => one.textContent)";
      expect(await page.value(visible), 'nothing beside HALT that trades').toEqual(['\u2630', 'HALT']);
      const named = await page.value(
        "[...document.querySelectorAll('.strategy .cell:not(.held)')].map((one) => one.innerText.split('\\n')[0].trim())",
      );
      expect(new Set(named as string[]), 'each figure bears its name').toEqual(new Set(['unrealised', 'closed today', 'in all']));
      expect(await page.value("document.querySelector('.strategy-head span').checkVisibility()"), 'titles of columns').toBe(false);
      await expectReadable(page, 'menu', [390]);
      await page.size(390, 844);
      await page.click('Limits', "document.querySelector(':popover-open')");
      await page.until('the limits before us', "!document.querySelector(':popover-open') && document.activeElement.id === 'limits'");
    });
  });

  test('a laptop shows header, all rows of strategies and the whole chart', async () => {
    await bench.opened(async (page) => {
      await page.until('a chart and the refusals', `document.querySelector('#chart canvas') && ${REFUSED}`);
      expect(await page.value("document.querySelectorAll('.strategy').length")).toBe(3);
      expect(await bottomOf(page, '.strategy > summary')).toBeLessThanOrEqual(800);
      expect(await bottomOf(page, '#chart .large')).toBeLessThanOrEqual(800);
      expect(await page.value("document.querySelector('#chart .large').clientHeight"), 'the chart is the hero').toBeGreaterThan(400);
      const heights = "[...document.querySelectorAll('.strategy > summary')].map((one) => one.clientHeight)";
      expect(new Set((await page.value(heights)) as number[]), 'two lines a row, also of one that is refused').toEqual(new Set([46]));
      const lefts = "[...document.querySelectorAll('.strategy .badge')].map((one) => one.getBoundingClientRect().left)";
      expect(new Set((await page.value(lefts)) as number[]).size, 'badges beneath each other').toBe(1);
    });
  });

  test('limits are of one height, and none is used beyond itself: exits have a part of the orders a minute for themselves', async () => {
    await bench.opened(async (page) => {
      await page.until(
        'orders with those of exits',
        "/Orders in the last minute[^]*\\d+ of 20 orders, the last 4 for exits alone/.test(document.querySelector('#limits').innerText)",
      );
      const heights = "[...document.querySelectorAll('#limits .gauges li')].map((one) => one.offsetHeight)";
      expect(new Set((await page.value(heights)) as number[]).size).toBe(1);
      const said = String(await page.value("document.querySelector('#limits').innerText")).replaceAll(',', '');
      for (const [, used, limit] of said.matchAll(/([\d.]+) of ([\d.]+)/g))
        expect(Number(used), `of ${limit}`).toBeLessThanOrEqual(Number(limit));
    });
  });

  test('row, dialog and feed say the same of a refusal: since when, by which limit, what ends it; the bar counts it', async () => {
    await bench.opened(async (page) => {
      await page.until('the refusals', REFUSED);
      // A machine that does not keep up is for a while the cause of all refusals.
      await page.until('the count', "document.querySelector('.bar .badge').innerText === '1 of 3 refused'");
      const told = async () => {
        const row = String(await page.value(`${ROW('hold-eth')}.querySelector('.why-not').innerText`));
        return /^since ([\d:]{8}): worth [\d.]+ usd, over 6000 usd; (.* risk\.maxOrderValue)$/.exec(row) ?? undefined;
      };
      const [, since, mend = ''] = await waitFor(told);
      expect(mend).toBe('take a smaller amount, or raise risk.maxOrderValue');
      await page.value(`${ROW('hold-eth')}.click()`);
      await page.click('Why no order? hold-eth');
      await page.until('why', "document.querySelector('dialog .story')");
      const says = String(await page.value("document.querySelector('dialog').innerText"));
      expect(says).toMatch(new RegExp(`was refused since ${since}: worth [\\d.]+ usd, over 6000 usd\\n`));
      expect(says.split(mend), 'the remedy, once').toHaveLength(2);
      await page.press('Escape');
      await page.until(
        'its state in the feed',
        "[...document.querySelectorAll('#feed .badge')].some((one) => one.innerText === 'refused')",
      );
      expect(await page.value("[...document.querySelectorAll('#feed .badge')].filter((one) => one.innerText === 'blocked')")).toEqual([]);
    });
  });

  test('a state has the colour of its meaning, and its row says why', async () => {
    await bench.opened(async (page) => {
      await page.until('the refusals', REFUSED);
      const colour = (of: string) => page.value(`getComputedStyle(${of}).color`);
      const token = async (name: string) => {
        await page.value(`document.body.style.setProperty('outline-color', 'var(--${name})')`);
        return page.value('getComputedStyle(document.body).outlineColor');
      };
      expect(await colour(`${ROW('hold-eth')}.querySelector('.badge')`)).toBe(await token('warn'));
      expect(await colour(`${ROW('hold-eur')}.querySelector('.badge')`)).toBe(await token('good'));
      await bench.ask('pause', { strategy: 'hold-eur' });
      await page.until('the pause', `${ROW('hold-eur')}.querySelector('.badge').textContent === 'PAUSED'`);
      expect(await colour(`${ROW('hold-eur')}.querySelector('.badge')`)).toBe(await token('muted'));
      expect(await page.value(`${ROW('hold-eur')}.querySelector('.why-not').innerText`)).toMatch(
        /^since [\d:]{8}: paused by bob: for a test; kairos resume hold-eur ends it$/,
      );
      await bench.ask('resume', { strategy: 'hold-eur' });
    });
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProfitDays } from '#server/page/history-view.ts';
import type { PastView } from '#server/page/past-view.ts';
import type { StateView } from '#server/page/view.ts';
import { signedMoney } from '../../web/words/numbers.ts';
import { endBrowser, type Page } from '../support/browser.ts';
import { PageBench } from '../support/page-bench.ts';
import { endAll } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

const RISK = 'risk: { maxOrdersPerMinute: off }\n';
const FLIP = `strategies:
  - { id: flip, use: coin-flip, product: btcusd, amount: { base: 0.01 }, params: { seed: 7, everySeconds: 2 } }
${RISK}`;
const CROSS = `strategies:
  - { id: cross, use: sma-cross, product: ethusd, amount: { base: 0.2 }, params: { fast: 4, slow: 12 } }
${RISK}`;

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start(FLIP);
});
afterAll(async () => {
  await endBrowser();
  await endAll();
  bench?.folder.remove();
});

const BARS = "/from [\\d,.]+ to/.test(document.querySelector('#chart .large')?.ariaLabel)";
const ROW = "document.querySelector('#strategy-flip')?.innerText.match(/closed today\\s*(\\S+)\\susd\\s*in /)?.[1]";

/** The time of the earliest bar in sight, as the legend tells it under the pointer. */
async function earliest(page: Page): Promise<number> {
  const { x, y, width } = (await page.value(`(() => {
    const one = document.querySelector('#chart .large');
    one.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = one.getBoundingClientRect();
    return { x, y: y + height / 3, width };
  })()`)) as { x: number; y: number; width: number };
  const times: number[] = [];
  for (let by = 12; by < width / 2; by += 12) {
    await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: x + by, y });
    await page.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))');
    times.push(Date.parse(String(await page.value("document.querySelector('#chart .values time').dateTime"))));
  }
  return Math.min(...times);
}

describe('the page in the first minute of a daemon', { tags: 'chromium' }, () => {
  test('a chart that was open from the first bars on spans the time since the start', async () => {
    await bench.trading();
    await bench.opened(async (page) => {
      await page.until('the first bars', BARS);
      const started = Date.parse(String(await page.value("fetch('/api/state').then((one) => one.json()).then((one) => one.startedAt)")));
      const opened = Date.parse(String(await page.value("document.querySelector('#chart .values time').dateTime")));
      await page.until('half a minute more', `Date.now() > ${opened + 30_000}`);
      await expect.poll(() => earliest(page), { message: 'the left edge' }).toBeLessThanOrEqual(Math.max(opened, started + 10_000));
    });
  });

  test('the close over the chart is the price of the last state, not that of the last minute', async () => {
    await bench.opened(async (page) => {
      await page.until('the first bars', BARS);
      // States come again before one is drawn everywhere, on a busy machine several: those of the last seconds count, not the last minute.
      const apart = await page.value(`new Promise((done) => {
        const prices = [];
        const apart = [];
        new MutationObserver((changes, observer) => {
          prices.push(Number(document.querySelector('#chart .large').ariaLabel.match(/now ([\\d,.]+),/)[1].replaceAll(',', '')));
          const close = Number(document.querySelector('#chart .values b').innerText.replaceAll(',', ''));
          if (prices.length > 5 && !prices.slice(-6).some((one) => Math.abs(one - close) < 0.01)) apart.push(close + ' of ' + prices.slice(-6));
          if (prices.length < 18) return;
          observer.disconnect();
          done(apart);
        }).observe(document.querySelector('#chart .large'), { attributeFilter: ['aria-label'] });
      })`);
      expect(apart).toEqual([]);
    });
  });

  test('the bar of a day, trades and the row of the strategy have the same closed profit when all is quiet', async () => {
    await bench.opened(async (page) => {
      await page.until('a close', `${ROW} !== undefined`);
      await bench.ask('halt', {});
      await waitFor(async () => ((await bench.get<StateView>('/api/state')).orders.length === 0 ? true : undefined));
      const figure = await waitFor(async () => {
        const { days } = await bench.get<ProfitDays>('/api/history/profit');
        const said = signedMoney(days[0]?.profit ?? Number.NaN, 'usd');
        return (await page.value(ROW)) === said ? said : undefined;
      });
      await page.until('it in the bar', `document.querySelector('.day-value').innerText === '${figure}'`);
      await page.until(
        'what the share of all runs is of, as it is no return',
        "document.querySelector('.glance').innerText.includes('% of budgets')",
      );
      await page.until('it over the trades', `document.querySelector('#trades').innerText.includes('${figure}')`);
      await bench.ask('resume', {});
    });
  });

  test('a strategy that is configured no more keeps a row for what it closed today', async () => {
    await bench.stop();
    bench.folder.write('kairos.yaml', CROSS);
    bench.again();
    await bench.ready();
    const past = await bench.get<PastView>('/api/past');
    const closed = past.strategies.find(({ id }) => id === 'flip')?.closedToday[0]?.profit ?? 0;
    expect(closed).not.toBe(0);
    await bench.opened(async (page) => {
      const figure = signedMoney(closed, 'usd');
      await page.until('the row', "document.querySelector('.books')?.innerText.includes('flip')");
      const row = String(await page.value("document.querySelector('.books li').innerText"));
      expect(row.replace(/\s+/g, ' ')).toMatch(/^flip is configured no more.*closed today \(\d+\)/);
      expect(row).toContain(figure);
    });
  });
});

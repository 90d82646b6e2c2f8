import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { Fleet } from '#daemon/fleet/fleet.ts';
import { openFleetPage } from '#daemon/fleet/fleet-page.ts';
import { placesOf } from '#daemon/fleet/place.ts';
import { QueueKey } from '#research/workers/queue-key.ts';
import { endBrowser, type Page, withPage } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { PageBench } from '../support/page-bench.ts';
import { plantedSweep } from '../support/planted-sweep.ts';
import { endAll } from '../support/process.ts';
import { expectReadable, inThemeOfSystem, WIDTHS } from '../support/readable.ts';
import { tasksOf } from './tasks.ts';

const CONFIG = `strategies:
  - { id: flip, use: coin-flip, product: btcusd, amount: { base: 0.01 }, params: { seed: 7, everySeconds: 1 } }
  - { id: cross, use: sma-cross, product: ethusd, amount: { base: 0.2 }, params: { fast: 4, slow: 12 } }
risk: { maxOrdersPerMinute: off }
schedule:
  - { name: nightly, cron: '0 3 * * *', timezone: UTC, action: bot.pause }
venue: { quotesPerSecond: 5 }
`;

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start(CONFIG);
  await bench.trading();
});
beforeEach(async () => {
  await bench.ready();
});
afterAll(async () => {
  await endBrowser();
  await endAll();
  bench?.folder.remove();
});

const NEWEST = "document.querySelector('#feed li:has(.badge.good) .link')?.textContent";
const TRADING = "document.querySelector('.trading').innerText.replace('trading is', '').trim()";
const FOCUS = "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()";

/** What the legend says under the pointer from the first bar on in which an indicator has a value. */
async function legendsAlong(page: Page): Promise<readonly string[]> {
  const { x, y, width } = (await page.value(`(() => {
    const one = document.querySelector('#chart .large');
    one.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = one.getBoundingClientRect();
    return { x, y: y + height / 3, width };
  })()`)) as { x: number; y: number; width: number };
  const told: string[] = [];
  for (let by = 12; by < width * 0.85; by += 12) {
    await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: x + by, y });
    await page.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))');
    told.push(String(await page.value("document.querySelector('#chart figcaption').innerText.replaceAll('\\n', ' ')")));
  }
  // By their time: until the pointer is seen the legend is that of the newest bar.
  const bars = [...new Set(told.filter((one) => /open.*close/.test(one)))].sort();
  return bars.slice(bars.findIndex((one) => HAS_SIGNALS.test(one)));
}
const HAS_SIGNALS = /fast [\d,.]+ .*slow [\d,.]+ /;

/** Opens the row of each strategy. */
const openRows = (page: Page): Promise<unknown> =>
  page.value("document.querySelectorAll('.strategy:not([open]) > summary').forEach((one) => one.click())");

describe('the page on a daemon that trades', { tags: 'chromium' }, () => {
  test('shows mode, state, money, prices with fills, and each new fill by itself; a fill opens its story', async () => {
    await bench.opened(async (page) => {
      const paint = await page.value("performance.getEntriesByName('first-contentful-paint')[0]?.startTime");
      console.info(`first paint after ${Math.round(Number(paint))} ms`);
      expect(await page.value("document.querySelector('.mode').innerText")).toContain('PAPER');
      expect(await page.value(TRADING)).toBe('ACTIVE');
      await page.until(
        'equity of both budgets',
        "/^(19,9|20,0)\\d\\d\\.\\d\\d.usd$/.test(document.querySelector('.glance dd').textContent)",
      );
      await page.until('a fill', NEWEST);
      const before = await page.value(NEWEST);
      await page.until('a later fill', `${NEWEST} !== ${JSON.stringify(before)}`);
      await openRows(page);
      await page.click('Why no order? cross');
      await page.until('why, and what to do', "/lane.*btcusd|lane.*ethusd/s.test(document.querySelector('dialog .story')?.innerText)");
      await expectReadable(page, 'why-not', [390, 1280]);
      await page.press('Escape');
      await page.until('the page again', "!document.querySelector('dialog')");
      await page.until('charts of both strategies and of equity', "document.querySelectorAll('.chart canvas').length >= 3");
      await page.until(
        'fills in the price chart',
        "/[1-9]\\d* fills/.test(document.querySelector('.strategy .chart').getAttribute('aria-label'))",
      );
      await page.until('a signal line', "document.querySelectorAll('.strategy')[1].querySelector('figcaption').innerText.includes('fast')");
      await page.until('a bar of today', "document.querySelectorAll('.day-bars li').length === 1");
      await page.until('what a close made, in the feed', "/made [+−]/.test(document.querySelector('#feed .made')?.innerText)");
      await page.until(
        'what was closed today',
        "/closed today[\\s\\S]*\\bin ([1-9]\\d* trades|one trade)/.test(document.querySelector('.strategy summary').innerText)",
      );
      expect(await page.value("document.querySelectorAll('#limits meter').length")).toBeGreaterThan(3);
      expect(await page.value("document.querySelector('#limits').innerText")).toMatch(/Loss of today|Orders of one strategy/);
      expect(await page.value("document.getElementById('lanes-tab').innerText")).toMatch(/Lanes\s*2/);
      await page.tab('lanes');
      await page.until('the lanes', "document.querySelector('#lanes tbody').rows.length >= 2");
      await page.tab('schedule');
      await page.until('the schedule', "document.querySelector('#schedule tbody').innerText.includes('nightly')");
      await page.tab('runs');
      await page.until('the run, with what it made', "/goes on.*usd/s.test(document.querySelector('#runs tbody').innerText)");
      const counted = JSON.stringify(await page.value("document.querySelector('#runs tbody').innerText"));
      await page.until('the run as it goes on', `document.querySelector('#runs tbody').innerText !== ${counted}`);
      const report = await fetch(String(await page.value("document.querySelector('#runs tbody a').href")));
      expect([report.status, await report.text()]).toEqual([200, expect.stringContaining('flip')]);

      const order = String(await page.value(`(${NEWEST})`));
      await page.value(`[...document.querySelectorAll('#feed .link')].find((one) => one.textContent === '${order}').click()`);
      await page.until('the story', "/bought|buy|sell|sold/.test(document.querySelector('dialog .story')?.innerText)");
      await expectReadable(page, 'story', WIDTHS);
      await page.press('Escape');
      await page.until('no dialog', "!document.querySelector('dialog')");
    });
  });

  test('trades are sorted, filtered and exported; a click shows one on the chart, which has signals also after a reload', async () => {
    await bench.opened(async (page) => {
      const cells = (n: number) => `[...document.querySelectorAll('.trades tbody tr')].map((row) => row.cells[${n}].innerText)`;
      await page.until('round trips of both', `new Set(${cells(1)}).size === 2`);
      await page.until(
        'why in and why out',
        "/heads.*tails|above.*below/s.test(document.querySelector('.trades .whys:not(th)').innerText)",
      );
      await page.value("[...document.querySelectorAll('.trades th button')].find((one) => one.textContent === 'profit').click()");
      await page.until('the best first', "document.querySelector('.trades th[aria-sort]')?.textContent === 'profit'");
      const profits = `${cells(9)}.map((text) => parseFloat(text.replace('−', '-')))`;
      await page.until(
        'the best first in the list',
        `((all) => all.length > 1 && all.every((one, n) => n === 0 || one <= all[n - 1]))(${profits})`,
      );
      await page.value(
        "(() => { const s = document.querySelectorAll('#trades select')[1]; s.value = 'ethusd'; s.dispatchEvent(new Event('change')); })()",
      );
      await page.until('those of one product', `${cells(2)}.length > 0 && ${cells(2)}.every((one) => one === 'ethusd')`);
      const csv = await fetch(String(await page.value("document.querySelector('#trades a.act').href")));
      const [head, first] = (await csv.text()).split('\r\n');
      expect([csv.headers.get('content-type'), head?.split(',').length]).toEqual(['text/csv; charset=utf-8', 17]);
      expect(first).toMatch(/^cross,ethusd,/);

      await page.until(
        'a chart of the first product',
        "/Prices of btcusd.*fills/.test(document.querySelector('#chart .large')?.ariaLabel)",
      );
      await page.value("document.querySelector('.trades tbody .link').click()");
      await page.until('the chart before us', "document.activeElement.id === 'chart'");
      await page.until(
        'the trade on the chart of its product',
        "/Prices of ethusd.*[1-9]\\d* round trips/.test(document.querySelector('#chart .large')?.ariaLabel)",
      );
      await page.until('its signals', "/fast.*slow/s.test(document.querySelector('#chart figcaption').innerText)");
      const legends = await legendsAlong(page);
      expect(legends.length).toBeGreaterThan(2);
      // The last bar of an answer may have one quote alone, which the lines reach with the next answer.
      const holes = legends.filter((one) => !HAS_SIGNALS.test(one));
      expect(holes.length, `bars in which an indicator has no value:\n${holes.join('\n')}\nof\n${legends.join('\n')}`).toBeLessThan(3);
      await page.click('Zoom out');
      await page.click('Zoom in');
      await page.click('Earlier');
      await page.value("document.querySelector('#chart input[type=checkbox]').click()");
      await page.until('values of a bar', "/open.*high.*low.*close/s.test(document.querySelector('#chart .values').innerText)");

      await page.value("document.querySelector('.trades .why .link').click()");
      await page.until('the minutes around it', "document.querySelectorAll('dialog .around path').length >= 2");
      await page.until('its indicators beside the price', "document.querySelectorAll('dialog .around polyline').length >= 3");
      expect(await page.value("document.querySelectorAll('dialog .around line.decided').length"), 'its decision').toBe(1);
      const clocks = "[...document.querySelectorAll('dialog .around .clocks span')].map((one) => one.textContent)";
      expect(await page.value(clocks), 'times across').toEqual(expect.arrayContaining([expect.stringMatching(/^\d\d:\d\d:\d\d$/)]));
      const story = String(await page.value("document.querySelector('dialog').innerText"));
      expect(story).toMatch(
        /made\s[+−][\d.]+\susd[\s\S]*on quote[\s\S]*\d m?s left at the decision[\s\S]*random entry[\s\S]*\d+ checks passed/,
      );
      expect(story).not.toMatch(/\dT\d\d:|\d{2}\.\d{5}|\d{4} ms|risk\./);
      expect(await page.value("document.querySelector('dialog details').open")).toBe(false);
      await page.press('Escape');
    });
  });

  test('fits a phone and a screen without overflow, in light and dark, with contrast for every text', async () => {
    await bench.opened(async (page) => {
      await page.size(390, 844);
      await page.until(
        'a chart, trades and limits',
        "document.querySelector('#chart canvas') && document.querySelector('.trades tbody tr') && document.querySelector('meter')",
      );
      expect(await page.value('document.documentElement.scrollHeight'), 'four screens of a phone').toBeLessThan(4 * 844);
      await openRows(page);
      await page.until('a chart', "document.querySelector('.strategy .chart canvas')");
      await expectReadable(page, 'page', WIDTHS);
      await page.send('Emulation.setEmulatedMedia', { media: 'print', features: [] });
      await page.size(720, 1018);
      // What is folded keeps the place of an earlier width.
      const beyond =
        "[...document.querySelectorAll('main *')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)";
      expect(await page.value(`${beyond}.map((one) => one.outerHTML.slice(0, 100))`), 'on paper').toEqual([]);
      // A heading that sorts, the open tab and the number of an order are read as well.
      const pressed =
        "[...document.querySelectorAll('button:not(.link, th *, [aria-selected=true]), select, input')].filter((one) => one.checkVisibility())";
      expect(await page.value(`${pressed}.map((one) => one.outerHTML.slice(0, 100))`), 'controls on paper').toEqual([]);
      const arrow = "getComputedStyle(document.querySelector('.trades th[aria-sort] button'), '::after').content";
      expect(await page.value(arrow), 'what sorts').toBe('none');
      for (const path of ['/docs', '/docs/page.md', '/docs?q=halt']) {
        await page.open(`${bench.url}${path}`);
        await expectReadable(page, 'docs', [390, 1280], inThemeOfSystem);
      }
    });
  });

  test('while it loads, the feed does not say that there are no decisions of a kind', async () => {
    await bench.opened(async (page) => {
      const source = `window.claims = new Set();
        new MutationObserver(() => {
          const said = document.querySelector('#feed .nothing')?.innerText;
          if (said) claims.add(said);
        }).observe(document, { subtree: true, childList: true, characterData: true });`;
      await page.send('Page.addScriptToEvaluateOnNewDocument', { source });
      await page.open(bench.url);
      await page.until('a fill', NEWEST);
      expect(await page.value("[...claims].filter((one) => one.startsWith('None'))")).toEqual([]);
    });
  });

  test('stays where it is while a busy bot trades; under the pointer the feed stands still and counts what is new', async () => {
    await bench.opened(async (page) => {
      await page.until('a chart and a fill', `document.querySelector('#chart canvas') && ${NEWEST}`);
      const top = "document.querySelector('#feed li time')?.dateTime";
      for (const width of [1280, 390]) {
        await page.size(width, 800);
        // As browsers sum it: over at most five seconds, which end with a quiet one.
        await page.value(`window.moves = [0]; window.tops = new Set();
          var [first, last] = [0, 0];
          window.watch = new PerformanceObserver((list) => {
            for (const { value, startTime } of list.getEntries()) {
              if (startTime - first > 5000 || startTime - last > 1000) { moves.push(0); first = startTime; }
              last = startTime;
              moves[moves.length - 1] += value;
            }
          });
          watch.observe({ type: 'layout-shift' }); true`);
        await page.until('rows that come one after the other', `(tops.add(${top}), tops.size > 8)`);
        const moved = Number(await page.value('watch.disconnect(), Math.max(...moves)'));
        expect(moved, `layout shift at ${width} px`).toBeLessThan(0.1);
      }
      await page.size(1280, 800);
      const { x, y } = (await page.value(
        `(({ x, y }) => ({ x: x + 40, y: y + 40 }))(document.querySelector('#feed .rows').getBoundingClientRect())`,
      )) as {
        x: number;
        y: number;
      };
      await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
      const held = await page.value(top);
      await page.until('new ones that wait', "/^[3-9] new|^\\d\\d new/.test(document.querySelector('#feed .gathered').innerText)");
      expect(await page.value(top)).toBe(held);
      await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 5, y: 5 });
      await page.until('the new ones', `${top} !== ${JSON.stringify(held)} && document.querySelector('#feed .gathered').innerText === ''`);
    });
  });

  test('is worked by keys alone: skip link, visible focus, shortcuts, a dialog that keeps the focus', async () => {
    await bench.opened(async (page) => {
      await page.press('Tab');
      expect(await page.value(FOCUS)).toBe('Skip to the content');
      for (let more = 0; more < 12; more++) {
        await page.press('Tab');
        expect(await page.value("document.activeElement.matches(':focus-visible')")).toBe(true);
        expect(await page.value('getComputedStyle(document.activeElement).outlineStyle'), String(await page.value(FOCUS))).not.toBe('none');
      }
      await page.press('h');
      await page.until('the halt before us', "document.querySelector('dialog[open] h2')?.textContent === 'Halt trading'");
      for (let more = 0; more < 12; more++) {
        await page.press('Tab');
        // From the last element the focus goes to the browser's own bar, where the page has none.
        expect(await page.value("document.activeElement === document.body || document.activeElement.closest('dialog') !== null")).toBe(
          true,
        );
      }
      await page.press('Escape');
      await page.until('no dialog', "!document.querySelector('dialog')");
      expect(await page.value(TRADING)).toBe('ACTIVE');
      await page.press('l');
      await page.until('the lanes before us', "document.activeElement.id === 'lanes'");
      await page.press('?');
      await page.until('the keys', "document.querySelector('dialog .keys')");
      await expectReadable(page, 'keys');
    });
  });

  test('the address of the start brings token and name once: one click and Enter halt, and who did stands in the journal', async () => {
    await bench.opened(async (page) => {
      const before = bench.lastRow();
      await page.value(`location.hash = 'token=${bench.token}&who=ann'; location.reload()`);
      await page.until('the page again', "document.querySelector('.glance .line dd').textContent === 'live' && location.hash === ''");
      await page.click('HALT');
      await page.until('the yes before us', "document.activeElement?.textContent === 'Halt now'");
      await page.press('Enter');
      await page.until('the state', `${TRADING} === 'HALTED'`);
      expect(bench.folder.rows(`SELECT detail ->> 'who' AS who FROM decisions WHERE kind = 'halted' AND seq > ${before}`)).toEqual([
        { who: 'ann' },
      ]);
    });
  });

  test('a backtest of a strategy is started here, is watched, and its report opens; a sweep asks what to vary', async () => {
    await bench.opened(async (page) => {
      await page.value(`location.hash = 'token=${bench.token}&who=ann'; location.reload()`);
      await page.until('the page again', "document.querySelector('.glance .line dd').textContent === 'live' && location.hash === ''");
      await openRows(page);
      await page.click('Backtest flip');
      await page.until('the yes before us', "document.activeElement?.textContent === 'Start'");
      // One that no strategy of the settings uses.
      await page.value(
        "(() => { const s = document.getElementById('field-use'); s.value = 'ema-cross'; s.dispatchEvent(new Event('change', { bubbles: true })); })()",
      );
      await expectReadable(page, 'backtest');
      await page.press('Enter');
      const link = "document.querySelector('dialog .backtest a')";
      await page.until(
        'its report',
        `/^DONE backtest of ema-cross: /.test(document.querySelector('dialog .backtest')?.innerText) && ${link}`,
      );
      const report = await fetch(String(await page.value(`${link}.href`)));
      expect([report.status, await report.text()]).toEqual([200, expect.stringContaining('flip: ema-cross')]);
      await page.press('Escape');
      await page.click('Sweep flip');
      await page.until('its parameters', "document.querySelector('dialog')?.innerText.includes('seed, now 7')");
      await expectReadable(page, 'sweep', [390, 1280]);
      await page.press('Escape');
      await page.tab('runs');
      await page.until('it among the reports', "/backtest-ema-cross-.*html/.test(document.querySelector('#runs .reports')?.innerText)");
    });
  });

  test('a fleet shows it beside one that is dead and one whose token is wrong; one click and Enter halt all that can be, and the others are named', async () => {
    const at = (name: string, place: string) => ({ name, at: place, token: 'not-the-token-of-it' });
    const named = placesOf([at('btc', bench.folder.path), at('wrong', bench.url), at('dead', `127.0.0.1:${await freePort()}`)], '/');
    const { queue, watch } = await plantedSweep(new QueueKey('a key that only this machine may know'));
    const fleet = await openFleetPage({
      port: 0,
      token: 'token-of-the-fleet',
      target: new Fleet(named, systemTimers, watch),
      timers: systemTimers,
    });
    await withPage(async (page) => {
      const row = (name: string) => `document.querySelector('.daemon[aria-label="${name}"]').innerText`;
      await page.size(1280, 800);
      await page.open(`${fleet.url}/#token=token-of-the-fleet&who=ann`);
      await page.until('all of them', "document.querySelectorAll('.daemon').length === 3");
      await page.until('its figures', `/PAPER\\s*ACTIVE[^]*usd[^]*2 strategies/.test(${row('btc')})`);
      await page.until('the dead one', `/SILENT[^]*nothing listens there/.test(${row('dead')})`);
      await page.until('the wrong token', `/ACTIVE[^]*token is wrong/.test(${row('wrong')})`);
      const names = "[...document.querySelectorAll('.daemon')].map((one) => one.ariaLabel)";
      expect(await page.value(names), 'who needs somebody first').toEqual(['dead', 'wrong', 'btc']);
      expect(await page.value("document.querySelector('.daemon[aria-label=btc] a').href")).toBe(`${bench.url}/`);
      const sweeps = 'document.querySelector(".sweeps").innerText';
      await page.until(
        'its sweep',
        `/3f2a91c07be4[^]*1,200 of 2,784[^]*81.50 with cross-btc.fast=12[^]*worker-9[^]*stopped/.test(${sweeps})`,
      );
      await expectReadable(page, 'fleet', WIDTHS);
      await page.size(390, 844);
      const sums = "[...document.querySelectorAll('.glance .worth dd')].map((one) => one.innerText).filter((one) => /usd/.test(one))";
      expect(await page.value(sums), 'of paper or of real money, on a phone too').toEqual([
        expect.stringMatching(/^PAPER .*usd$/),
        expect.stringMatching(/^PAPER .*usd$/),
      ]);
      await page.click('Pause 3f2a91c07be4');
      await page.until('the yes to a pause', "document.activeElement?.textContent === 'Pause'");
      await page.press('Enter');
      await page.until('that it was asked', "document.querySelector('dialog').innerText.includes('Asked to pause')");
      expect([...(await queue.notices('pauses')).keys()]).toEqual(['3f2a91c07be4']);
      await page.press('Escape');
      await page.click('HALT ALL');
      await page.until('the yes before us', "document.activeElement?.textContent === 'Halt now'");
      await page.press('Enter');
      await page.until(
        'what came of it',
        "/Halted: btc[^]*wrong is not known to be halted/.test(document.querySelector('dialog').innerText)",
      );
      await page.press('Escape');
      await page.until('the state', `${row('btc')}.includes('HALTED')`);
      await page.until('its newest alarm', `/newest alarm[^]*halted/.test(${row('btc')})`);
      expect(page.errors).toEqual([]);
      expect(page.requests.filter((one) => !one.startsWith(`${fleet.url}/`) && !one.startsWith('data:'))).toEqual([]);
    });
    await fleet.close();
  });

  test('a run is replayed: from decision to decision by keys, to the next order, at any moment, by itself; all can be read', async () => {
    await bench.opened(async (page) => {
      await page.tab('runs');
      await page.until('a way into the run', "document.querySelector('#runs tbody a[href*=replay]')");
      await page.value("document.querySelector('#runs tbody a[href*=replay]').click()");
      const now = "(document.querySelector('.now')?.innerText ?? '')";
      await page.until('its begin', `/^decision 1, the first/.test(${now})`);
      await page.press('ArrowRight');
      await page.until('the next decision', `/^decision 2:/.test(${now})`);
      await page.press('ArrowLeft');
      await page.until('back again', `/^decision 1, the first/.test(${now})`);
      await page.click('Next order');
      await page.until('an order', `/approved/.test(${now})`);
      const slider = 'document.querySelector(\'[aria-label="Moment of the run"]\')';
      await page.value(
        `(() => { const s = ${slider}; s.value = (Number(s.min) + Number(s.max)) / 2; s.dispatchEvent(new Event('input', { bubbles: true })); })()`,
      );
      await page.until(
        'equity until then',
        "/Equity of the run up to the moment: [1-9]/.test(document.querySelector('#account [role=img]')?.ariaLabel)",
      );
      await page.until('prices with fills', "/[1-9]\\d* fills/.test(document.querySelector('#chart [role=img]')?.ariaLabel)");
      await page.until('both strategies', "document.querySelectorAll('#strategies tbody tr').length >= 2");
      const badge = "document.querySelector('.bar .trading').offsetHeight < document.querySelector('.bar').offsetHeight / 2 + 10";
      expect(await page.value(badge), 'a badge, as of the live page, not a bar').toBe(true);
      await expectReadable(page, 'replay', WIDTHS);
      const moment = await page.value(`${slider}.value`);
      await page.click('Play');
      await page.until('time that goes by', `Number(${slider}.value) > ${Number(moment)} + 2000`);
      await page.click('Pause');
    });
  });

  test('is told to a screen reader: landmarks, headings, tables with headers, charts in words', async () => {
    await bench.opened(async (page) => {
      await openRows(page);
      await page.until(
        'charts',
        `document.querySelectorAll('.chart:is([aria-label^="Price of"], [aria-label^="Equity over"])').length >= 3`,
      );
      await page.tab('lanes');
      await page.until('the lanes', "document.querySelector('#lanes table')");
      await page.size(390, 844);
      await page.click('Parts and acts');
      const { nodes } = (await page.send('Accessibility.getFullAXTree')) as {
        nodes: { role?: { value: string }; name?: { value: string } }[];
      };
      const named = (role: string) => nodes.filter((node) => node.role?.value === role).map((node) => node.name?.value ?? '');
      for (const landmark of ['banner', 'navigation', 'main', 'contentinfo']) expect(named(landmark), landmark).toHaveLength(1);
      expect(named('region')).toEqual(expect.arrayContaining(['Account', 'Strategies', 'Decisions']));
      expect(named('table')).toEqual(expect.arrayContaining(['Lanes']));
      expect(named('columnheader')).toEqual(expect.arrayContaining(['age', 'spread']));
      expect(named('image').filter((name) => /^(Price of|Equity over)/.test(name)).length).toBeGreaterThanOrEqual(3);
      expect(named('button').filter((name) => name === '')).toEqual([]);
    });
  });

  test('what a trader asks first takes at most two acts, on the page and at the terminal', () => tasksOf(bench));
});

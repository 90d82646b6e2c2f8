import { expect } from 'vitest';
import type { TradesView } from '#server/page/history-view.ts';
import type { StateView } from '#server/page/view.ts';
import { exact, money, signedMoney } from '../../web/words/numbers.ts';
import type { Page } from '../support/browser.ts';
import { LIVE, type PageBench } from '../support/page-bench.ts';
import { runKairos } from '../support/process.ts';
import { expectReadable } from '../support/readable.ts';
import { waitFor } from '../support/wait-for.ts';

const MOST = 2;

/** A person who sits before the page: each click, key and choice counts. */
export class Person {
  private readonly page: Page;
  private acts = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(name: string, within = 'document'): Promise<void> {
    this.acts += 1;
    await this.page.click(name, within);
  }

  /** Clicks on what has no name of its own. */
  async clickOn(selector: string): Promise<void> {
    this.acts += 1;
    await this.page.until(selector, `document.querySelector('${selector}')?.checkVisibility()`);
    await this.page.value(`document.querySelector('${selector}').click()`);
  }

  async press(key: string): Promise<void> {
    this.acts += 1;
    await this.page.press(key);
  }

  /** Ends a task: `expression` is what the person wanted to see or to have done. */
  async has(task: string, expression: string): Promise<void> {
    await this.page.until(`the answer to: ${task}`, expression);
    expect(this.acts, task).toBeLessThanOrEqual(MOST);
    this.acts = 0;
  }
}

const MINUS = '\\u2212';
const OPEN = "document.querySelector('.trades')";
const PROFITS = `[...${OPEN}.querySelectorAll('tbody tr')].map((row) => Number(row.cells[9].innerText.replace('${MINUS}', '-').replace(/[^-\\d.]/g, '')))`;
/** The rows come sorted from the daemon, a moment after the click. */
const IS_SORTED = `${PROFITS}.every((profit, row, all) => row === 0 || profit >= all[row - 1])`;
const WORST = "document.querySelector('.trades tbody tr')";

/** All of them, of a trader who has been away while the daemon was started again and a sweep was made. */
export async function tasksOf(bench: PageBench): Promise<void> {
  await bench.stop();
  bench.again();
  await bench.ready();
  const sweep = await swept(bench);
  await bench.opened(async (page) => {
    await page.value(`location.hash = 'token=${bench.token}&who=ann'; location.reload()`);
    await page.until('the page again', `${LIVE} && location.hash === ''`);
    await tasksOnPage(page, bench);
  });
  await tasksAtTerminal(bench, sweep);
}

/** A finished sweep's report among those of the page, made as a trader makes it; what the terminal said of it. */
async function swept(bench: PageBench): Promise<string> {
  const { code, stdout, stderr } = await at(
    bench,
    'sweep',
    '--vary',
    'flip.seed=1,2,3',
    '--vary',
    'flip.everySeconds=1,2',
    '--report',
    'sweep.html',
  );
  expect([code, stderr.includes('wrote sweep.html')], stdout + stderr).toEqual([0, true]);
  return stdout;
}

/** What a trader asks of the page first, with the fewest acts that lead there. It knows name and token already. */
async function tasksOnPage(page: Page, bench: PageBench): Promise<void> {
  const person = new Person(page);
  await page.until('a loss', `[...${OPEN}.querySelectorAll('tbody tr')].some((row) => row.cells[9].innerText.startsWith('${MINUS}'))`);
  await bench.ask('pause', {});
  await page.until('the pause', "document.querySelector('.alarm')?.innerText.includes('PAUSED')");
  await person.has("today's profit or loss", `/today\\s*[+${MINUS}]?[\\d.,]+.usd/.test(document.querySelector('.glance').innerText)`);
  await person.has('what each strategy holds', "document.querySelectorAll('.strategy summary').length === 2");

  await person.click('profit', OPEN);
  await person.click('profit', OPEN);
  await person.has('the trade that lost most', `/${MINUS}[\\d.]+.usd/.test(${WORST}.cells[9].innerText) && ${IS_SORTED}`);
  // Rows may be in that order before the daemon's answer: a close that the pause let pass is among them then.
  const order = await waitFor(async () => {
    const { trades } = await bench.get<TradesView>('/api/history/trades?sort=profit&order=asc&limit=1');
    const shown = String(await page.value(`${WORST}.querySelector('.why .link').textContent`));
    return trades[0]?.entryOrder === shown ? shown : undefined;
  });
  await person.click(`Story of order ${order}`, OPEN);
  await person.has('why it was opened', "/checks? passed|heads|tails|above|below/.test(document.querySelector('dialog .story').innerText)");
  await page.press('Escape');

  await person.click('Runs and reports');
  const [before, now] = bench.folder.runs().map(({ run_id }) => run_id);
  const compare = `Compare ${now} with this, ${before}`;
  await page.until('the other run', `document.querySelector('[aria-label="${compare}"]')`);
  const compared = await fetch(String(await page.value(`document.querySelector('[aria-label="${compare}"]').href`)));
  expect([compared.status, await compared.text()]).toEqual([200, expect.stringMatching(/A beside B[\s\S]*What differs in their settings/)]);
  await expectReadable(page, 'runs');
  await page.value("document.getElementById('runs').scrollIntoView()");
  await person.click(compare);
  await person.has('two runs side by side', 'true');
  await page.send('Page.bringToFront');

  await person.click('Runs and reports');
  await page.until('the sweep', "document.querySelector('.reports a')?.textContent === 'sweep.html'");
  const report = await (await fetch(String(await page.value("document.querySelector('.reports a').href")))).text();
  expect(report).toMatch(/data-chart="heat"|id="heat/);
  expect(report).toMatch(/luck/i);
  await person.click('sweep.html');
  await person.has('the best parameters, and whether they are luck', 'true');
  await page.send('Page.bringToFront');

  await person.click('Limits');
  await person.clickOn('#limits .gauges summary');
  await person.has(
    'where a limit is changed',
    "/risk\\.\\w+: .* into the settings file/.test(document.querySelector('#limits .gauges p').innerText)",
  );

  await person.click('Back 10 min');
  await person.has(
    'what happened ten minutes ago',
    "/REPLAY/.test(document.querySelector('.mode').innerText) && /decision/.test(document.querySelector('.now').innerText)",
  );
  expect(Date.now() - Date.parse(String(await page.value("document.querySelector('.moment dd').innerText")))).toBeLessThan(700_000);
  await page.click('Back to now');
  await page.until('the present', LIVE);

  await person.press('h');
  await page.until('the yes before us', "document.activeElement?.textContent === 'Halt now'");
  await person.press('Enter');
  await person.has('a halt', "document.querySelector('.trading').innerText.endsWith('HALTED')");
  await page.press('Escape');
  await person.has('why nothing trades', "/HALTED[^]*BY_PERSON/.test(document.querySelector('.alarms').innerText)");
  await sameToTheDigit(page, bench);
  await person.click('Resume…', "document.querySelector('.bar')");
  await person.click('Resume', "document.querySelector('dialog')");
  await person.has('trading again', "document.querySelector('.trading').innerText.endsWith('ACTIVE')");
}

/** What is closed and held reads the same on the page and at the terminal, while nothing is traded. */
async function sameToTheDigit(page: Page, bench: PageBench): Promise<void> {
  await waitFor(async () => ((await bench.get<StateView>('/api/state')).orders.length === 0 ? true : undefined));
  const listed = async <Row>(...args: readonly string[]): Promise<readonly Row[]> => {
    const { code, stdout, stderr } = await at(bench, ...args, '--json');
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const days = await listed<{ group: string; trades: number; won: number; profit: string; fees: string; currency: string }>(
    ...['profit', '--by', 'day'],
  );
  const total = days.find(({ group }) => group === 'total');
  const sums = `${total?.won} of ${total?.trades} won, ${signedMoney(total?.profit, 'usd')} usd after ${money(total?.fees, 'usd')} usd of fees`;
  await page.until(sums, `document.querySelector('.sums').innerText.replaceAll('\\u00a0', ' ') === '${sums}'`);
  const rows = await listed<{ strategy: string; size: string }>('positions');
  for (const strategy of ['flip', 'cross']) {
    const held = rows.find((one) => one.strategy === strategy)?.size;
    const shown = `[...document.querySelectorAll('.strategy summary')].find((one) => one.innerText.includes('${strategy}')).innerText`;
    await page.until(`${strategy} holds ${held}`, `${shown}.includes('${held === undefined ? 'flat' : exact(held)}')`);
  }
}

/** The same at the terminal: a command is an act. */
async function tasksAtTerminal(bench: PageBench, sweep: string): Promise<void> {
  const said = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await at(bench, ...args);
    expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
    return stdout + stderr;
  };
  const today = new Date().toISOString().slice(0, 10);
  const runs = bench.folder.runs().map(({ run_id }) => run_id);
  const [profit, holds, compared, fleet] = await Promise.all([
    said('profit', '--by', 'day'),
    said('positions'),
    said('report', ...runs.slice(0, 2)),
    said('fleet', '.', '--once'),
  ]);
  expect(profit).toContain(today);
  expect(holds).toMatch(/flip|cross|no strategy holds anything/);
  expect(compared).toMatch(/\bA\b[\s\S]*\bB\b/);
  expect(fleet).toMatch(/ACTIVE/);
  expect(sweep).toMatch(/luck/i);
  await said('halt', '--reason', 'a task');
  expect(await said('why-not')).toMatch(/halted|HALTED/);
  // Nothing is traded from here on: two answers can be held against each other.
  await waitFor(async () => ((await bench.get<StateView>('/api/state')).orders.length === 0 ? true : undefined));
  const [worst, json] = await Promise.all([said('trades', '--worst'), said('trades', '--worst', '--json')]);
  const losses = JSON.parse(json.slice(0, json.lastIndexOf(']') + 1)) as { readonly profit: string; readonly entry: { order: string } }[];
  const figures = losses.map((one) => Number(one.profit));
  expect(figures[0]).toBeLessThan(0);
  expect(figures).toEqual([...figures].sort((a, b) => a - b));
  expect(worst).toContain(losses[0]?.entry.order);
  expect(await said('why', losses[0]?.entry.order ?? '')).toMatch(/heads|tails|above|below/);
  await said('resume', '--reason', 'a task');
}

const at = (bench: PageBench, ...args: readonly string[]) => runKairos(args, { cwd: bench.folder.path });

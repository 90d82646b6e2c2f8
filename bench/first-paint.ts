import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { publishedIn } from '#daemon/operations/ops-files.ts';
import { endBrowser, withPage } from '../test/support/browser.ts';
import { programOf } from '../test/support/tools.ts';
import type { BenchOptions } from './options.ts';
import { History } from './recover-journal.ts';
import type { BenchResult, Figure } from './result.ts';
import { inScratch } from './scratch.ts';
import { type BenchStrategy, benchConfig } from './settings.ts';
import { machineMs } from './statistics.ts';

const KAIROS = fileURLToPath(new URL('../bin/kairos.mjs', import.meta.url));
const ROWS = 1_000_000;
const QUICK_ROWS = 20_000;
const RUNS = 40;
/** Until a fresh daemon has connected and trades. */
const SETTLE_MS = 2_000;
/** For what a start does in the background. */
const BACKGROUND_MS = 15_000;

/** Those whose history the journal has, but for one that is configured no more. */
const STRATEGIES: readonly BenchStrategy[] = [
  { id: 'cross-btc', use: 'sma-cross', product: 'btcusd', amount: { base: 0.01 }, params: { fast: 4, slow: 12 } },
  { id: 'reversion-btc', use: 'coin-flip', product: 'btcusd', amount: { base: 0.01 }, params: { seed: 1, everySeconds: 5 } },
  { id: 'cross-eth', use: 'sma-cross', product: 'ethusd', amount: { base: 0.2 }, params: { fast: 4, slow: 12 } },
];

/** What the first screen asks for when it opens, all at once, and the tab of runs. */
const ASKED = [
  '/api/past',
  '/api/history/decisions?limit=200',
  '/api/history/equity?run=all',
  '/api/history/profit',
  '/api/history/trades?sort=closed&order=desc&limit=8',
  '/api/runs',
] as const;

/** What a person sees of the first screen, and by what the page shows that it is there. */
const SEEN: Readonly<Record<string, string>> = {
  'state and money': "document.querySelector('.glance dd')?.textContent",
  'equity of all runs': "document.querySelector('#account canvas')",
  'profit by day': "document.querySelectorAll('.day-bars li').length > 5",
  'chart of a product': "document.querySelector('#chart canvas')",
  decisions: "document.querySelectorAll('#feed .rows li').length > 20",
  trades: "document.querySelectorAll('.trades tbody tr').length > 5",
};

/** Notes in the page when each of them is there first. */
const WATCH = `window.seen = {};
const parts = ${JSON.stringify(SEEN)};
const look = () => {
  for (const [what, is] of Object.entries(parts)) if (!(what in seen) && eval(is)) seen[what] = performance.now();
  setTimeout(look, 10);
};
look();`;

/**
 * How long the first screen takes on a journal of a million decisions, in a real browser and asked for part by part, each on a daemon that was
 * just started. Wall time; the page was built before and the journal's pages are in memory.
 */
export async function benchFirstPaint({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch(async (folder) => {
    const { json } = benchConfig({ folder, baseUrl: null, strategies: STRATEGIES });
    const rows = quick ? QUICK_ROWS : ROWS;
    const history = new History(join(folder, 'kairos.db'), rows, json);
    for (let run = 0; run < RUNS; run++) history.addRun(rows / RUNS, 'stopped');
    const ms = (label: string, value: number): Figure => ({ label, value, unit: 'ms' });
    const figures: Figure[] = [];
    await beside(folder, async (url) => {
      for (const { path, tookMs } of await asked(url)) figures.push(ms(`${path}, on a journal that had no page before`, tookMs));
      await (await fetch(`${url}/`)).text();
      await wait(quick ? 1_000 : BACKGROUND_MS);
    });
    await beside(folder, async (url) => {
      for (const { path, tookMs } of await asked(url)) figures.push(ms(`${path}, after a start`, tookMs));
      for (const { path, tookMs } of await asked(url)) figures.push(ms(`${path}, again`, tookMs));
    });
    if (programOf('chromium') !== undefined) await beside(folder, async (url) => void figures.push(...(await seen(url))));
    return { name: `first screen, ${quick ? '20 thousand' : 'a million'} decisions`, ratios: [], figures };
  });
}

/** Has a daemon of its own for what is done, from its start to its end. */
async function beside(folder: string, use: (url: string) => Promise<void>): Promise<void> {
  const daemon = spawn(process.execPath, [KAIROS, 'run', '--config', join(folder, 'kairos.yaml')], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => daemon.once('exit', () => resolve()));
  try {
    await use(await addressOf(daemon, join(folder, 'kairos.db')));
  } finally {
    daemon.kill('SIGTERM');
    await ended;
  }
}

async function addressOf(daemon: ChildProcess, journal: string): Promise<string> {
  await new Promise((resolve, reject) => {
    daemon.once('message', resolve);
    daemon.once('exit', (code) => reject(new Error(`the daemon ended with ${code}`)));
  });
  await wait(SETTLE_MS);
  const published = publishedIn(controlFiles(journal).ops);
  if (!published) throw new Error('the daemon does not say where it listens');
  return published.url;
}

async function asked(url: string): Promise<readonly { readonly path: string; readonly tookMs: number }[]> {
  const from = machineMs();
  return Promise.all(
    ASKED.map(async (path) => {
      const answer = await fetch(url + path);
      await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      return { path, tookMs: machineMs() - from };
    }),
  );
}

/** Milliseconds since the page was asked for, as the browser counts them. */
async function seen(url: string): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  await withPage(async (page) => {
    await page.size(1600, 900);
    for (const domain of ['Page', 'Runtime']) await page.send(`${domain}.enable`);
    await page.send('Page.setBypassCSP', { enabled: true });
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: WATCH });
    await page.open(`${url}/`);
    await page.until('the first screen', `Object.keys(seen).length === ${Object.keys(SEEN).length}`);
    const paint = await page.value("performance.getEntriesByName('first-contentful-paint')[0]?.startTime");
    const times = (await page.value('seen')) as Readonly<Record<string, number>>;
    for (const [what, at] of [['first contentful paint', Number(paint)] as const, ...Object.entries(times)]) {
      figures.push({ label: `${what}, in a browser, after a start`, value: at, unit: 'ms' });
    }
  });
  await endBrowser();
  return figures;
}

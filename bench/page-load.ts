import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { publishedIn } from '#apps/operations/ops-files.ts';
import { Child } from './live/child.ts';
import type { PagesFacts } from './live/page-clients.ts';
import type { Figure } from './result.ts';
import { writeConfig } from './settings.ts';
import { machineMs, median } from './statistics.ts';

const KAIROS = fileURLToPath(new URL('../bin/kairos.mjs', import.meta.url));
/** At two quotes a second each. */
const LANES = 30;
const WARM_MS = 5_000;

/** Processor time of a whole daemon on paper, venue included, whose lanes bring 60 quotes a second: without pages, with one, with all. */
export async function pageLoad(
  folder: string,
  { quick, pages }: { readonly quick: boolean; readonly pages: number },
): Promise<readonly Figure[]> {
  mkdirSync(folder);
  const strategies = Array.from({ length: LANES }, (_, n) => ({
    id: `flip-${n}`,
    use: 'coin-flip',
    product: 'btcusd',
    amount: { base: (n + 1) / 1000 },
    params: { seed: n, everySeconds: 30 },
  }));
  const config = writeConfig({ folder, baseUrl: null, strategies });
  const daemon = spawn(process.execPath, [KAIROS, 'run', '--config', config], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => daemon.once('exit', () => resolve()));
  try {
    const url = await addressOf(daemon, join(folder, 'kairos.db'));
    await wait(quick ? 500 : WARM_MS);
    const shares = { none: [] as number[], one: [] as number[], all: [] as number[] };
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      shares.none.push(await share(url, 0, quick));
      shares.one.push(await share(url, 1, quick));
      shares.all.push(await share(url, pages, quick));
    }
    const figure = (label: string, value: number): Figure => ({ label, value: value * 100, unit: '% of a core' });
    const none = median(shares.none);
    return [
      figure('a daemon with 60 quotes a second, its venue included, without pages', none),
      figure('one page on top of that', median(shares.one) - none),
      figure(`${pages} pages on top of that`, median(shares.all) - none),
    ];
  } finally {
    daemon.kill('SIGTERM');
    await ended;
  }
}

async function addressOf(daemon: ChildProcess, journal: string): Promise<string> {
  await new Promise((resolve) => daemon.once('message', resolve));
  const published = publishedIn(controlFiles(journal).ops);
  if (!published) throw new Error('the daemon does not say where it listens');
  return published.url;
}

/** What a daemon takes of a core while so many pages listen. */
async function share(url: string, pages: number, quick: boolean): Promise<number> {
  const clients = pages === 0 ? null : Child.start('page-clients', { url, pages, stalled: 0 } satisfies PagesFacts);
  try {
    await clients?.ask({ ask: 'begin' });
    await wait(quick ? 200 : 2_000);
    const from = { ms: machineMs(), cpu: await cpuSeconds(url) };
    await wait(quick ? 500 : 10_000);
    return (((await cpuSeconds(url)) - from.cpu) * 1000) / (machineMs() - from.ms);
  } finally {
    await clients?.end();
  }
}

async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
}

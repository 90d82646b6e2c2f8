import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Parity } from '#research/parity/parity.ts';
import { rowsOf } from '../support/books.ts';
import { type Ended, runKairos, type Started, startKairos } from '../support/process.ts';
import { ROOT } from '../support/root.ts';
import { configText, drawHistory, type History } from './plan.ts';

interface CampaignOptions {
  readonly seeds: readonly string[];
  /** Runs on each journal. */
  readonly runs: number;
  /** Shortest and longest run. */
  readonly ms: readonly [number, number];
  /** Journals side by side. */
  readonly beside: number;
  /** A history gets a folder of its own in it. */
  readonly folder: string;
  readonly onRun: (result: RunResult) => void;
}

/** What parity says of one run. */
export interface RunResult {
  readonly seed: string;
  readonly run: string;
  readonly seconds: number;
  readonly end: string;
  readonly compared: Parity['compared'];
  /** What parity cannot compare, and says so. */
  readonly limits: readonly string[];
  /** The first difference, or why there is no answer; empty where all is equal. */
  readonly fault: string;
}

/** Plays the histories of the seeds with real daemons, and asks `kairos parity` of each run. */
export async function campaign({ seeds, runs, ms, beside, folder, onRun }: CampaignOptions): Promise<readonly RunResult[]> {
  const left = seeds.map((seed) => drawHistory(seed, { runs, ms }));
  const results: RunResult[] = [];
  const work = async (): Promise<void> => {
    for (let history = left.shift(); history; history = left.shift()) {
      for (const result of await playHistory(history, path.join(folder, history.seed)).catch(notPlayed(history))) {
        results.push(result);
        onRun(result);
      }
    }
  };
  await Promise.all(Array.from({ length: beside }, work));
  return results;
}

/** A history that came to no end, as a row of its own: the others go on. */
const notPlayed =
  ({ seed }: History) =>
  (error: unknown): readonly RunResult[] => [
    { seed, run: '-', seconds: 0, end: '-', compared: NOTHING, limits: [], fault: error instanceof Error ? error.message : String(error) },
  ];

/** A daemon on a busy machine takes its time to start. */
const START_MS = 300_000;

async function playHistory(history: History, cwd: string): Promise<readonly RunResult[]> {
  mkdirSync(cwd, { recursive: true });
  copyFileSync(path.join(ROOT, 'test/parity-live/clockwork.ts'), path.join(cwd, 'clockwork.ts'));
  writeFileSync(path.join(cwd, 'kairos.yaml'), configText(history));
  const played: { readonly end: string; readonly seconds: number; readonly said: string }[] = [];
  for (const planned of history.runs) {
    const begun = performance.now();
    const daemon = startKairos(['run'], { cwd });
    await daemon.until('start of the run', () => (runsOf(cwd).length > played.length ? true : undefined), START_MS);
    await lived(daemon, planned, cwd);
    const byItself = !daemon.isRunning;
    daemon.signal(planned.end);
    const ended = await endOf(daemon);
    const said = byItself ? `it ended by itself: ${ended.stderr}` : wrongEnd(ended, planned.end);
    const seconds = (performance.now() - begun) / 1000;
    played.push({ seconds, end: planned.end, said });
  }
  const results: RunResult[] = [];
  for (const [index, run] of runsOf(cwd).entries()) {
    const { end = '', seconds = 0, said = '' } = played[index] ?? {};
    results.push({ seed: history.seed, run, end, seconds, ...(await judged(run, cwd, said)) });
  }
  return results;
}

/** Lets the run last, and types what the plan has for it. */
async function lived(daemon: Started, { ms, acts }: History['runs'][number], cwd: string): Promise<void> {
  const begun = performance.now();
  const until = (atMs: number) => pause(Math.max(0, begun + atMs - performance.now()));
  for (const { atMs, args } of acts) {
    await until(atMs);
    if (!daemon.isRunning) return;
    // An act that is refused is journaled as such, or was none; on a busy machine it may take its time.
    await runKairos(args, { cwd, withinMs: 180_000 });
  }
  await until(ms);
}

/** How it ended; a daemon that does not come to an end within a minute is killed. */
async function endOf(daemon: Started): Promise<Ended> {
  const inTime = await Promise.race([daemon.ended, pause(60_000, undefined, { ref: false })]);
  if (!inTime) await daemon.kill();
  return await daemon.ended;
}

function wrongEnd({ code, signal, stderr }: Ended, asked: string): string {
  const isRight = asked === 'SIGKILL' ? signal === 'SIGKILL' : code === 0;
  return isRight ? '' : `${asked} ended it with ${code ?? signal}: ${stderr}`;
}

const runsOf = (cwd: string): readonly string[] =>
  rowsOf<{ readonly run_id: string }>(path.join(cwd, 'var/kairos.db'), 'SELECT run_id FROM runs ORDER BY rowid').map(
    ({ run_id }) => run_id,
  );

const NOTHING: Parity['compared'] = { events: 0, quotes: 0, decisions: 0, orders: 0, ledger: 0, outputs: 0 };

async function judged(run: string, cwd: string, said: string): Promise<Pick<RunResult, 'compared' | 'limits' | 'fault'>> {
  const { code, stdout, stderr } = await runKairos(['parity', run, '--json'], { cwd, withinMs: 600_000 });
  let parity: Parity;
  try {
    parity = JSON.parse(stdout);
  } catch {
    return { compared: NOTHING, limits: [], fault: `parity ended with ${code}: ${stderr}` };
  }
  const { compared, limits, remarks, equal, complete, difference } = parity;
  const differs = difference && `row ${difference.row} of ${difference.table}: ${JSON.stringify(difference.fields)}`;
  const incomplete = equal && !complete ? 'not compared in full' : '';
  return { compared, limits: [...remarks, ...limits], fault: differs ?? (equal ? said || incomplete : 'it is not equal') };
}

/** The results as a table of plain text with a sum below it. */
export function describe(results: readonly RunResult[]): string {
  const head = ['seed', 'run', 'ended by', 'seconds', 'quotes', 'decisions', 'orders', 'parity'];
  const rows = results.map(({ seed, run, end, seconds, compared, limits, fault }) => [
    ...[seed, run, end, seconds.toFixed(0), compared.quotes, compared.decisions, compared.orders].map(String),
    fault === '' ? ['equal', ...limits].join('; ') : `DIFFERS: ${fault.trim().replaceAll('\n', ' ')}`,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column < 7 ? cell.padEnd(widths[column] ?? 0) : cell))
      .join('  ')
      .trimEnd();
  const sum = (of: keyof Parity['compared']) => results.reduce((total, { compared }) => total + compared[of], 0);
  const differing = results.filter(({ fault }) => fault !== '').length;
  const total = `${results.length} runs, ${sum('quotes')} quotes, ${sum('decisions')} decisions, ${sum('orders')} orders, ${sum('ledger')} ledger entries: `;
  return [line(head), ...rows.map(line), total + (differing === 0 ? 'all equal' : `${differing} DIFFER`)].join('\n');
}

import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
import { wholeNumber } from './numbers.ts';
import { printJson, printLine } from './output.ts';
import { progressBar } from './progress.ts';
import { onStopSignal } from './stop-signal.ts';

interface Options {
  readonly seed: string;
  readonly hours: number;
  readonly port: number;
  readonly kept?: string;
  readonly json?: boolean;
}

/** Default port of the arena's page. */
const ARENA_PORT = 8070;

/** Adds `arena`: a simulated history in the browser. */
export function addArena(command: Command): void {
  command
    .option('--seed <text>', 'the same seed plays the same history', '1')
    .option('--hours <number>', 'length of the history in hours of its own time', hours, 1)
    .option('--kept <file>', 'play a kept seed, in place of --seed and --hours')
    .option('--port <number>', 'port of the page; 0 takes a free one', wholeNumber(0, 65_535), ARENA_PORT)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  kairos arena --seed 32 --hours 0.5')
    .action(arena);
}

const MAX_HOURS = 24;

function hours(text: string): number {
  const value = Number(text);
  if (value >= 0.05 && value <= MAX_HOURS) return value;
  throw new KairosError('USAGE', `--hours: must be from 0.05 to ${MAX_HOURS}, not ${JSON.stringify(text.slice(0, 40))}`);
}

async function arena({ seed, hours: length, kept, port, json = false }: Options): Promise<void> {
  const stopped = new AbortController();
  const off = onStopSignal(() => stopped.abort());
  const { planNamed } = await import('#lab/arena/film/plan.ts');
  const { recordFilm } = await import('#lab/arena/film/record-film.ts');
  const { openArenaPage } = await import('#lab/arena/arena-page.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const plan = planNamed(kept === undefined ? { seed, hours: length } : { kept });
  const bar = progressBar(`seed ${plan.seed}`);
  const recorded = await recordFilm({ plan, onShare: bar.show, signal: stopped.signal }).catch((error: unknown) => {
    if (stopped.signal.aborted) return undefined;
    throw error;
  });
  bar.end();
  if (recorded) {
    const { film, outcome } = recorded;
    const text = JSON.stringify(film);
    const page = await openArenaPage({ port, film: () => text, timers: systemTimers });
    const { verdict } = film;
    const { violation, orders, quotes, lives, hash, seen } = outcome;
    if (json) printJson({ url: page.url, seed: plan.seed, hours: plan.hours, violation, orders, quotes, lives, seen, hash });
    else {
      printLine(`seed ${plan.seed}, ${plan.hours} h: ${verdict?.title}`);
      if (verdict) printLine(`  ${verdict.text}`);
      printLine(`the arena shows it on ${page.url}; Ctrl-C stops`);
    }
    process.send?.('ready');
    await over(stopped.signal);
    await page.close();
  }
  off();
}

const over = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));

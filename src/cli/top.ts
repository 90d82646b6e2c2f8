import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { JournalReader } from '#adapters/journal/reader.ts';
import { typed } from '#assembly/typed.ts';
import { DecisionLines } from './decision-lines.ts';
import { printColoured } from './output.ts';
import { addJournalOptions, type ConfigOptions, runningConfigFrom } from './settings.ts';
import { onStopSignal } from './stop-signal.ts';
import { screenLines } from './top-screen.ts';

interface Options extends ConfigOptions {
  readonly once?: boolean;
}

/** How often the screen is drawn anew, in milliseconds. */
const EVERY_MS = 1_000;
/** Columns and lines where no terminal says how many. */
const PLAIN = { width: 80, height: 40 };
/** A screen of its own without a cursor, and back: what was on the terminal before is there again. */
const [ENTER, LEAVE] = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l'];
const CONTROL_C = '\u0003';

/** Adds `top`: a live screen of the daemon. */
export function addTop(command: Command): void {
  addJournalOptions(command)
    .option('--once', 'print the screen once, as without a terminal')
    .addHelpText('after', '\nExample:\n  kairos top')
    .action(top);
}

async function top(options: Options): Promise<void> {
  const { JournalReader } = await import('#adapters/journal/reader.ts');
  const { path } = (await runningConfigFrom(options)).settings.journal;
  const journal = JournalReader.open(path);
  try {
    if (options.once || !process.stdout.isTTY) for (const line of await screen(journal, PLAIN)) printColoured(line);
    else await watch(journal);
  } finally {
    journal.close();
  }
}

/** Draws the screen until somebody ends it by `q`, Ctrl-C or a signal. */
async function watch(journal: JournalReader): Promise<void> {
  const { stdin, stdout } = process;
  const stopped = new AbortController();
  const off = onStopSignal(() => stopped.abort());
  // In raw mode Ctrl-C is a key (U+0003) and no signal.
  const onKey = (key: Buffer): void => {
    if (['q', CONTROL_C].some((one) => key.includes(one))) stopped.abort();
  };
  if (stdin.isTTY) stdin.setRawMode(true).on('data', onKey).resume();
  stdout.write(ENTER);
  try {
    while (!stopped.signal.aborted) {
      const lines = await screen(journal, { width: stdout.columns || PLAIN.width, height: stdout.rows || PLAIN.height });
      // From the upper left corner, each line to its end, and nothing below the last: the screen does not flicker.
      stdout.write(`\u001b[H${lines.map((line) => `${typed(line)}\u001b[K`).join('\n')}\u001b[J`);
      await pause(EVERY_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  } finally {
    stdout.write(LEAVE);
    if (stdin.isTTY) stdin.setRawMode(false).off('data', onKey).pause();
    off();
  }
}

async function screen(journal: JournalReader, size: { readonly width: number; readonly height: number }): Promise<readonly string[]> {
  const { saidByDaemon } = await import('#daemon/operations/said-by-daemon.ts');
  const rows = journal.tail(size.height);
  const lines = new DecisionLines({ width: size.width }).fit(rows);
  const state = await saidByDaemon('state', journal.path);
  return screenLines({ journal: journal.path, state, decisions: rows.map((row) => lines.line(row)), now: Date.now(), ...size });
}

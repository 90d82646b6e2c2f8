import { createRequire } from 'node:module';
import type CliProgress from 'cli-progress';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { Pace } from '#domain/pace.ts';

/** Shorter work shows no bar, in milliseconds. */
const SHOW_AFTER_MS = 2000;

/** Screened trials share columns: the first ones make them, and are slower than all others. */
export const SCREEN_LEAST = 0.1;

interface BarOptions {
  readonly stream: NodeJS.WritableStream & { readonly isTTY: boolean };
  readonly monotonicMs: () => number;
  /** The share to be done before the time left is said. */
  readonly least: number;
}

/** A progress bar on standard error for work of more than two seconds, gone when it is done; nothing without a terminal. */
export function progressBar(
  title: string,
  { stream = process.stderr, monotonicMs = systemTimers.monotonicMs, least = 0 }: Partial<BarOptions> = {},
): { readonly show: (share: number) => void; readonly end: () => void } {
  if (!stream.isTTY) return { show() {}, end() {} };
  const begun = monotonicMs();
  const pace = new Pace(least);
  const { Presets, SingleBar } = cliProgress();
  const bar = new SingleBar(
    { format: `${title} {bar} {percentage} %{left}`, hideCursor: true, clearOnComplete: true, stream },
    Presets.shades_classic,
  );
  return {
    show(share) {
      const tookMs = monotonicMs() - begun;
      const left = { left: leftText(pace.leftMs(share, tookMs)) };
      if (share >= 1) bar.stop();
      else if (bar.isActive) bar.update(Math.round(share * 100), left);
      else if (tookMs > SHOW_AFTER_MS) bar.start(100, Math.round(share * 100), left);
    },
    end: () => bar.stop(),
  };
}

/** When lines come, in milliseconds and as a share. */
const FIRST_LINE_MS = 30_000;
const FIRST_SHARE = 0.05;
const FIRST_TRIALS = 10;
const NEXT_LINE_MS = 600_000;

interface LinesOptions {
  readonly isShown: boolean;
  readonly monotonicMs: () => number;
  readonly print: (line: string) => void;
  /** The share to be done before the time left is said. */
  readonly least?: number;
}

/**
 * Progress in lines, where no terminal shows a bar: how many trials at the begin; the time that is left
 * after ten trials, 10 s, and 5 % or 30 s, and every ten minutes from then on.
 */
export function progressLines(title: string, { isShown, monotonicMs, print, least = 0 }: LinesOptions) {
  const begun = monotonicMs();
  const pace = new Pace(least);
  let first: number | undefined;
  let saidMs: number | undefined;
  let trials = 1;
  return {
    begin(count: number): void {
      trials = count;
      if (isShown) print(`${title}: ${count} ${count === 1 ? 'trial' : 'trials'}`);
    },
    show(share: number): void {
      first ??= share;
      const tookMs = monotonicMs() - begun;
      const done = share - first;
      const isDue = saidMs === undefined ? done >= FIRST_SHARE || tookMs >= FIRST_LINE_MS : tookMs - saidMs >= NEXT_LINE_MS;
      const left = leftText(pace.leftMs(share, tookMs));
      if (!isShown || !isDue || done * trials < FIRST_TRIALS || left === '') return;
      saidMs = tookMs;
      print(`${title}: ${(share * 100).toFixed(1)} %${left}`);
    },
  };
}

/** Progress of trials: a bar on a terminal, lines where there is none. */
export function trialProgress(title: string, print: (line: string) => void, least = 0) {
  const bar = progressBar(title, { least });
  const lines = progressLines(title, { isShown: !process.stderr.isTTY, monotonicMs: systemTimers.monotonicMs, print, least });
  return {
    begin: lines.begin,
    show(share: number): void {
      bar.show(share);
      lines.show(share);
    },
    end: bar.end,
  };
}

/** Loaded only for a bar: most commands show none. */
const cliProgress = (): typeof CliProgress => createRequire(import.meta.url)('cli-progress');

/** `, 3 min left`; empty while that is unknown. */
function leftText(leftMs: number | undefined): string {
  if (leftMs === undefined) return '';
  const seconds = leftMs / 1000;
  if (seconds < 60) return `, ${Math.ceil(seconds)} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `, ${minutes} min left` : `, ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

import { createRequire } from 'node:module';
import type CliProgress from 'cli-progress';
import { systemTimers } from '#adapters/time/system-timers.ts';

/** Shorter work shows no bar, in milliseconds. */
const SHOW_AFTER_MS = 2000;

interface BarOptions {
  readonly stream: NodeJS.WritableStream & { readonly isTTY: boolean };
  readonly monotonicMs: () => number;
}

/** A progress bar on standard error for work of more than two seconds, gone when it is done; nothing without a terminal. */
export function progressBar(
  title: string,
  { stream, monotonicMs }: BarOptions = { stream: process.stderr, monotonicMs: systemTimers.monotonicMs },
): { readonly show: (share: number) => void; readonly end: () => void } {
  if (!stream.isTTY) return { show() {}, end() {} };
  const begun = monotonicMs();
  const { Presets, SingleBar } = cliProgress();
  const bar = new SingleBar(
    { format: `${title} {bar} {percentage} %{left}`, hideCursor: true, clearOnComplete: true, stream },
    Presets.shades_classic,
  );
  let first: number | undefined;
  return {
    show(share) {
      // The share at the first call took none of this time.
      first ??= share;
      const tookMs = monotonicMs() - begun;
      const left = { left: timeLeft({ first, share, tookMs }) };
      if (share >= 1) bar.stop();
      else if (bar.isActive) bar.update(Math.round(share * 100), left);
      else if (tookMs > SHOW_AFTER_MS) bar.start(100, Math.round(share * 100), left);
    },
    end: () => bar.stop(),
  };
}

/** When lines come, in milliseconds and as a share. */
const FIRST_LINE_MS = 30_000;
const FIRST_SHARE = 0.01;
const NEXT_LINE_MS = 600_000;

interface LinesOptions {
  readonly isShown: boolean;
  readonly monotonicMs: () => number;
  readonly print: (line: string) => void;
}

/**
 * Progress in lines, where no terminal shows a bar: how many trials at the begin; the time that is left once 1 % or 30 s have passed, and every
 * ten minutes from then on.
 */
export function progressLines(title: string, { isShown, monotonicMs, print }: LinesOptions) {
  const begun = monotonicMs();
  let first: number | undefined;
  let saidMs: number | undefined;
  return {
    begin(count: number): void {
      if (isShown) print(`${title}: ${count} ${count === 1 ? 'trial' : 'trials'}`);
    },
    show(share: number): void {
      first ??= share;
      const tookMs = monotonicMs() - begun;
      const isDue =
        saidMs === undefined
          ? tookMs > SHOW_AFTER_MS && (share - first >= FIRST_SHARE || tookMs >= FIRST_LINE_MS)
          : tookMs - saidMs >= NEXT_LINE_MS;
      const left = timeLeft({ first, share, tookMs });
      if (!isShown || !isDue || left === '') return;
      saidMs = tookMs;
      print(`${title}: ${(share * 100).toFixed(1)} %${left}`);
    },
  };
}

/** Loaded only for a bar: most commands show none. */
const cliProgress = (): typeof CliProgress => createRequire(import.meta.url)('cli-progress');

/** `, 3 min left` at the pace so far; empty while that is unknown. */
export function timeLeft({ first, share, tookMs }: { readonly first: number; readonly share: number; readonly tookMs: number }): string {
  if (share <= first || share >= 1) return '';
  const seconds = ((tookMs / 1000) * (1 - share)) / (share - first);
  if (seconds < 60) return `, ${Math.ceil(seconds)} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `, ${minutes} min left` : `, ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

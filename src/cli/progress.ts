import { createRequire } from 'node:module';
import type CliProgress from 'cli-progress';
import { systemTimers } from '#adapters/time/system-timers.ts';

/** Shorter work shows no bar, in milliseconds. */
const SHOW_AFTER_MS = 2000;

/** A progress bar on standard error for work of more than two seconds; nothing without a terminal. */
export function progressBar(title: string): { readonly show: (share: number) => void; readonly end: () => void } {
  if (!process.stderr.isTTY) return { show() {}, end() {} };
  const begun = systemTimers.monotonicMs();
  const { Presets, SingleBar } = cliProgress();
  const bar = new SingleBar(
    { format: `${title} {bar} {percentage} %{left}`, hideCursor: true, stream: process.stderr },
    Presets.shades_classic,
  );
  let first: number | undefined;
  return {
    show(share) {
      // The share at the first call took none of this time.
      first ??= share;
      const tookMs = systemTimers.monotonicMs() - begun;
      const left = { left: timeLeft({ first, share, tookMs }) };
      if (bar.isActive) bar.update(Math.min(100, Math.round(share * 100)), left);
      else if (tookMs > SHOW_AFTER_MS) bar.start(100, Math.round(share * 100), left);
    },
    end() {
      if (bar.isActive) bar.stop();
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

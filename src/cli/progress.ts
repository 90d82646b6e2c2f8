import { Presets, SingleBar } from 'cli-progress';
import { systemTimers } from '#adapters/time/system-timers.ts';

/** Work that is done sooner shows no bar. */
const SHOW_AFTER_MS = 2000;

/** A bar on standard error for work of more than two seconds; nothing where that is no terminal. */
export function progressBar(title: string): { readonly show: (share: number) => void; readonly end: () => void } {
  if (!process.stderr.isTTY) return { show() {}, end() {} };
  const begun = systemTimers.monotonicMs();
  const bar = new SingleBar({ format: `${title} {bar} {percentage} %`, hideCursor: true, stream: process.stderr }, Presets.shades_classic);
  return {
    show(share) {
      if (bar.isActive) bar.update(Math.min(100, Math.round(share * 100)));
      else if (systemTimers.monotonicMs() - begun > SHOW_AFTER_MS) bar.start(100, Math.round(share * 100));
    },
    end() {
      if (bar.isActive) bar.stop();
    },
  };
}

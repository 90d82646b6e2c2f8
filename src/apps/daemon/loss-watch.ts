import { lanesOf } from '#apps/assembly/assemble.ts';
import { unheldLosses } from '#apps/assembly/loss-limits.ts';
import type { Settings } from '#config/settings.ts';
import type { LaneId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

const LOOK_MS = 1_000;
/** How long lanes without a quote are waited for: their products may give the rate that is lacking. */
const PATIENCE_MS = 60_000;

interface LossWatchOptions {
  readonly settings: Pick<Settings, 'strategies' | 'lanes' | 'risk' | 'account'>;
  readonly latest: (lane: LaneId) => Pick<Quote, 'product' | 'baseCcy' | 'quoteCcy'> | undefined;
  readonly timers: Pick<Timers, 'every' | 'monotonicMs'>;
  readonly notice: Notice;
}

/**
 * Warns once of each currency whose losses `risk.maxDayLoss` is not held against, as soon as every lane has had a quote, which says its
 * currencies, or after a minute. Returns a function that ends it.
 */
export function watchLosses({ settings, latest, timers, notice }: LossWatchOptions): Cancel {
  const lanes = lanesOf(settings.strategies, settings.lanes);
  const told = new Set<string>();
  const endMs = timers.monotonicMs() + PATIENCE_MS;
  const stop = timers.every(LOOK_MS, () => {
    const quoted = lanes.flatMap(({ id }) => latest(id) ?? []);
    const isWhole = quoted.length === lanes.length;
    if (!isWhole && timers.monotonicMs() < endMs) return;
    for (const line of unheldLosses(settings.strategies, settings, quoted)) {
      if (!told.has(line)) notice('warn', line);
      told.add(line);
    }
    if (isWhole) stop();
  });
  return stop;
}

import { lanesOf } from '#assembly/assemble.ts';
import { rateWarnings } from '#assembly/rate-warnings.ts';
import type { Settings } from '#config/settings.ts';
import type { LaneId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

const LOOK_MS = 1_000;
/** How long lanes without a quote are waited for: their products may give the rate that is lacking. */
const PATIENCE_MS = 60_000;

interface RateSources {
  readonly settings: Pick<Settings, 'strategies' | 'lanes' | 'risk' | 'account'>;
  readonly latest: (lane: LaneId) => Pick<Quote, 'product' | 'baseCcy' | 'quoteCcy'> | undefined;
}

interface RateWatchOptions extends RateSources {
  readonly timers: Pick<Timers, 'every' | 'monotonicMs'>;
  readonly notice: Notice;
}

/**
 * Warns once of each rate that is missing, as soon as every lane has had a quote, which says its
 * currencies, or after a minute. Returns a function that ends it.
 */
export function watchRates({ settings, latest, timers, notice }: RateWatchOptions): Cancel {
  const told = new Set<string>();
  const endMs = timers.monotonicMs() + PATIENCE_MS;
  const stop = timers.every(LOOK_MS, () => {
    const { warnings, isWhole } = warningsNow({ settings, latest });
    if (!isWhole && timers.monotonicMs() < endMs) return;
    for (const line of warnings) {
      if (!told.has(line)) notice('warn', line);
      told.add(line);
    }
    if (isWhole) stop();
  });
  return stop;
}

/** Rates that are missing by the quotes so far; `isWhole`: every lane has had one. */
export function warningsNow({ settings, latest }: RateSources): { readonly warnings: readonly string[]; readonly isWhole: boolean } {
  const { strategies } = settings;
  const standing = lanesOf(settings);
  const quoted = standing.flatMap(({ id }) => latest(id) ?? []);
  return { warnings: rateWarnings(strategies, settings, quoted).map(({ text }) => text), isWhole: quoted.length === standing.length };
}

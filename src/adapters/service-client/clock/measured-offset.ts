import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import { pause } from '#ports/pause.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import { ClockOffset } from './clock-offset.ts';
import { lookAtDate } from './date-look.ts';

const APART_MS = 230;

interface TimeSource {
  readonly baseUrl: string;
  readonly service: Pick<ServiceSettings, 'brand' | 'paths'>;
  readonly timers: Timers;
}

/** The service's time less this machine's, in milliseconds, by the dates of `wanted` answers, or why it cannot be had: `maxRefused` had none. Throws CONFIG_INVALID for an unusable address. */
export async function measuredOffset(
  { baseUrl, service, timers }: TimeSource,
  { wanted, maxRefused }: { readonly wanted: number; readonly maxRefused: number } = { wanted: 4, maxRefused: 10 },
): Promise<{ readonly offsetMs: number; readonly halfWidthMs: number } | { readonly why: string }> {
  const offset = new ClockOffset();
  for (let [good, refused] = [0, 0]; ; await pause(timers, APART_MS)) {
    const look = await lookAtDate({ baseUrl, service, timers });
    if (typeof look === 'string') {
      refused += 1;
      if (refused >= maxRefused) return { why: `${look}, ${refused} times` };
    } else {
      offset.add(look);
      good += 1;
      if (good >= wanted) break;
    }
  }
  const now = timers.monotonicMs();
  const bound = offset.bound(now, now);
  if (bound === undefined) return { why: 'its answers carry times that contradict each other' };
  return { offsetMs: Math.round(bound.offsetMs + now - timers.wallMs()), halfWidthMs: Math.round(bound.halfWidthMs) };
}

/** The service's time for a command that signs a few requests: this machine's wall clock and a correction, in milliseconds. */
export function clockAhead(offsetMs: number, timers: Pick<Timers, 'wallMs'>): ServiceClock {
  return { now: () => ({ ms: timers.wallMs() + offsetMs, halfWidthMs: 0 }) };
}

import { CHANNEL_KEYS, channelFaults } from '#adapters/alerts/channels.ts';
import type { AlertSettings } from '#adapters/alerts/settings.ts';
import type { ValuesOf } from '#domain/settings/key.ts';
import type { CheckInput } from './check-input.ts';
import { asGiven, valuesOf } from './group-values.ts';
import { KEYS } from './keys.ts';

/** The settings of `alerts.*` in the shape for alerts. */
export function alertsOf({ repeatAfter: repeatAfterMs, after: afterMs, watch, ...rest }: ValuesOf<typeof KEYS.alerts>): AlertSettings {
  return {
    ...rest,
    repeatAfterMs,
    afterMs,
    watch: { afterMs: watch.after, pauseAllAfterMs: watch.pauseAllAfter === 'never' ? null : watch.pauseAllAfter },
  };
}

/** Reports a channel that is half set up: only to who sends alerts, since others may have none of the secrets. */
export function checkChannels({ resolved, faults }: CheckInput): void {
  for (const { name, says } of channelFaults(valuesOf(CHANNEL_KEYS, resolved, asGiven))) {
    faults.add(`${resolved.isGiven(name) ? `${resolved.origin(name)}: ` : ''}${name}: ${says}`);
  }
}

/** Reports a watch without an address to check. */
export function checkWatch({ resolved, faults }: CheckInput): void {
  const { watch } = KEYS.alerts;
  if (resolved.get(watch.pauseAllAfter) !== 'never' && resolved.get(KEYS.service.baseUrl) === null) {
    const here = resolved.origin('alerts.watch.pauseAllAfter');
    faults.add(`${here}: alerts.watch.pauseAllAfter: the embedded paper venue ends with the daemon; it needs service.baseUrl`);
  }
}

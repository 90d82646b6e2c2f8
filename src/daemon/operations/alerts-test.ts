import type { Channel } from '#adapters/alerts/alert.ts';
import { CHANNEL_KEYS, channelsOf } from '#adapters/alerts/channels.ts';
import { commandEnvironment } from '#adapters/alerts/settings.ts';
import type { LoadedConfig } from '#config/load.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Timers } from '#ports/timers.ts';

const ANSWER_MS = 10_000;

/** The result of a message over one channel. `failure` null: delivered. */
interface TriedChannel {
  readonly channel: string;
  readonly ms: number;
  readonly failure: string | null;
}

/** Sends a message over each configured channel. Throws CONFIG_INVALID if there is none. */
export async function tryChannels(
  { settings, mode }: Pick<LoadedConfig, 'settings' | 'mode'>,
  { silent, timers }: { readonly silent: boolean; readonly timers: Timers },
): Promise<readonly TriedChannel[]> {
  const channels = channelsOf(settings.alerts, commandEnvironment(process.env));
  if (channels.length === 0) {
    throw new KairosError(
      'CONFIG_INVALID',
      `alerts: no channel is set up, so that alerts are lines of the log alone; set up one of ${Object.keys(CHANNEL_KEYS)
        .map((name) => `alerts.${name}`)
        .join(', ')} (docs/alerts.md)`,
    );
  }
  const title = `${mode.toUpperCase()} ${settings.alerts.name}: a test, nothing is wrong`;
  return Promise.all(
    channels.map(async (channel) => {
      const startMs = timers.monotonicMs();
      const failure = await attempt(channel, { title, silent, timers });
      return { channel: channel.name, ms: Math.round(timers.monotonicMs() - startMs), failure };
    }),
  );
}

async function attempt(
  channel: Channel,
  { title, silent, timers }: { readonly title: string; readonly silent: boolean; readonly timers: Timers },
): Promise<string | null> {
  const limit = new AbortController();
  const cancel = timers.after(ANSWER_MS, () => limit.abort(new Error(`nothing within ${ANSWER_MS} ms`)));
  try {
    await channel.send({ title, text: '', events: [], silent, urgent: false, at: timers.wallMs() }, limit.signal);
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    cancel();
    await channel.close();
  }
}

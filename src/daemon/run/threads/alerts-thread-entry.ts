import { Alerter } from '#adapters/alerts/alerter.ts';
import { channelsOf } from '#adapters/alerts/channels.ts';
import { runThread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { AlertThreadTypes } from './alerts.ts';

/** Delivers alerts in a thread of its own. */
runThread<AlertThreadTypes>(({ data: { label, settings, env }, post, onMessage, close }) => {
  const alerter = new Alerter({
    label,
    settings,
    channels: channelsOf(settings, env),
    timers: systemTimers,
    log: (level, text) => post({ level, text }),
    onChannel: (channel, works) => post({ channel, works }),
  });
  onMessage((message) => {
    if ('alert' in message) alerter.raise(message.alert);
    else void alerter.close(message.closeWithinMs).finally(close);
  });
});

import type { AlertSettings } from '#adapters/alerts/settings.ts';
import type { Checked } from './checked.ts';
import { KEYS } from './keys.ts';
import type { Resolved } from './resolved.ts';

/** The settings of `alerts.*` in the shape that alerts read. */
export function alertsOf({ get }: Resolved): AlertSettings {
  const { events, telegram, slack, discord, ntfy, http, watch, ...alerts } = KEYS.alerts;
  const pauseAllAfter = get(watch.pauseAllAfter);
  return {
    name: get(alerts.name),
    events: {
      halt: get(events.halt),
      unknown: get(events.unknown),
      drawdown: get(events.drawdown),
      silence: get(events.silence),
      clock: get(events.clock),
      missed: get(events.missed),
      disk: get(events.disk),
      strategy: get(events.strategy),
      blocked: get(events.blocked),
      trouble: get(events.trouble),
      dead: get(events.dead),
      stopped: get(events.stopped),
    },
    perMinute: get(alerts.perMinute),
    repeatAfterMs: get(alerts.repeatAfter),
    afterMs: get(alerts.after),
    diskFreeMb: get(alerts.diskFreeMb),
    command: get(alerts.command),
    telegram: { token: get(telegram.token), chatId: get(telegram.chatId), baseUrl: get(telegram.baseUrl).replace(/\/+$/, '') },
    slack: { url: get(slack.url) },
    discord: { url: get(discord.url) },
    ntfy: { url: get(ntfy.url), token: get(ntfy.token) },
    http: { url: get(http.url), authorization: get(http.authorization) },
    watch: { afterMs: get(watch.after), pauseAllAfterMs: pauseAllAfter === 'never' ? null : pauseAllAfter },
  };
}

/** A channel that is half set up, and a watcher that would have nobody to ask. */
export function checkAlerts({ resolved, faults }: Checked): void {
  const { telegram, ntfy, http, watch } = KEYS.alerts;
  const token = resolved.get(telegram.token);
  const chatId = resolved.get(telegram.chatId);
  if (token !== null && chatId === null) faults.add('alerts.telegram.chatId: is needed with the token: the chat that the bot writes to');
  if (token === null && chatId !== null) {
    faults.add(
      `${resolved.origin('alerts.telegram.chatId')}: alerts.telegram.chatId: needs the bot's token; set KAIROS_ALERTS_TELEGRAM_TOKEN or KAIROS_ALERTS_TELEGRAM_TOKEN_FILE`,
    );
  }
  if (resolved.get(ntfy.token) !== null && resolved.get(ntfy.url) === null) {
    faults.add('alerts.ntfy.token: needs alerts.ntfy.url; set KAIROS_ALERTS_NTFY_URL');
  }
  if (resolved.get(http.authorization) !== null && resolved.get(http.url) === null) {
    faults.add('alerts.http.authorization: needs alerts.http.url; set KAIROS_ALERTS_HTTP_URL');
  }
  if (resolved.get(watch.pauseAllAfter) !== 'never' && resolved.get(KEYS.service.baseUrl) === null) {
    const here = resolved.origin('alerts.watch.pauseAllAfter');
    faults.add(`${here}: alerts.watch.pauseAllAfter: the embedded paper venue ends with the daemon; it needs service.baseUrl`);
  }
}

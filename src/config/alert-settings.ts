import type { AlertSettings } from '#adapters/alerts/settings.ts';
import type { ValuesOf } from '#domain/settings/key.ts';
import type { Checked } from './checked.ts';
import { KEYS } from './keys.ts';

/** The settings of `alerts.*` in the shape that alerts read. */
export function alertsOf({
  repeatAfter: repeatAfterMs,
  after: afterMs,
  watch,
  telegram,
  ...rest
}: ValuesOf<typeof KEYS.alerts>): AlertSettings {
  return {
    ...rest,
    repeatAfterMs,
    afterMs,
    telegram: { ...telegram, baseUrl: telegram.baseUrl.replace(/\/+$/, '') },
    watch: { afterMs: watch.after, pauseAllAfterMs: watch.pauseAllAfter === 'never' ? null : watch.pauseAllAfter },
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

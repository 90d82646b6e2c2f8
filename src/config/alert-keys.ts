import { ALERT_EVENTS, type AlertEvent, type Loudness } from '#adapters/alerts/alert.ts';
import { CHANNEL_KEYS, webAddress } from '#adapters/alerts/channels.ts';
import { type Key, key } from '#domain/settings/key.ts';
import { choice, optional, or, text, whole } from '#domain/settings/kind.ts';
import { duration } from '#domain/settings/spans.ts';

const loudness = choice(['on', 'silent', 'off']);

const events = Object.fromEntries(
  Object.entries(ALERT_EVENTS).map(([name, { usual, meaning }]) => [name, key(loudness, usual, meaning)]),
) as Readonly<Record<AlertEvent, Key<Loudness>>>;

/** Settings of alerts to a person who is not watching. */
export const ALERT_KEYS = {
  name: key(text(/^[\x20-\x7e]{1,60}$/, 'be 1 to 60 plain characters'), 'kairos', 'name of this bot in every alert'),
  events,
  after: key(duration, '5s', 'how long silence or an unknown time lasts before it is reported'),
  diskFreeMb: key(whole({ min: 0, max: 100_000_000 }), 500, 'free megabytes below which a disk is reported; 0: never'),
  perMinute: key(whole({ min: 1, max: 60 }), 6, 'messages a minute to each channel; more go as a digest'),
  repeatAfter: key(duration, '10m', 'the same trouble is reported once in this time, with its count'),
  ...CHANNEL_KEYS,
  heartbeat: key(optional(webAddress), null, 'address that `kairos watch` asks every minute while the daemon answers', { secret: true }),
  watch: {
    after: key(duration, '5s', '`kairos watch`: how long the daemon may be gone or mute'),
    pauseAllAfter: key(or('never', duration), 'never', "`kairos watch`: how long until the service's strategies are paused; or never"),
  },
};

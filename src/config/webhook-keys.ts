import { key } from '#domain/settings/key.ts';
import { flag, optional, text, whole } from '#domain/settings/kind.ts';

const secret = optional(text(/^[\x21-\x7e]{1,8192}$/, 'be printable characters without spaces'));

/** Notifications of the service, as they come in. */
export const WEBHOOK_KEYS = {
  enabled: key(flag, false, 'listen for notifications of the service'),
  host: key(text(/^[A-Za-z0-9.:-]{1,253}$/, 'be a host name or address'), '127.0.0.1', 'address on which notifications are received'),
  port: key(whole({ min: 0, max: 65_535 }), 8081, 'port on which notifications are received; 0: a free one'),
  path: key(
    text(/^(\/[A-Za-z0-9._~-]{1,100}){1,8}$/, 'be a path such as /webhooks'),
    '/webhooks',
    'the one path on which they are received',
  ),
  windowMs: key(
    whole({ min: 1000, max: 3_600_000 }),
    15_000,
    'how far the time of a notification may be from the present, in milliseconds; one further off is kept aside for a person',
  ),
  secret: key(secret, null, 'secret that notifications are signed with, Base64; without it service.apiSecret', {
    env: 'KAIROS_WEBHOOKS_SECRET',
    secret: true,
  }),
  secretPrevious: key(secret, null, 'the secret before it, accepted as well while the service changes over', {
    env: 'KAIROS_WEBHOOKS_SECRET_PREVIOUS',
    secret: true,
  }),
};

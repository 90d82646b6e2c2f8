import { KairosError } from '#domain/errors.ts';
import { BROKER_SECRET, OTHER_PARTNER, PARTNER_USERS } from '#paper-venue/defaults.ts';
import type { WebhookSettings } from '#paper-venue/settings.ts';

/** A partner's webhook URL and signing key (spec 5.4). */
export interface WebhookTarget {
  readonly url: URL;
  readonly key: Buffer;
}

/** The webhook of a user's partner; undefined if it has none. */
export type RecipientOf = (userId: string) => WebhookTarget | undefined;

/** Reads the partners' webhooks. Throws CONFIG_INVALID for an invalid address. */
export function recipientsOf({ url, otherUrl }: WebhookSettings): RecipientOf {
  const ours = recipient('url', url, BROKER_SECRET);
  const others = recipient('otherUrl', otherUrl, OTHER_PARTNER.secret);
  return (userId) => (PARTNER_USERS.has(userId) ? ours : OTHER_PARTNER.users.has(userId) ? others : undefined);
}

function recipient(name: string, text: string | null, secret: string): WebhookTarget | undefined {
  if (text === null) return undefined;
  if (URL.canParse(text)) return { url: new URL(text), key: Buffer.from(secret, 'base64') };
  throw new KairosError('CONFIG_INVALID', `venue.webhooks.${name}: is no address; write one such as http://127.0.0.1:8081/webhooks`);
}

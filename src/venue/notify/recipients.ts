import { KairosError } from '#domain/errors.ts';
import { BROKER_SECRET, OTHER_PARTNER, PARTNER_USERS } from '#venue/defaults.ts';
import type { WebhookSettings } from '#venue/settings.ts';

/** Where a partner is told what happens to its users, and the key that this is signed with (spec 5.4). */
export interface Recipient {
  readonly url: URL;
  readonly key: Buffer;
}

/** The partner of a user, where it has given a URL. */
export type RecipientOf = (userId: string) => Recipient | undefined;

/** Reads who is told. Throws CONFIG_INVALID for what is no address. */
export function recipientsOf({ url, otherUrl }: WebhookSettings): RecipientOf {
  const ours = recipient('url', url, BROKER_SECRET);
  const others = recipient('otherUrl', otherUrl, OTHER_PARTNER.secret);
  return (userId) => (PARTNER_USERS.has(userId) ? ours : OTHER_PARTNER.users.has(userId) ? others : undefined);
}

function recipient(name: string, text: string | null, secret: string): Recipient | undefined {
  if (text === null) return undefined;
  if (URL.canParse(text)) return { url: new URL(text), key: Buffer.from(secret, 'base64') };
  throw new KairosError('CONFIG_INVALID', `venue.webhooks.${name}: is no address; write one such as http://127.0.0.1:8081/webhooks`);
}

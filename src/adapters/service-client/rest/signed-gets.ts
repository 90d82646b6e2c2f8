import type { KeyObject } from 'node:crypto';
import { canonicalRequest } from '#adapters/service-client/orders/canonical.ts';
import { sign, signingKey } from '#adapters/service-client/orders/signature.ts';
import type { Timers } from '#ports/timers.ts';
import type { ServiceSettings } from './settings.ts';

/** The four headers of the API key for GETs (spec 5.1), for lists that a service shows to a key alone. */
export class SignedGets {
  private readonly timers: Pick<Timers, 'wallMs'>;
  private readonly key: KeyObject;
  private readonly apiKey: string;
  private readonly userId: string;

  private constructor(
    parts: { readonly apiKey: string; readonly apiSecret: string; readonly userId: string },
    timers: Pick<Timers, 'wallMs'>,
  ) {
    this.timers = timers;
    this.key = signingKey(parts.apiSecret);
    this.apiKey = parts.apiKey;
    this.userId = parts.userId;
  }

  /** Null where there is no key to sign with. Throws CONFIG_INVALID for a secret that cannot sign. */
  static from({ apiKey, apiSecret, userId }: ServiceSettings, timers: Pick<Timers, 'wallMs'>): SignedGets | null {
    return apiKey === null || apiSecret === null || userId === null ? null : new SignedGets({ apiKey, apiSecret, userId }, timers);
  }

  headers(path: string): Readonly<Record<string, string>> {
    const { userId } = this;
    const timestampMs = Math.floor(this.timers.wallMs());
    return {
      'X-API-Key': this.apiKey,
      'X-API-Timestamp': String(timestampMs),
      'X-API-Signature': sign(this.key, canonicalRequest({ timestampMs, method: 'GET', path, userId, body: '' })),
      'X-API-User-ID': userId,
    };
  }
}

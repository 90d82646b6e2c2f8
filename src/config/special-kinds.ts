import { checkSignedPath } from '#adapters/service/orders/canonical.ts';
import { serviceAddress } from '#adapters/service/rest/service-address.ts';
import { messageOf } from '#domain/errors.ts';
import { type Kind, text, whole } from '#domain/settings/kind.ts';
import { shown } from '#domain/settings/shown.ts';
import type { MillisOrRange } from '#venue/settings.ts';

/** A base address: https unless on loopback, no credentials in it (B36). Read without a slash at its end. */
export const address: Kind<string> = {
  schema: { type: 'string', pattern: '^https?://' },
  read(value, report) {
    if (typeof value !== 'string' || value.length > 2000) {
      report([], `must be an address such as https://service.example, not ${shown(value)}`);
      return undefined;
    }
    try {
      serviceAddress(value);
      return value.replace(/\/+$/, '');
    } catch (error) {
      // The checker's own words never repeat the address, which may have a password in it.
      report([], messageOf(error).replace(/^service\.\w+: /, ''));
      return undefined;
    }
  },
  fromText: (given) => given,
};

/** A user id that cannot shift the borders inside a signed text (B21). Digits may stand without quotes. */
export const userId: Kind<string> = {
  schema: {
    anyOf: [
      { type: 'string', pattern: '^[A-Za-z0-9-]{1,64}$' },
      { type: 'integer', minimum: 0 },
    ],
  },
  read(value, report) {
    const id = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : value;
    if (typeof id === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(id)) return id;
    report([], `must be 1 to 64 letters, digits or dashes, not ${shown(value)}`);
    return undefined;
  },
  fromText: (given) => given,
};

/** A name at the service, as a person writes it. */
export const userText: Kind<string> = text(/^[^\p{Cc}]{1,200}$/u, 'be 1 to 200 characters');

/** A file or folder, from the present folder where it is not absolute. */
export const path: Kind<string> = { ...text(/^[^\0\r\n]{1,1000}$/, 'be a path'), isPath: true };

/** A path of the service that is sent exactly as it is signed; `{brand}` stands for `service.brand`. */
export const wirePath: Kind<string> = {
  schema: { type: 'string', pattern: '^/' },
  read(value, report) {
    if (typeof value === 'string' && value.length <= 500 && isSignable(value)) return value;
    report([], `must be an absolute path of plain URL characters, not ${shown(value)}`);
    return undefined;
  },
  fromText: (given) => given,
};

function isSignable(value: string): boolean {
  try {
    checkSignedPath(value.replaceAll('{brand}', 'svc'));
    return !value.includes('?');
  } catch {
    // Its refusal names no place in the file; the caller's does.
    return false;
  }
}

/** Milliseconds, or the shortest and the longest of them. */
export function range(min: number, max: number): Kind<MillisOrRange> {
  const one = whole({ min, max });
  return {
    schema: { anyOf: [one.schema, { type: 'array', items: one.schema, minItems: 2, maxItems: 2 }] },
    read(value, report) {
      if (!Array.isArray(value)) return one.read(value, report);
      if (value.length !== 2) {
        report([], `must be a number or [shortest, longest], not ${value.length} values`);
        return undefined;
      }
      const shortest = one.read(value[0], (at, wrong) => report([0, ...at], wrong));
      const longest = one.read(value[1], (at, wrong) => report([1, ...at], wrong));
      if (shortest === undefined || longest === undefined) return undefined;
      if (shortest <= longest) return [shortest, longest];
      report([], `must be [shortest, longest]; ${shortest} is more than ${longest}`);
      return undefined;
    },
    ...(one.fromText && { fromText: one.fromText }),
  };
}

/** Where a partner is told of things; checked in full where it is used. */
export const webhookUrl = text(
  /^https?:\/\/[A-Za-z0-9.:[\]-]{1,253}(\/[\x21-\x7e]{0,1000})?$/,
  'be an address such as http://127.0.0.1:8081/webhooks',
);

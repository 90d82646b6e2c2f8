import type { Kind } from './kind.ts';

/** Where something is posted: https, or http to this machine. It may be a secret, so that it is never repeated. */
export const webAddress: Kind<string> = {
  schema: { type: 'string', pattern: '^https?://' },
  read(value, report) {
    if (typeof value === 'string' && isWebAddress(value)) return value;
    report([], 'must be an https address (http on this machine alone) without user and password');
    return undefined;
  },
  fromText: (given) => given,
};

function isWebAddress(value: string): boolean {
  if (value.length > 2_000 || !/^[\x21-\x7e]+$/.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  const loopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && loopback)) && username === '' && password === '';
}

/** The same as the base of other addresses: without a slash at its end. */
export const baseAddress: Kind<string> = {
  ...webAddress,
  read: (value, report) => webAddress.read(value, report)?.replace(/\/+$/, ''),
};

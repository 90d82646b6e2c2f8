import { isIP } from 'node:net';
import { checkSignedPath } from '#adapters/service-client/orders/canonical.ts';
import { KairosError } from '#domain/errors.ts';

/** What every request says of its sender: some services refuse those that do not say it. */
export const USER_AGENT = 'kairos';

/** Where the service is, taken apart once. */
export interface ServiceAddress {
  /** `https://host:port` without path. */
  readonly origin: string;
  readonly secure: boolean;
  /** Host name or IP address, without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  /** Path that stands before every path of the specification; empty for none. */
  readonly prefix: string;
  readonly loopback: boolean;
}

/**
 * Reads a base address. Throws CONFIG_INVALID for anything but http or https, for http off loopback (B36), and for an
 * address with credentials, query or fragment; the address's own user and password are never shown.
 */
export function serviceAddress(baseUrl: string): ServiceAddress {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) refuse('is not an http or https address');
  if (url.username !== '' || url.password !== '') refuse('has a user or password in it; give them as service.username and password');
  if (url.search !== '' || url.hash !== '') refuse('has a query or fragment; end it with host, port or path');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'https:';
  const loopback = isLoopback(host);
  if (!secure && !loopback) refuse(`sends keys in clear to ${host}; use https`);
  const prefix = url.pathname.replace(/\/+$/, '');
  if (prefix !== '') checkSignedPath(prefix);
  return { origin: url.origin, secure, host, port: url.port === '' ? (secure ? 443 : 80) : Number(url.port), prefix, loopback };
}

/** The whole path of a request: prefix of the address, then the configured path with the brand put in for `{brand}`. */
export function servicePath(address: ServiceAddress, path: string, brand: string): string {
  const whole = `${address.prefix}${path.replaceAll('{brand}', brand)}`;
  checkSignedPath(whole);
  return whole;
}

/** True for this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function refuse(why: string): never {
  throw new KairosError('CONFIG_INVALID', `service.baseUrl: the address ${why}`);
}

import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import nodePath from 'node:path';
import { replaceFile } from '#adapters/journal/files.ts';
import type { Dial } from '#adapters/service-client/dial.ts';
import type { OpenQuoteSocket } from '#adapters/service-client/quotes/quote-socket.ts';
import { ServiceClient } from '#adapters/service-client/rest/rest.ts';
import { serviceAddress } from '#adapters/service-client/rest/service-address.ts';
import type { RefreshTokens } from '#adapters/service-client/rest/session.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { ServiceSettings, Settings } from '#config/settings.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { modeFacts } from '#domain/mode.ts';
import type { Product } from '#domain/product.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import { venueDial } from './own-venue.ts';
import { startVenueThread } from './venue-thread.ts';

/** The exchange code of quoted products (spec 1). */
const QUOTED = 'VB';

/** Connections to the service that replace the machine's own network. */
interface Network {
  /** Opens connections for requests. */
  readonly dial: Dial;
  /** Opens connections of the quotes feed; by `dial` unless given. */
  readonly sockets?: OpenQuoteSocket;
}

/** A run's service: the real one, or an embedded paper venue. */
export interface Service {
  readonly settings: ServiceSettings;
  /** The configured base address, or that of the embedded venue. */
  readonly baseUrl: string;
  readonly embedded: boolean;
  readonly client: ServiceClient;
  readonly network?: Network;
  /** Unreadable records of lists, such as a product with a null limit, with the cause. */
  readonly leftOut: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

const MAX_BYTES = 16_384;

interface OpenOptions {
  readonly askDigits?: (() => Promise<string>) | undefined;
  readonly notice?: Notice | undefined;
  readonly isVenue?: boolean;
}

/**
 * Reaches the configured service, or starts the embedded venue on a free port. `askDigits` asks a person for the second factor of
 * a sign-in; `notice` hears of a session that cannot be kept; with `isVenue` each connection proves first that it leads to a Kairos
 * venue. Throws a KairosError.
 */
export async function openService(
  settings: Settings,
  timers: Timers,
  { askDigits, notice, isVenue = false }: OpenOptions = {},
): Promise<Service> {
  const venue = settings.service.baseUrl === null ? await startVenueThread(settings.venue) : undefined;
  const baseUrl = settings.service.baseUrl ?? venue?.url ?? '';
  const leftOut = new Map<string, string>();
  const onRefusedRecord = (what: string, why: string): void => void leftOut.set(what, why);
  const dial = isVenue && !venue ? venueDial(serviceAddress(baseUrl)) : undefined;
  const client = clientOf(baseUrl, settings.service, {
    timers,
    onRefusedRecord,
    notice,
    ...(dial && { dial }),
    ...(askDigits && { askDigits }),
  });
  return {
    settings: settings.service,
    baseUrl,
    embedded: venue !== undefined,
    client,
    ...(dial && { network: { dial } }),
    leftOut,
    async close() {
      await client.close();
      await venue?.close();
    },
  };
}

/** The client of the service at an address. Throws CONFIG_INVALID. */
export function clientOf(
  baseUrl: string,
  service: ServiceSettings,
  parts: {
    readonly timers: Timers;
    readonly askDigits?: () => Promise<string>;
    readonly onRefusedRecord?: (what: string, why: string) => void;
    readonly dial?: Dial;
    readonly notice?: Notice | undefined;
  },
): ServiceClient {
  const { refreshTokenFile } = service;
  const { origin } = serviceAddress(baseUrl);
  const refreshTokens = refreshTokenFile === null ? undefined : refreshTokensIn(refreshTokenFile, origin, parts.notice);
  return new ServiceClient({ baseUrl, service, ...parts, ...(refreshTokens && { refreshTokens }) });
}

/** The products that the feed quotes (spec 4.3). Also learns the service's spelling of them. */
export async function quotedProducts(client: ServiceClient): Promise<readonly Product[]> {
  const products = await client.products(QUOTED);
  client.spelling.learn(products);
  return products;
}

/** True if the daemon may have to call the service's strategy endpoints by itself. */
export function needsToken({ mode, settings }: Pick<LoadedConfig, 'mode' | 'settings'>): boolean {
  const { service, halt, schedule } = settings;
  if (!modeFacts(mode).sendsOrders) return false;
  return service.token !== null || halt.escalate === 'pauseAll' || schedule.some(({ action }) => action.startsWith('remote.'));
}

/**
 * Keeps the refresh token in a file that only its owner may read (`service.refreshTokenFile`), with its service's
 * address: it is never sent to another. Reading throws SECRET_EXPOSED if others could have read it, CONFIG_INVALID where it cannot be
 * read. `notice` hears once of one that cannot be kept; without it keeping throws CONFIG_INVALID.
 */
export function refreshTokensIn(file: string, origin: string, notice?: Notice): RefreshTokens {
  let isTold = false;
  return {
    read() {
      try {
        if (!existsSync(file)) return null;
        const { mode, size } = lstatSync(file);
        if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
          throw new KairosError('SECRET_EXPOSED', `${file} can be read by others: remove it, and run \`kairos remote sign-in\` again`);
        }
        return size > MAX_BYTES ? null : tokenIn(readFileSync(file, 'utf8'), origin);
      } catch (error) {
        throw error instanceof KairosError ? error : unusable(error, 'read');
      }
    },
    keep(token) {
      try {
        mkdirSync(nodePath.dirname(file), { recursive: true, mode: 0o700 });
        // A command and a daemon may write at once.
        replaceFile(file, `${JSON.stringify({ origin, refreshToken: token })}\n`, `${file}.${process.pid}.new`);
        isTold = false;
      } catch (error) {
        const fault = unusable(error, 'kept');
        if (!notice) throw fault;
        if (!isTold) notice('error', fault.message);
        isTold = true;
      }
    },
  };
}

function unusable(error: unknown, what: 'read' | 'kept'): KairosError {
  const mend = 'make room there, or name a file that this user may read and write';
  return new KairosError('CONFIG_INVALID', `service.refreshTokenFile: the session cannot be ${what} (${messageOf(error)}): ${mend}`);
}

function tokenIn(text: string, origin: string): string | null {
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== 'object' || kept === null || !('origin' in kept) || !('refreshToken' in kept)) return null;
    return kept.origin === origin && typeof kept.refreshToken === 'string' ? kept.refreshToken : null;
  } catch {
    // Torn or something else: the next sign-in writes it anew.
    return null;
  }
}

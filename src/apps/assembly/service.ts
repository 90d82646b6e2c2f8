import { ServiceClient } from '#adapters/service/rest/rest.ts';
import { serviceAddress } from '#adapters/service/rest/service-address.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { ServiceSettings, Settings } from '#config/settings.ts';
import { modeFacts } from '#domain/mode.ts';
import type { Product } from '#domain/product.ts';
import type { Timers } from '#ports/timers.ts';
import { refreshTokensIn } from './sign-in-file.ts';
import { startVenueThread } from './venue-thread.ts';

/** The venue whose products the feed quotes (spec 1, exchange codes). */
const QUOTED = 'VB';

/** The service that a run talks to: the real one, or the paper venue that was started for it. */
export interface Service {
  readonly settings: ServiceSettings;
  /** The configured base address, or that of the embedded venue. */
  readonly baseUrl: string;
  readonly embedded: boolean;
  readonly client: ServiceClient;
  /** Records of lists that could not be read, such as a product with a limit that is null, and why. */
  readonly leftOut: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/**
 * Reaches the configured service, or starts the embedded venue on a free port. `askDigits` asks a person for the second factor of
 * a sign-in. Throws a KairosError.
 */
export async function openService(settings: Settings, timers: Timers, askDigits?: () => Promise<string>): Promise<Service> {
  const venue = settings.service.baseUrl === null ? await startVenueThread(settings.venue) : undefined;
  const baseUrl = settings.service.baseUrl ?? venue?.url ?? '';
  const leftOut = new Map<string, string>();
  const onRefusedRecord = (what: string, why: string): void => void leftOut.set(what, why);
  const client = clientOf(baseUrl, settings.service, { timers, onRefusedRecord, ...(askDigits && { askDigits }) });
  return {
    settings: settings.service,
    baseUrl,
    embedded: venue !== undefined,
    client,
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
  },
): ServiceClient {
  const { refreshTokenFile } = service;
  const refreshTokens = refreshTokenFile === null ? undefined : refreshTokensIn(refreshTokenFile, serviceAddress(baseUrl).origin);
  return new ServiceClient({ baseUrl, service, ...parts, ...(refreshTokens && { refreshTokens }) });
}

/** The products that the feed quotes (spec 4.3); how the service writes them is known from here on. */
export async function quotedProducts(client: ServiceClient): Promise<readonly Product[]> {
  const products = await client.products(QUOTED);
  client.spelling.learn(products);
  return products;
}

/** Whether the running daemon may have to ask the service about its strategies by itself. */
export function needsToken({ mode, settings }: Pick<LoadedConfig, 'mode' | 'settings'>): boolean {
  const { service, halt, schedule } = settings;
  if (!modeFacts(mode).sendsOrders) return false;
  return service.token !== null || halt.escalate === 'pauseAll' || schedule.some(({ action }) => action.startsWith('remote.'));
}

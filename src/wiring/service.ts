import type { Product } from '../domain/product.ts';
import type { Timers } from '../ports/timers.ts';
import { ServiceClient } from '../wire/rest.ts';
import type { ServiceSettings, Settings } from './config/settings.ts';
import { startVenueThread } from './venue-thread.ts';

/** How long the service may take to answer with its products at the start. */
const PRODUCTS_DEADLINE_MS = 10_000;

/** The service that a run talks to: the real one, or the paper venue that was started for it. */
export interface Service {
  /** With the base address filled in. */
  readonly settings: ServiceSettings & { readonly baseUrl: string };
  readonly embedded: boolean;
  readonly client: ServiceClient;
  close(): Promise<void>;
}

/** Reaches the configured service, or starts the embedded venue on a free port. Throws a KairosError. */
export async function openService(settings: Settings, timers: Timers): Promise<Service> {
  const { baseUrl } = settings.service;
  const venue = baseUrl === null ? await startVenueThread(settings.venue) : undefined;
  const service = { ...settings.service, baseUrl: baseUrl ?? venue?.url ?? '' };
  const client = new ServiceClient({ service, timers });
  return {
    settings: service,
    embedded: venue !== undefined,
    client,
    async close() {
      await client.close();
      await venue?.close();
    },
  };
}

/** The products that the feed quotes (spec 4.3). */
export async function quotedProducts(client: ServiceClient): Promise<readonly Product[]> {
  return client.products({ exchangeCode: 'VB', deadlineMs: PRODUCTS_DEADLINE_MS });
}

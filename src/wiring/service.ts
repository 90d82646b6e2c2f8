import { messageOf } from '../domain/errors.ts';
import type { ActionAnswer } from '../domain/event.ts';
import type { Product } from '../domain/product.ts';
import type { Timers } from '../ports/timers.ts';
import { ServiceClient } from '../wire/rest.ts';
import type { ServiceSettings, Settings } from './config/settings.ts';
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
  close(): Promise<void>;
}

/** Reaches the configured service, or starts the embedded venue on a free port. Throws a KairosError. */
export async function openService(settings: Settings, timers: Timers): Promise<Service> {
  const venue = settings.service.baseUrl === null ? await startVenueThread(settings.venue) : undefined;
  const baseUrl = settings.service.baseUrl ?? venue?.url ?? '';
  const client = new ServiceClient({ baseUrl, service: settings.service, timers });
  return {
    settings: settings.service,
    baseUrl,
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
  return client.products(QUOTED);
}

/** Asks the service to pause all its strategies; what it said, or why it could not be asked, as the answer of an action. */
export async function askPauseAll(client: ServiceClient, actionId: string): Promise<ActionAnswer> {
  try {
    const { httpStatus, response } = await client.pauseAll();
    return { actionId, status: 'asked', httpStatus, response };
  } catch (error) {
    return { actionId, status: 'failed', httpStatus: null, response: messageOf(error) };
  }
}

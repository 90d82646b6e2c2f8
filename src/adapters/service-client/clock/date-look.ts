import { Client } from 'undici';
import { connectTo } from '#adapters/service-client/rest/proxy.ts';
import { serviceAddress, servicePath } from '#adapters/service-client/rest/service-address.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import type { Timers } from '#ports/timers.ts';
import { askForDate, type DateAnswer, DateExchange } from './date-samples.ts';

const TRY_MS = 3000;

/** Reads the service's clock once: a dated answer, or why there is none. Throws CONFIG_INVALID for an unusable address. */
export async function lookAtDate(options: {
  readonly baseUrl: string;
  readonly service: Pick<ServiceSettings, 'brand' | 'paths'>;
  readonly timers: Timers;
}): Promise<DateAnswer | string> {
  const { baseUrl, service, timers } = options;
  const address = serviceAddress(baseUrl);
  const path = servicePath(address, service.paths.products, service.brand);
  const connect = connectTo(address, TRY_MS);
  const client = new Client(address.origin, { allowH2: false, pipelining: 1, connect, headersTimeout: TRY_MS, bodyTimeout: TRY_MS });
  try {
    let found: DateAnswer | string = 'no answer';
    await new Promise<void>((resolve) => {
      const exchange = new DateExchange(timers, {
        dated: (answer) => {
          found = answer;
        },
        refused: (why) => {
          found = why;
        },
        over: resolve,
      });
      askForDate(client, path, exchange);
    });
    return found;
  } finally {
    await client.destroy();
  }
}

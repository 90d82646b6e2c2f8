import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { ServiceClient, type ServiceClientOptions } from '#adapters/service-client/rest/rest.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { serviceSettings } from '../../adapters/service-client/support/service-settings.ts';

/**
 * The conformance suite of the client: what it sends is held against the specification, and what it makes of recorded and hostile
 * answers against the notes. Titles begin with what they show, as in the suite of the venue.
 */
export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Behave = (request: Heard, response: ServerResponse, raw: IncomingMessage) => void;

export interface Service {
  readonly baseUrl: string;
  readonly heard: Heard[];
}

/** A service that answers as the test says and remembers what it heard. */
export async function service(behave: Behave): Promise<Service> {
  const heard: Heard[] = [];
  const server = createServer((raw, response) => {
    let body = '';
    raw.on('data', (chunk) => {
      body += chunk;
    });
    raw.on('end', () => {
      const request = { method: raw.method ?? '', path: raw.url ?? '', headers: raw.headers, body };
      heard.push(request);
      behave(request, response, raw);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const address = server.address();
  return { baseUrl: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`, heard };
}

/** What a try may take, in turns of the loop: a machine that is busy with other things does not end one that is being answered. */
const TURNS = 25;

/** Waits between tries pass at once. */
export const hasty: Timers = { ...systemTimers, after: (delayMs, run) => afterTurns(delayMs >= 4000 ? TURNS : 0, run) };

function afterTurns(turns: number, run: () => void): Cancel {
  let cancel = systemTimers.after(0, turns === 0 ? run : next);
  let left = turns;
  function next(): void {
    left -= 1;
    cancel = systemTimers.after(10, left > 0 ? next : run);
  }
  return () => cancel();
}

/** A clock that moves on by a second with each look: the deadline of a call comes after a few tries. */
export function racing(): Timers {
  let nowMs = 0;
  return {
    ...hasty,
    monotonicMs: () => {
      nowMs += 1000;
      return nowMs;
    },
  };
}

export function client(
  baseUrl: string,
  changes: Partial<ServiceSettings> = {},
  options: Partial<ServiceClientOptions> = {},
): ServiceClient {
  const made = new ServiceClient({ baseUrl, service: serviceSettings(changes), timers: hasty, ...options });
  onTestFinished(() => made.close());
  return made;
}

export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

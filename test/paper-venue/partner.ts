import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** A notification as the partner got it. */
export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A partner's server that keeps what comes, and answers as a test says. */
export interface Partner {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Resolves when so many have come in all. */
  arrived(count: number): Promise<void>;
}

export async function partner(answer: (response: ServerResponse, count: number) => void): Promise<Partner> {
  const deliveries: Delivery[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      deliveries.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      answer(response, deliveries.length);
      for (const { count, resolve } of waiting) if (deliveries.length >= count) resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/hooks?from=venue`,
    deliveries,
    arrived: (count) =>
      deliveries.length >= count ? Promise.resolve() : new Promise<void>((resolve) => void waiting.push({ count, resolve })),
  };
}

import { finished, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { shortLine } from '#domain/one-line.ts';
import { isGroup } from '#domain/settings/kind.ts';

/** So much of a body is read; the rest is let go. */
const MAX_BYTES = 4_096;

const words = (otherwise: string) =>
  z
    .string()
    .catch('')
    .transform((given) => shortLine(given) || otherwise);

/** The body of a halt, which is refused for no form: long texts are cut, unknown fields are left out, and a body that is no object is the reason. */
export const haltBody = <const Shape extends z.ZodRawShape>(fields: Shape) =>
  z.preprocess(
    (given) => (isGroup(given) ? given : { why: given }),
    z.object({ who: words('api'), why: words('by the control API'), ...fields }),
  );

/** Adds the route of a halt, which takes a body of any type and size, or none. */
export function addHaltRoute(app: FastifyInstance, does: (request: FastifyRequest) => unknown): void {
  void app.register(async (route) => {
    route.removeAllContentTypeParsers();
    route.addContentTypeParser('*', (_request: unknown, body: Readable) => read(body));
    route.addHook('onRequest', async ({ raw }) => {
      // One that is no media type would be refused before any parser is asked.
      delete raw.headers['content-type'];
    });
    for (const path of ['/api/halt', '/api/halt/']) route.post(path, async (request) => does(request));
  });
}

/** The JSON of a body, or its text where it is none. A body that breaks off says what has come of it. */
async function read(body: Readable): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  body.on('data', (part: Buffer) => {
    if (bytes < MAX_BYTES) parts.push(part);
    bytes += part.length;
  });
  await new Promise<void>((resolve) => finished(body, () => resolve()));
  const text = Buffer.concat(parts).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    // Any other text is the reason.
    return text;
  }
}

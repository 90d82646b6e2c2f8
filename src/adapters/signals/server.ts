import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { listenFault } from '#domain/listen-fault.ts';
import { fieldsIn, type GateAnswer, type Refusal, type SignalGate } from './gate.ts';
import { isSame, isSignature } from './tokens.ts';

/** A source that is reached by HTTP. */
interface HttpSource {
  readonly gate: SignalGate;
  readonly token: string;
}

interface SignalServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** By name. */
  readonly sources: ReadonlyMap<string, HttpSource>;
  /** Called with each refusal and its source, null where that is not known. */
  readonly onRefused: (source: string | null, error: string) => void;
}

const STATUS: Readonly<Record<Refusal, number>> = {
  TOKEN: 401,
  SIZE: 413,
  BODY: 400,
  DEPTH: 422,
  FLOOD: 429,
  SCHEMA: 422,
  TIME: 422,
  LATE: 422,
  EARLY: 422,
  // It has had its effect: nobody need send it again.
  REPEAT: 200,
  UNAVAILABLE: 503,
};

const PATIENCE_MS = 5_000;
const MAX_BODY = 1_048_576;
const TOKEN: GateAnswer = { taken: false, error: 'TOKEN' };

const none = (): never => {
  throw new TypeError('no route has a schema');
};
/** Leaves out the schema compiler, which no route needs. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: none, buildSerializer: none } };

/** Opens the port of signals. Throws PORT_IN_USE if the address is taken. */
export async function openSignalServer(options: SignalServerOptions): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { host, port } = options;
  const app = signalApp(options);
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw listenFault('signals.port', { host, port }, error);
  }
  const address = app.server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/signals`, close: () => app.close() };
}

/** The server's routes, before it listens: `/signals/NAME`, and `/signals/NAME/TOKEN` for senders who can set no header. */
export function signalApp({ sources, onRefused }: Pick<SignalServerOptions, 'sources' | 'onRefused'>): FastifyInstance {
  const app = Fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    bodyLimit: MAX_BODY,
    requestTimeout: PATIENCE_MS,
    keepAliveTimeout: PATIENCE_MS,
    http: { maxHeaderSize: 8_192, headersTimeout: PATIENCE_MS, connectionsCheckingInterval: PATIENCE_MS / 5 },
  });
  app.server.maxConnections = 128;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    onRefused(null, error.code);
    return reply.code(error.statusCode ?? 500).send({ taken: false, error: error.code });
  });
  app.setNotFoundHandler((_request, reply) => {
    onRefused(null, 'NOT_FOUND');
    return reply.code(404).send({ taken: false, error: 'NOT_FOUND' });
  });
  app.post<{ Params: { name: string; '*'?: string } }>('/signals/:name/*', ({ params, body, headers }, reply) =>
    answer(params.name, params['*'], { body, headers, reply }),
  );
  app.post<{ Params: { name: string } }>('/signals/:name', ({ params, body, headers }, reply) =>
    answer(params.name, undefined, { body, headers, reply }),
  );
  const answer = async (
    name: string,
    inPath: string | undefined,
    { body, headers, reply }: { body: unknown; headers: Headers; reply: { code(status: number): { send(body: unknown): unknown } } },
  ): Promise<unknown> => {
    const source = sources.get(name);
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const isKnown = isAllowed(source?.token ?? '', bytes, { inPath, headers }) && source !== undefined;
    const verdict = isKnown ? await source.gate.take(bytes, { isTest: headers['x-signal-test'] !== undefined }) : TOKEN;
    if (!verdict.taken) onRefused(source ? name : null, verdict.error);
    return reply.code(verdict.taken ? 200 : STATUS[verdict.error]).send(verdict);
  };
  return app;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The token may be in a header, the path or the body; a signature of the body stands for it. */
function isAllowed(
  token: string,
  body: Buffer,
  { inPath, headers }: { readonly inPath: string | undefined; readonly headers: Headers },
): boolean {
  const one = (name: string): string => {
    const value = headers[name];
    return typeof value === 'string' ? value : '';
  };
  const signature = one('x-signal-signature');
  if (signature !== '') return isSignature(token, body, signature);
  const inBody = body.length <= MAX_BODY ? fieldsIn(body)?.token : undefined;
  const given =
    inPath ?? (one('x-signal-token') || one('authorization').replace(/^Bearer /i, '') || (typeof inBody === 'string' ? inBody : ''));
  return isSame(token, given) && token !== '';
}

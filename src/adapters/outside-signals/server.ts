import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { postApp } from '#adapters/webhook-receiver/post-server.ts';
import { fieldsIn, type GateAnswer, refusalText, refused, type SignalGate, type SignalRefusal } from './gate.ts';
import { isSame, isSignature } from './tokens.ts';

interface TokenRoute {
  Params: { token?: string };
}

interface HttpSource {
  readonly gate: SignalGate;
  readonly token: string;
}

interface SignalAppOptions {
  /** By name. */
  readonly sources: ReadonlyMap<string, HttpSource>;
  /** Called with each refusal and its source, null where that is not known. */
  readonly onRefused: (source: string | null, error: string) => void;
}

const STATUS: Readonly<Record<SignalRefusal, number>> = {
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

/** The server's routes, before it listens: `/signals/NAME`, and `/signals/NAME/TOKEN` for senders who can set no header. */
export function signalApp({ sources, onRefused }: SignalAppOptions): FastifyInstance {
  const app = postApp({ connections: 128, type: '*', onRefused: (error) => onRefused(null, error) });
  for (const [name, { gate, token }] of sources) {
    const answer = (reply: FastifyReply, verdict: GateAnswer): FastifyReply => {
      if (!verdict.taken) onRefused(name, verdict.error);
      if (verdict.taken) return reply.send(verdict);
      if (verdict.error === 'FLOOD') void reply.header('retry-after', 1);
      return reply.code(STATUS[verdict.error]).send({ ...verdict, message: refusalText(verdict, gate.bounds) });
    };
    // A body over the bound is not read, whoever sends it.
    const bounds: RouteShorthandOptions = {
      bodyLimit: gate.bounds.maxBytes,
      errorHandler: (error, _request, reply) => answer(reply, refused(error.statusCode === 413 ? 'SIZE' : 'BODY')),
    };
    const take = async ({ params, body, headers }: FastifyRequest<TokenRoute>, reply: FastifyReply) => {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const isAllowed = opens(token, bytes, { inPath: params.token, headers });
      return answer(reply, isAllowed ? await gate.receive(bytes, { isTest: headers['x-signal-test'] !== undefined }) : refused('TOKEN'));
    };
    app.post<TokenRoute>(`/signals/${name}`, bounds, take);
    app.post<TokenRoute>(`/signals/${name}/:token`, bounds, take);
  }
  return app;
}

/** The token may be in a header, the path or the body; a signature of the body stands for it. */
function opens(
  token: string,
  body: Buffer,
  { inPath, headers }: { readonly inPath: string | undefined; readonly headers: IncomingHttpHeaders },
): boolean {
  const one = (name: string): string => {
    const value = headers[name];
    return typeof value === 'string' ? value : '';
  };
  const signature = one('x-signal-signature');
  if (signature !== '') return isSignature(token, body, signature);
  const beside = inPath ?? (one('x-signal-token') || one('authorization').replace(/^Bearer /i, ''));
  return isSame(token, beside || tokenIn(body));
}

function tokenIn(body: Buffer): string {
  const token = fieldsIn(body)?.token;
  return typeof token === 'string' ? token : '';
}

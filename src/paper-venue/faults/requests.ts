import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isoTime } from '#domain/names.ts';
import type { VenueContext } from '#paper-venue/http/context.ts';
import { LateAnswers } from '#paper-venue/http/late-answers.ts';
import { STRATEGIES_PATH } from '#paper-venue/http/orchestrator.ts';
import { type ErrorResponse, refusal, sendRefusal } from '#paper-venue/http/refusal.ts';
import { between, type FaultDraws, type FaultStrike, formOf } from './draws.ts';

const ACCOUNTS_PATH = '/as/v3/';
const SERVER_ERRORS = [500, 502, 503, 504] as const;
const REJECTIONS = [
  refusal(422, 'QUOTE_EXPIRED', 'the quote has expired'),
  refusal(422, 'INSUFFICIENT_FUNDS', 'the balance does not cover the order'),
  refusal(422, 'LIMIT', 'the order is beyond a limit of the account'),
] as const;
const REFUSED_KEYS = [
  refusal(401, 'INVALID_SIGNATURE', 'the signature does not fit the request'),
  refusal(403, 'FORBIDDEN_USER', 'the user belongs to another partner'),
] as const;
const REDIRECTS = [301, 307, 308] as const;
const PAGE = '<!doctype html><title>Bad gateway</title><p>Please try again later.</p>';
/** How far the second clock is ahead of the first, in milliseconds. */
const SECOND_CLOCK_MS = 4000;

/** Applies drawn faults to requests and their answers. Not called without faults. */
export function addRequestFaults(app: FastifyInstance, context: VenueContext, faults: FaultDraws): void {
  const { timers, settings, log } = context;
  const orders = `/${settings.brand}-broker/api/`;
  const answers = new AnswerFaults(app, context);
  /** Faults for the answers of requests in progress. */
  const struckLater = new WeakMap<FastifyRequest, FaultStrike>();

  app.addHook('preHandler', async (request, reply) => {
    const path = request.raw.url ?? '';
    const ofStrategies = path.startsWith(STRATEGIES_PATH);
    const asksByToken = ofStrategies || path.startsWith(ACCOUNTS_PATH);
    const acts = request.method !== 'GET' && (ofStrategies || path.startsWith(orders));
    // Both are always drawn, so that a seed strikes the same requests.
    const byToken = asksByToken ? faults.next('token') : undefined;
    const byRequest = acts ? faults.next('request') : undefined;
    const struck = byToken ?? byRequest;
    if (!struck) return;
    log(`fault: ${struck.name}: ${request.method} ${path.slice(0, 100)}`);
    const refused = refusalOf(struck, request, reply);
    if (refused) return sendRefusal(request, reply, { ...refused, atMs: timers.wallMs() });
    struckLater.set(request, struck);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const struck = struckLater.get(request);
    return struck ? answers.meet(struck, { request, reply, payload }) : payload;
  });
  if (faults.reaches('answer') || faults.reaches('start')) {
    app.addHook('onSend', async (_request, reply) => {
      const aheadMs = faults.next('answer') ? SECOND_CLOCK_MS : 0;
      reply.header('date', new Date(timers.wallMs() + aheadMs).toUTCString());
    });
  }
}

/** The refusal of a request; undefined if it is carried out. */
function refusalOf({ name, unit }: FaultStrike, request: FastifyRequest, reply: FastifyReply): ErrorResponse | undefined {
  if (name === 'token-expired') return refusal(401, 'TOKEN_INVALID', 'the bearer token has expired');
  if (name === 'rejections') return formOf(REJECTIONS, unit);
  if (name === 'refused-keys') return formOf(REFUSED_KEYS, unit);
  // The other half of these errors comes after the request was carried out.
  if (name === 'server-errors' && unit < 0.5) return serverError(unit * 2);
  if (name === 'redirects') {
    reply.header('location', request.raw.url ?? '/');
    return refusal(formOf(REDIRECTS, unit), 'MOVED', 'the service is elsewhere');
  }
  if (name !== 'too-many-requests') return undefined;
  reply.header('retry-after', String(between(1, 5, unit)));
  return refusal(429, 'TOO_MANY_REQUESTS', 'too many requests');
}

const serverError = (unit: number): ErrorResponse => refusal(formOf(SERVER_ERRORS, unit), 'UNAVAILABLE', 'the service is not available');

interface Answering {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly payload: unknown;
}

/** Applies faults to the answer of a request that was carried out. */
class AnswerFaults {
  private readonly late: LateAnswers;
  private readonly timers: VenueContext['timers'];

  constructor(app: FastifyInstance, { timers }: VenueContext) {
    this.late = new LateAnswers(app, timers);
    this.timers = timers;
  }

  /** Returns what is sent in place of the answer; a cut connection delivers nothing. */
  async meet({ name, unit }: FaultStrike, { request, reply, payload }: Answering): Promise<unknown> {
    switch (name) {
      case 'lost-answers':
        request.raw.socket.destroy();
        return payload;
      case 'slow-answers':
        await this.late.wait(reply, between(4000, 10_000, unit));
        return payload;
      case 'server-errors': {
        const { status, errorCode, error } = serverError((unit - 0.5) * 2);
        reply.code(status);
        return JSON.stringify({ timestamp: isoTime(this.timers.wallMs()), status, errorCode, error });
      }
      case 'unreadable-answers':
        return this.unreadable(reply, String(payload ?? ''), unit);
      default:
        return payload;
    }
  }

  private unreadable(reply: FastifyReply, text: string, unit: number): string {
    const form = formOf(['none', 'half', 'page'], unit);
    if (form === 'page') reply.type('text/html');
    return form === 'none' ? '' : form === 'half' ? text.slice(0, text.length >> 1) : PAGE;
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isoTime } from '#domain/names.ts';
import type { Side } from '#domain/quote.ts';
import { drawUniform } from '#paper-venue/core/draws.ts';
import { match, QUOTE_REFUSALS, type QuoteRefusal } from '#paper-venue/core/matching.ts';
import { sendExecuted, sendUnexecuted } from '#paper-venue/dialect/answers.ts';
import { currencyIn } from '#paper-venue/dialect/codes.ts';
import type { Execution } from '#paper-venue/store/execution.ts';
import { authenticationFault, headerOf, rawBodyOf, userFault } from './broker-authentication.ts';
import type { VenueContext } from './context.ts';
import { jsonObjectOf } from './json.ts';
import { LateAnswers } from './late-answers.ts';
import { type ErrorResponse, type FieldFault, fieldRefusal, refusal, sendRefusal } from './refusal.ts';

type OrderResult =
  | { readonly execution: Execution; readonly ordered: string }
  | { readonly fault: ErrorResponse; readonly quoteId: string | null };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The broker's endpoints under `/<brand>-broker/api` (spec 4.4, 5.1). Orders are checked in a fixed sequence: key,
 * timestamp, signature, user, body, quote; the first fault is answered. An execution is on the disk before its answer
 * leaves.
 */
export function brokerRoutes(context: VenueContext): (app: FastifyInstance) => Promise<void> {
  const { timers } = context;
  return async (app) => {
    const late = new LateAnswers(app, timers);
    app.post(context.paths.orders, async (request, reply) => {
      const atMs = timers.wallMs();
      const placed = place(context, request, atMs);
      if ('fault' in placed) return refuseOrder(context, { request, reply, placed, atMs });
      const delayMs = drawUniform(context.settings.answerDelayMs, timers.random());
      if (delayMs > 0 && !(await late.wait(reply, delayMs))) return reply.hijack().raw.destroy();
      if (context.dialect) return sendExecuted(reply, context.dialect, placed);
      return reply.code(201).send(orderAnswer(placed.execution));
    });
    if (context.settings.capabilities.includes('order-query')) orderQueryRoute(app, context);
    if (context.settings.capabilities.includes('balances')) balancesRoute(app, context);
    app.setNotFoundHandler((request, reply) => {
      const atMs = timers.wallMs();
      const fault = authenticationFault(signedPartOf(request), atMs) ?? refusal(404, 'NOT_FOUND', 'no such path');
      return sendRefusal(request, reply, { ...fault, atMs });
    });
  };
}

/** Adds the order query, which is beyond the specification, if the settings enable it. */
function orderQueryRoute(app: FastifyInstance, { timers, store }: VenueContext): void {
  app.get('/orders', async (request, reply) => {
    const atMs = timers.wallMs();
    const userId = headerOf(request.headers, 'x-api-user-id');
    const quoteId = new URLSearchParams(request.raw.url?.split('?')[1] ?? '').get('quoteId');
    const missing = quoteId
      ? undefined
      : fieldRefusal(400, 'INVALID_QUERY', [{ fields: ['quoteId'], description: 'the query quoteId is missing' }]);
    const fault = authenticationFault(signedPartOf(request), atMs) ?? userFault(userId) ?? missing;
    if (fault) return sendRefusal(request, reply, { ...fault, atMs });
    const execution = store.executionOf((quoteId ?? '').toLowerCase());
    return reply.send(execution?.userId === userId && execution ? [orderAnswer(execution)] : []);
  });
}

/** Adds the balances path, which is beyond the specification. */
function balancesRoute(app: FastifyInstance, { timers, store, dialect }: VenueContext): void {
  app.get('/balances', async (request, reply) => {
    const atMs = timers.wallMs();
    const userId = headerOf(request.headers, 'x-api-user-id');
    const fault = authenticationFault(signedPartOf(request), atMs) ?? userFault(userId);
    if (fault) return sendRefusal(request, reply, { ...fault, atMs });
    const balances = Object.entries(store.balances(userId ?? ''));
    return reply.send(Object.fromEntries(balances.map(([code, amount]) => [dialect ? currencyIn(dialect.dialect, code) : code, amount])));
  });
}

/** Checks and executes an order, without an await between the check of a quote and its use. */
function place(context: VenueContext, request: FastifyRequest, atMs: number): OrderResult {
  const signed = signedPartOf(request);
  const userId = headerOf(request.headers, 'x-api-user-id');
  const stopped = authenticationFault(signed, atMs) ?? userFault(userId) ?? mediaFault(request);
  if (stopped || userId === undefined) return { fault: stopped ?? refusal(400, 'INVALID_USER', 'no user'), quoteId: null };
  const { dialect } = context;
  const order = orderBodyOf(signed.body, dialect?.sides);
  if ('fault' in order) return { fault: order.fault, quoteId: null };
  const { quoteId } = order;
  const known = { lookup: context.book.find(dialect?.quoteIdOf(quoteId) ?? quoteId), usedBy: context.store.executionOf(quoteId)?.userId };
  const matched = match({ ...order, userId, ...(dialect && { feeIn: dialect.feeIn(order.side) }) }, known, atMs);
  if (matched.kind === 'refused') {
    if (matched.late) context.counts.lateOrders += 1;
    return { fault: quoteFault(matched.code, quoteId), quoteId };
  }
  const ids = { orderId: context.timers.uuid(), quoteId, userId, executedAt: isoTime(atMs) };
  const own = dialect?.refusalOf();
  if (own) return { fault: own, quoteId };
  const { lookup } = known;
  const booking = dialect && lookup.kind === 'known' ? dialect.booking(matched.booking, lookup.quote) : matched.booking;
  const booked = context.store.book(booking, ids);
  const ordered = matched.booking.size.toString();
  return booked.kind === 'executed'
    ? { execution: booked.execution, ordered }
    : { fault: quoteFault('INSUFFICIENT_FUNDS', quoteId), quoteId };
}

interface RefusedRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly placed: { readonly fault: ErrorResponse; readonly quoteId: string | null };
  readonly atMs: number;
}

function refuseOrder({ store, log, dialect }: VenueContext, { request, reply, placed, atMs }: RefusedRequest): FastifyReply {
  const { status, errorCode } = placed.fault;
  const userId = headerOf(request.headers, 'x-api-user-id')?.slice(0, 64) ?? null;
  store.refused({ at: isoTime(atMs), quoteId: placed.quoteId, userId, status, errorCode });
  log(`order refused: ${status} ${errorCode}${placed.quoteId ? ` quote ${placed.quoteId}` : ''}`);
  if (dialect && sendUnexecuted(reply, dialect, placed.fault)) return reply;
  return sendRefusal(request, reply, { ...placed.fault, atMs });
}

function quoteFault(code: QuoteRefusal, quoteId: string): ErrorResponse {
  return fieldRefusal(422, code, [{ fields: ['quoteId'], description: QUOTE_REFUSALS[code], rejectedValue: quoteId }]);
}

/** Refuses a body whose content type is not JSON. Without a content type it is read as JSON. */
function mediaFault(request: FastifyRequest): ErrorResponse | undefined {
  const type = headerOf(request.headers, 'content-type');
  if (type === undefined || /^application\/json\s*(;|$)/i.test(type)) return undefined;
  return refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'an order must be sent as application/json');
}

function signedPartOf(request: FastifyRequest) {
  return {
    method: request.raw.method ?? request.method,
    rawPath: request.originalUrl,
    headers: request.headers,
    body: rawBodyOf(request.body),
  };
}

/** The answer to an executed order; its shape is our own choice, since the specification shows none. */
function orderAnswer(execution: Execution) {
  return {
    orderId: execution.orderId,
    quoteId: execution.quoteId,
    side: execution.side === 'buy' ? 'BUY' : 'SELL',
    status: 'FILLED',
    price: Number(execution.price),
    size: Number(execution.size),
    value: Number(execution.value),
    fee: Number(execution.fee),
    feeCcy: execution.feeCcy,
    executedAt: execution.executedAt,
  };
}

const SIDES: Readonly<Record<string, Side>> = { BUY: 'buy', SELL: 'sell' };

type OrderBody = { readonly quoteId: string; readonly side: Side } | { readonly fault: ErrorResponse };

/** Reads the body of an order (spec 2.10). `SELL` is the other side. Quote ids are compared without case: an id in capitals is the same quote. */
export function orderBodyOf(bytes: Buffer, sides: Readonly<Record<string, Side>> = SIDES): OrderBody {
  const body = jsonObjectOf(bytes);
  if (!body) return { fault: refusal(400, 'MALFORMED_BODY', 'the body is not a JSON object') };
  const faults: FieldFault[] = [];
  if (body.orderType !== 'MARKET') faults.push(fault('orderType', body.orderType, 'must be MARKET'));
  const { quoteId } = body;
  if (typeof quoteId !== 'string' || !UUID.test(quoteId)) faults.push(fault('quoteId', quoteId, 'must be a UUID'));
  const side = typeof body.side === 'string' && Object.hasOwn(sides, body.side) ? sides[body.side] : undefined;
  if (side === undefined) faults.push(fault('side', body.side, `must be ${Object.keys(sides).join(' or ')}`));
  if (faults.length > 0 || side === undefined || typeof quoteId !== 'string') return { fault: fieldRefusal(400, 'INVALID_ORDER', faults) };
  return { quoteId: quoteId.toLowerCase(), side };
}

function fault(field: string, value: unknown, rule: string): FieldFault {
  const description = `${field} ${value === undefined ? 'is missing; it ' : ''}${rule}`;
  const showable = typeof value === 'string' ? value.slice(0, 64) : value;
  const isPlain = showable === null || ['string', 'number', 'boolean'].includes(typeof showable);
  return isPlain ? { fields: [field], description, rejectedValue: showable } : { fields: [field], description };
}

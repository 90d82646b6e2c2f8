import { gzipSync } from 'node:zlib';
import type { Dialect } from '#adapters/service-client/dialect/dialect.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { ErrorResponse } from '#paper-venue/http/refusal.ts';
import type { Execution } from '#paper-venue/store/execution.ts';
import { currencyIn } from './codes.ts';
import type { OrderDialect } from './orders.ts';

/** The part of fastify's reply that answers need. */
export interface Reply {
  code(status: number): Reply;
  type(mediaType: string): Reply;
  header(name: string, value: string): Reply;
  send(body?: unknown): Reply;
}

type AnswerFields = Readonly<Record<string, unknown>>;

const WORDS = {
  'word-filled': 'FILLED',
  'word-executed': 'executed',
  'word-done': 'Done',
  'word-absent': undefined,
  'word-complete': 'COMPLETE',
  'word-confirmed': 'CONFIRMED',
  'word-created': 'CREATED',
  'word-closed': 'CLOSED',
  'word-settled': 'SETTLED',
  'word-new': 'NEW',
  'word-foreign': 'AUSGEFUEHRT',
  'word-201': 201,
} as const satisfies Record<Dialect['word'], unknown>;

const WORD_FIELDS = {
  'word-in-status': 'status',
  'word-in-state': 'state',
  'word-in-order-status': 'orderStatus',
  'word-in-result': 'result',
} as const satisfies Record<Dialect['wordField'], string>;

const PAGE = '<!doctype html><title>Orders</title><p>';

/** Sends the answer to an executed order; `ordered` is the requested size. */
export function sendExecuted<Writer extends Reply>(reply: Writer, orders: OrderDialect, { execution, ordered }: OrderExecution): Writer {
  writeExecuted(reply, orders, { execution, ordered });
  return reply;
}

function writeExecuted(reply: Reply, orders: OrderDialect, { execution, ordered }: OrderExecution): Reply {
  const { dialect } = orders;
  reply.code(statusOf(dialect));
  const order = executedOrder(orders, { execution, ordered });
  const body = { ...flagsIn(dialect, execution), ...wrapped(dialect, order) };
  if (dialect.answerStatus === 'answer-202-open') return reply.send();
  switch (dialect.answerForm) {
    case 'answer-json':
      return reply.send(body);
    case 'answer-empty':
      return reply.send();
    case 'answer-text':
      return reply.type('text/plain').send('OK');
    case 'answer-html':
      return reply.type('text/html').send(`${PAGE}Your order was executed.`);
    case 'answer-list':
      return sendJson(reply, JSON.stringify([body]));
    case 'answer-bom':
      return sendJson(reply, `\ufeff${JSON.stringify(body)}`);
    case 'answer-gzip':
      return sendPacked(reply, JSON.stringify(body));
  }
}

interface OrderExecution {
  readonly execution: Execution;
  readonly ordered: string;
}

/** Answers an unexecuted order with a success status, if the dialect does so; returns false if the order gets its own status. */
export function sendUnexecuted(reply: Reply, { dialect }: OrderDialect, fault: ErrorResponse): boolean {
  if (fault.status === 202) {
    reply.code(202).send();
    return true;
  }
  const orderId = 'f00d0000-0000-4000-8000-000000000000';
  const sendAs = (body: AnswerFields): boolean => {
    reply.code(statusOf(dialect)).send(wrapped(dialect, body));
    return true;
  };
  const { refusals } = dialect;
  const rejected = JSON.stringify({ orderId, status: 'REJECTED' });
  if (fault.status !== 422) return false;
  switch (refusals) {
    case 'refused-by-422':
    case 'refused-already-expired':
    case 'refused-no-longer-used':
      return false;
    case 'refused-success-false':
      return sendAs({ success: false, message: fault.error });
    case 'refused-ok-false':
      return sendAs({ ok: false });
    case 'refused-code':
      return sendAs({ code: 1007, message: fault.error });
    case 'refused-order-status':
      return sendAs({ orderId, orderStatus: 'REJECTED' });
    case 'refused-result':
      return sendAs({ orderId, result: 'REJECTED' });
    case 'refused-nested':
      return sendAs({ orderId, order: { id: orderId, status: 'REJECTED' } });
    case 'refused-errors':
      return sendAs({ orderId, errors: [{ description: fault.error }] });
    case 'refused-error-msg':
      return sendAs({ orderId, errorMsg: fault.error });
    case 'refused-size-zero':
      return sendAs({ orderId, price: 0, size: 0, value: 0 });
    case 'refused-html':
      reply.code(statusOf(dialect)).type('text/html').send(`${PAGE}Your order was not executed: ${fault.error}.`);
      return true;
    case 'refused-text':
      reply.code(statusOf(dialect)).type('text/plain').send(`Error: ${fault.error}`);
      return true;
    case 'refused-list':
      sendJson(reply.code(statusOf(dialect)), JSON.stringify([{ error: fault.error }]));
      return true;
    case 'refused-bom':
      sendJson(reply.code(statusOf(dialect)), `\ufeff${rejected}`);
      return true;
    case 'refused-gzip':
      sendPacked(reply.code(statusOf(dialect)), rejected);
      return true;
    case 'refused-202':
      reply.code(202).send();
      return true;
  }
}

/** The body of an error in the dialect. */
export function errorIn({ errorBodies }: Dialect, text: string): { readonly type: string; readonly body: string } {
  const { errorCode: code, error: message }: { errorCode?: unknown; error?: unknown } = JSON.parse(text);
  const json = (body: unknown) => ({ type: 'application/json; charset=utf-8', body: JSON.stringify(body) });
  switch (errorBodies) {
    case 'errors-as-strategies':
      return { type: 'application/json; charset=utf-8', body: text };
    case 'errors-as-message':
      return json({ code, message });
    case 'errors-nested':
      return json({ error: { code, message } });
    case 'errors-as-text':
      return { type: 'text/plain; charset=utf-8', body: String(message) };
    case 'errors-as-html':
      return { type: 'text/html; charset=utf-8', body: `${PAGE}${String(message)}` };
    case 'errors-empty':
      return { type: 'text/plain; charset=utf-8', body: '' };
  }
}

function statusOf({ answerStatus }: Dialect): number {
  return Number(answerStatus.slice('answer-'.length, 'answer-'.length + 3));
}

function wrapped({ answerWrap }: Dialect, order: AnswerFields): AnswerFields {
  return answerWrap === 'answer-bare' ? order : { [answerWrap.slice('answer-in-'.length)]: order };
}

function executedOrder(orders: OrderDialect, { execution, ordered }: OrderExecution): AnswerFields {
  const { dialect } = orders;
  const word = WORDS[dialect.word];
  return {
    orderId: execution.orderId,
    quoteId: execution.quoteId,
    side: orders.nameOf(execution.side),
    ...(word !== undefined && { [WORD_FIELDS[dialect.wordField]]: word }),
    ...figuresIn(dialect, { execution, ordered }),
    ...feeIn(dialect, execution),
    executedAt: execution.executedAt,
  };
}

function flagsIn({ flags }: Dialect, { userId }: Execution): AnswerFields {
  switch (flags) {
    case 'no-flags':
      return {};
    case 'flag-success':
      return { success: true };
    case 'flag-ok':
      return { ok: true };
    case 'flag-error-code-0':
      return { errorCode: 0 };
    case 'flag-code-0':
      return { code: 0 };
    case 'flag-no-error':
      return { error: null, errors: [] };
    case 'flag-user':
      return { userId: Number(userId) };
  }
}

function figuresIn(dialect: Dialect, { execution, ordered }: OrderExecution): AnswerFields {
  const { price, size } = execution;
  const value = valueIn(dialect, execution);
  switch (dialect.figuresTold) {
    case 'told-plainly':
      return { price: Number(price), size: Number(size), value: Number(value) };
    case 'told-as-texts':
      return { price, size, value };
    case 'told-as-filled':
      return { filledPrice: Number(price), filledSize: Number(size), filledValue: Number(value) };
    case 'told-as-executed':
      return { size: Number(ordered), avgPrice: Number(price), executedQty: Number(size), cumQuote: Number(value) };
    case 'told-in-fills': {
      const first = decimalOf(size).div(2).toDecimalPlaces(8);
      const sizes = [first, decimalOf(size).minus(first)];
      return { fills: sizes.map((part) => ({ price: Number(price), size: part.toNumber() })) };
    }
    case 'untold':
      return {};
    case 'size-as-value':
      return { price: Number(price), size: Number(value) };
    case 'figures-of-another':
      return { price: 1, size: 1_000_000 };
  }
}

/** The value of an execution; with its fee it is what moved in quote currency. */
function valueIn({ value: told }: Dialect, { side, product, value, fee, feeCcy }: Execution): string {
  if (told === 'value-plain' || !product.endsWith(feeCcy.toLowerCase())) return value;
  return decimalOf(value)
    .plus(decimalOf(fee).times(side === 'buy' ? 1 : -1))
    .toString();
}

/** The fee in the answer's form; a percentage is that of the quote. */
function feeIn(dialect: Dialect, { fee, feeCcy, size, value }: Execution): AnswerFields {
  const currency = currencyIn(dialect, feeCcy);
  switch (dialect.feeTold) {
    case 'fee-with-ccy':
      return { fee: Number(fee), feeCcy: currency };
    case 'fee-with-currency':
      return { fee: Number(fee), feeCurrency: currency };
    case 'fee-as-commission':
      return { commission: Number(fee), commissionAsset: currency };
    case 'fee-object':
      return { fee: { amount: Number(fee), currency } };
    case 'fee-untold':
      return {};
    case 'fee-percentage': {
      const whole = Number(fee) < Number(size) ? Number(size) : Number(value);
      return { fee: Number(((Number(fee) / whole) * 100).toFixed(4)) };
    }
    case 'fee-zero':
      return { fee: 0, feeCcy: currency };
  }
}

function sendJson(reply: Reply, text: string): Reply {
  return reply.type('application/json; charset=utf-8').send(text);
}

function sendPacked(reply: Reply, text: string): Reply {
  return reply.type('application/json; charset=utf-8').header('content-encoding', 'gzip').send(gzipSync(text));
}

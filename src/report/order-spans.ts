import { createHash } from 'node:crypto';
import type { Decision, DecisionOf } from '#domain/decision.ts';
import type { Millis } from '#domain/names.ts';

/** A value of OTLP in JSON: 64-bit whole numbers are text. */
type Value = { readonly stringValue: string } | { readonly intValue: string } | { readonly doubleValue: number };

/** An attribute of OTLP. */
interface Attribute {
  readonly key: string;
  readonly value: Value;
}

/** A span of OTLP in JSON. Ids in hex, times in nanoseconds since 1970 as text; `kind` 1: internal, 3: client; `status.code` 2: an error. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status?: { readonly code: 2; readonly message: string };
}

type Figures = Readonly<Record<string, string | number | null | undefined>>;

/** Attributes by name, without those that have no value. */
export const attributesOf = (figures: Figures): readonly Attribute[] =>
  Object.entries(figures).flatMap(([key, value]) => (value == null ? [] : [{ key, value: valueIn(value) }]));

const valueIn = (value: string | number): Value => {
  if (typeof value === 'string') return { stringValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};

/** Kinds of rows with which the spans of an order are whole. */
export const TRACED: readonly Decision['kind'][] = ['accepted', 'rejected', 'unknown', 'expired', 'not_sent', 'resolved'];

/** Ids follow from run, order and name, so that what is sent twice is the same. */
const idOf = (bytes: number, ...parts: readonly string[]): string =>
  createHash('sha256')
    .update(parts.join('\0'))
    .digest('hex')
    .slice(0, 2 * bytes);

const nanos = (ms: Millis): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

/**
 * An order as spans of one trace, from its rows up to that of its outcome: the quote's time left, the decision, the sending and the
 * service's answer. One that was settled later has its settling alone. Empty where the row of its intent is missing.
 */
export function orderSpans(run: string, rows: readonly Decision[]): readonly Span[] {
  const find = <Kind extends Decision['kind']>(kind: Kind): DecisionOf<Kind> | undefined =>
    rows.find((row): row is Decision & DecisionOf<Kind> => row.kind === kind);
  const [intent, approved, sent, outcome] = [find('intent'), find('approved'), find('sent'), rows.at(-1)];
  if (!intent || !outcome) return [];
  const { quote, side, why } = intent.detail;
  const id = intent.orderId ?? '';
  const traceId = idOf(16, run, id);
  const root = idOf(8, traceId, 'order');
  const spanOf = (name: string, [from, to]: readonly [Millis, Millis], figures: Figures): Span => ({
    traceId,
    spanId: idOf(8, traceId, name),
    parentSpanId: root,
    name,
    kind: 1,
    startTimeUnixNano: nanos(from),
    endTimeUnixNano: nanos(Math.max(from, to)),
    attributes: attributesOf(figures),
  });
  if (outcome.kind === 'resolved') {
    const since = find('unknown')?.at ?? outcome.at;
    return [spanOf('settle', [since, outcome.at], { 'kairos.settled.as': outcome.detail.as, 'kairos.settled.by': outcome.detail.who })];
  }
  const failed = outcome.kind === 'accepted' ? {} : { status: { code: 2, message: outcome.reason ?? outcome.kind } as const };
  const error = outcome.kind === 'accepted' ? null : (outcome.reason ?? outcome.kind);
  const order = approved?.detail.order;
  const sentAt = sent ? Date.parse(sent.detail.sentAt) : null;
  const answer = outcome.kind === 'accepted' || outcome.kind === 'rejected' || outcome.kind === 'unknown' ? outcome.detail : null;
  const { parentSpanId: _none, ...whole } = spanOf('order', [intent.at, outcome.at], {
    'kairos.order.id': id,
    'kairos.order.state': outcome.kind,
    'kairos.strategy': intent.strategy,
    'kairos.product': intent.product,
    'kairos.side': side,
    'kairos.size': order?.size,
    'kairos.price': order?.price,
    'error.type': error,
  });
  return [
    { ...whole, spanId: root, ...failed },
    spanOf('quote', [intent.at, intent.at + quote.timeLeftMs], {
      'kairos.quote.id': intent.quoteId,
      'kairos.lane': quote.lane,
      'kairos.quote.buy': quote.buy,
      'kairos.quote.sell': quote.sell,
      'kairos.quote.valid_until': quote.validUntil,
    }),
    spanOf('decide', [intent.at, approved?.at ?? outcome.at], { 'kairos.why': why, 'kairos.checks': approved?.detail.checks.length }),
    ...(sentAt === null
      ? []
      : [
          spanOf('send', [approved?.at ?? sentAt, sentAt], { 'kairos.quote.time_left_ms': sent?.detail.timeLeftMs }),
          {
            ...spanOf('POST', [sentAt, sentAt + (answer?.roundTripMs ?? outcome.at - sentAt)], {
              'http.request.method': 'POST',
              'http.response.status_code': answer?.httpStatus,
              'error.type': error,
            }),
            kind: 3 as const,
            ...failed,
          },
        ]),
  ];
}

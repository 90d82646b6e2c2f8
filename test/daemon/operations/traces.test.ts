import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { sendTraces } from '#daemon/operations/traces.ts';
import { accepted, begun, folder, orderFacts, permits, RUN, rejected, row, sent, unknown } from '../../adapters/journal/rows.ts';

const NANOS = z.string().regex(/^\d{19}$/);
const VALUE = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const ATTRIBUTES = z.array(z.strictObject({ key: z.string().regex(/^[a-z][a-z_.]+$/), value: VALUE }));
const SPAN = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.union([z.literal(1), z.literal(3)]),
  startTimeUnixNano: NANOS,
  endTimeUnixNano: NANOS,
  attributes: ATTRIBUTES,
  status: z.strictObject({ code: z.literal(2), message: z.string() }).optional(),
});
/** `ExportTraceServiceRequest` of OTLP in JSON, as far as Kairos fills it. */
const REQUEST = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: ATTRIBUTES }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string(), version: z.string() }), spans: z.array(SPAN) })),
    }),
  ),
});
type Span = z.infer<typeof SPAN>;

/** A receiver of OTLP that answers with `answers` in turn, then with 200. */
async function receiver(answers: readonly number[] = []) {
  const left = [...answers];
  const spans: Span[] = [];
  const resources: z.infer<typeof ATTRIBUTES>[] = [];
  const headers: unknown[] = [];
  let arrived = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const status = request.url === '/v1/traces' && request.method === 'POST' ? (left.shift() ?? 200) : 404;
    if (status === 200) {
      for (const { resource, scopeSpans } of REQUEST.parse(JSON.parse(Buffer.concat(chunks).toString())).resourceSpans) {
        resources.push(resource.attributes);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
      headers.push([request.headers['content-type'], request.headers['x-key']]);
    }
    response.writeHead(status).end('{}');
    arrived.resolve();
    arrived = Promise.withResolvers();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  return { url, spans, resources, headers, next: () => arrived.promise };
}

/** A wait of seconds passes in milliseconds. */
const timers = { ...systemTimers, after: (ms: number, run: () => void) => systemTimers.after(ms / 100, run) };

const setUp = (otlp: string, journal: string, over: { readonly follow?: boolean; readonly signal?: AbortSignal } = {}) => ({
  ...{ journal, otlp, headers: 'x-key=abc', name: 'my-bot', follow: false, signal: new AbortController().signal, timers },
  notice: () => {},
  ...over,
});

const named = (spans: readonly Span[]) => spans.map(({ name }) => name);
const figuresOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

test('an order is a trace: quote, decision, sending and answer, by the schema of OTLP, once', async () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  const [first, second] = [orderFacts(1), orderFacts(2)];
  journal.commit([...permits(first), sent(first), accepted(first)]);
  journal.commit([...permits(second), sent(second), rejected(second)]);
  const to = await receiver([503]);
  expect(await sendTraces(setUp(to.url, path))).toBe(2);
  const [one, two] = [to.spans.slice(0, 5), to.spans.slice(5)];
  expect(named(one)).toEqual(['order', 'quote', 'decide', 'send', 'POST']);
  expect(named(two)).toEqual(named(one));
  expect(new Set(one.map(({ traceId }) => traceId)).size).toBe(1);
  const [root, quote, , , answer] = one;
  expect(root?.parentSpanId).toBeUndefined();
  expect(new Set(one.slice(1).map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([root?.spanId]));
  const lasts = (span: Span | undefined) => Number(BigInt(span?.endTimeUnixNano ?? 0) - BigInt(span?.startTimeUnixNano ?? 0)) / 1e6;
  expect([lasts(quote), lasts(answer)]).toEqual([3000, 12.5]);
  expect(answer && figuresOf(answer)).toEqual({ 'http.request.method': 'POST', 'http.response.status_code': '201' });
  expect(root && figuresOf(root)).toMatchObject({ 'kairos.order.id': '1-1', 'kairos.order.state': 'accepted', 'kairos.size': '0.01' });
  expect(root?.status).toBeUndefined();
  expect(two[0]?.status).toEqual({ code: 2, message: 'HTTP_REFUSED' });
  expect(to.headers).toEqual([['application/json', 'abc']]);
  expect(to.resources.map((attributes) => attributes.map(({ key }) => key))).toEqual([
    ['service.name', 'service.version', 'service.instance.id', 'deployment.environment.name'],
  ]);
  expect(readFileSync(`${path}.traced`, 'utf8')).toBe(JSON.stringify({ [to.url]: 8 }));
  expect(await sendTraces(setUp(to.url, path))).toBe(0);
  expect(to.spans).toHaveLength(10);
});

test('it follows, and an order that is settled later has its settling in the same trace', async () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  const order = orderFacts(1);
  journal.commit([...permits(order), sent(order), unknown(order)]);
  const to = await receiver();
  const stop = new AbortController();
  let came = to.next();
  const following = sendTraces(setUp(to.url, path, { follow: true, signal: stop.signal }));
  await came;
  expect(to.spans[0]?.status).toEqual({ code: 2, message: 'NO_ANSWER' });
  came = to.next();
  journal.commit([row('resolved', { who: 'ann', why: 'seen', as: 'rejected', fill: null }, { order, n: 60 })]);
  await came;
  stop.abort();
  expect(await following).toBe(2);
  expect(to.spans.at(-1)).toMatchObject({ name: 'settle', traceId: to.spans[0]?.traceId, parentSpanId: to.spans[0]?.spanId });
});

test('a receiver that does not take them is told, and nothing counts as sent', async () => {
  const path = join(folder(), 'kairos.db');
  const order = orderFacts(1);
  begun(path).commit([...permits(order), sent(order), accepted(order)]);
  const busy = await receiver([503, 503, 503, 503, 503]);
  await expect(sendTraces(setUp(busy.url, path))).rejects.toThrow(`${busy.url}: no traces are taken: answered 503`);
  expect(await sendTraces(setUp(busy.url, path))).toBe(1);
  const wrong = await receiver([400]);
  await expect(sendTraces(setUp(wrong.url, path, { follow: true }))).rejects.toThrow('answered 400');
  expect(RUN).toBe(String(figuresOf({ attributes: busy.resources[0] ?? [] })['service.instance.id']));
});

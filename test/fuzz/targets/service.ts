import { httpDateMs } from '#adapters/service-client/clock/http-date.ts';
import { serviceTimeMs } from '#adapters/service-client/clock/service-time.ts';
import { bodyText } from '#adapters/service-client/orders/answer-body.ts';
import { canonicalRequest } from '#adapters/service-client/orders/canonical.ts';
import { classifyAnswer } from '#adapters/service-client/orders/outcomes.ts';
import { retryAfterMs } from '#adapters/service-client/orders/retry-after.ts';
import { sign, signatureMatches, signingKey } from '#adapters/service-client/orders/signature.ts';
import { decodeFrame } from '#adapters/service-client/quotes/decode-frame.ts';
import { decodeQuote, isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import { listPage } from '#adapters/service-client/rest/list-pages.ts';
import { refusalText } from '#adapters/service-client/rest/refusal-text.ts';
import { accountRecord, createdAnswer, loginAnswer, productRecord, strategyRecord } from '#adapters/service-client/rest/service-records.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { laneIdOf } from '#domain/names.ts';
import { ack, err, TQ, tq } from '../../adapters/service-client/support/frames.ts';
import { order } from '../../adapters/service-client/support/orders.ts';
import { SECRET, serviceSettings } from '../../adapters/service-client/support/service-settings.ts';
import { millisOf, tradingQuoteSchema } from '../../support/quote-schema.ts';
import { type FuzzTarget, must, mustBeLine } from '../target.ts';

const ORIGIN = { lane: laneIdOf('btcusd@base:0.1'), epoch: 3 };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, which is one of the things to try.
    return undefined;
  }
};

const frames: FuzzTarget = {
  name: 'frames',
  holds: 'a frame of the feed is read or refused in one line; quotes are taken and refused exactly as by the schema',
  seeds: [
    tq(),
    tq({ id: undefined, validUntil: 1_767_225_603_123 }),
    tq({ buyQuote: { ...TQ.buyQuote, price: '50010.50', size: '1e-1' } }),
    ack(),
    ack({ productCode: null, inputSize: undefined, inputValue: '500' }),
    err(),
    '{"msgType":"BQ","productCode":"btcusd","price":50000,"time":"2026-01-01T00:00:00Z"}',
    '{"msgType":"FQ","productCode":"btcusd","bids":[{"price":1,"size":2}],"asks":[[1,2],["1","2e0",3],{"px":1,"qty":"2"}]}',
  ],
  words: [...Object.keys(TQ), ...Object.keys(TQ.buyQuote), 'TQ', 'ACK', 'ERR', 'BQ', 'FQ', 'query', 'errorMsg', 'bids', 'asks'],
  check(input) {
    const text = input.toString('utf8');
    const frame = decodeFrame(text, ORIGIN);
    if (frame.kind === 'malformed') mustBeLine(frame.why);
    if (frame.kind === 'err') must(!/\p{Cc}/u.test(frame.text), 'a text of the service in several lines');
    if (frame.kind === 'quote') {
      for (const side of [frame.quote.buy, frame.quote.sell])
        for (const figure of Object.values(side)) must(Number.isFinite(figure), `the figure ${figure}`);
    }
    const message = parsed(text);
    if (!isFields(message) || message.msgType !== 'TQ') return;
    const byHand = decodeQuote(message, ORIGIN);
    const bySchema = tradingQuoteSchema.safeParse(message);
    must((typeof byHand !== 'string') === bySchema.success, `decoder and schema differ: ${typeof byHand === 'string' ? byHand : 'taken'}`);
    if (typeof message.validUntil === 'string') {
      const slow = millisOf(message.validUntil);
      must(Object.is(serviceTimeMs(message.validUntil), slow ?? Number.NaN), 'two readings of one time');
    }
  },
};

const STATUSES = [200, 201, 202, 204, 301, 400, 401, 403, 404, 408, 409, 415, 422, 425, 429, 500, 503, 599];
const ENCODINGS = ['', 'gzip', 'deflate', 'br', 'zstd'];
const RULES = serviceSettings();
const ASKED = order();

const answers: FuzzTarget = {
  name: 'order-answers',
  holds: 'an answer to an order is executed on a success alone, refused on a refusal alone, unknown otherwise; its figures are finite',
  seeds: [
    `\u0000\u0000{"status":"FILLED","orderId":"1","price":50000,"size":0.1,"value":5000,"fee":5}`,
    `\u0001\u0000{"data":{"order":{"state":"executed","executedQuantity":"0.1","averagePrice":"50000.0","fees":[{"amount":"5","currency":"USD"}]}}}`,
    '\u0000\u0000{"status":"OK","trades":[{"price":"50000","quantity":"0.1"}],"leavesQty":0}',
    '\u0005\u0000{"error":"quote already used","errorCode":"QUOTE_USED"}',
    '\u0005\u0000{"errors":[{"fields":["X-API-User-ID"],"description":"unknown user"}]}',
    '\u0000\u0000FILLED',
    '\u0002\u0000{"status":"PENDING"}',
  ],
  words: [
    'status',
    'state',
    'orderId',
    'FILLED',
    'REJECTED',
    'price',
    'size',
    'value',
    'fee',
    'feeCcy',
    'trades',
    'data',
    'error',
    'success',
  ],
  check(input) {
    const status = STATUSES[(input[0] ?? 0) % STATUSES.length] ?? 200;
    const flags = input[1] ?? 0;
    const encoding = ENCODINGS[flags % ENCODINGS.length] ?? '';
    const { text, complete } = bodyText(input.subarray(2), { encoding, most: 65_536 });
    must(text.length <= 65_536 * 2, `an unpacked body of ${text.length} characters`);
    const answer = { status, body: text, complete: complete && flags < 128, retryAfter: null };
    const { outcome, why, figures } = classifyAnswer(answer, RULES, ASKED);
    const isSuccess = status >= 200 && status <= 299;
    if (outcome === 'accepted') must(isSuccess && answer.complete, `${status} is executed`);
    if (outcome === 'rejected') must(status >= 400 && status <= 499 && ![408, 409, 425].includes(status), `${status} is refused`);
    if (why !== null && why !== undefined) mustBeLine(why, 4_000);
    for (const figure of Object.values(figures ?? {})) must(!/NaN|Infinity/.test(String(figure)), `the figure ${String(figure)}`);
  },
};

const RECORDS = [productRecord, accountRecord, strategyRecord, loginAnswer, createdAnswer];

const rest: FuzzTarget = {
  name: 'rest-answers',
  holds: 'lists, records, refusals and headers of answers are read or passed over, whatever stands in them',
  seeds: [
    '</products?page=2>; rel="next"\n[{"productCode":"btcusd","baseCcy":"btc","quoteCcy":"usd","minSize":"0.001","sizeIncrement":0.001,"minValue":1}]',
    '120\n{"content":[{"id":"1","currency":"USD","balance":"10.5","available":10}],"last":false,"number":0,"totalPages":3}',
    'Wed, 21 Oct 2026 07:28:00 GMT\n{"items":[{"id":"a","name":"s","status":{"state":"RUNNING"}}],"next":"/strategies?cursor=2"}',
    '-\n{"data":{"list":[{}],"nextCursor":"abc"}}',
    '-\n{"accessToken":"a.b.c","refreshToken":"r","expiresIn":3600}',
    '-\n{"id":"123e4567-e89b-42d3-a456-426614174000"}',
    '-\n{"error":"LIMITS","errorCode":17,"errors":[{"fields":["size"],"firstField":"size","description":"is below minSize","rejectedValue":0}]}',
  ],
  words: [
    'content',
    'items',
    'next',
    'nextCursor',
    'href',
    'http://',
    'https://[',
    '//',
    'rel=next',
    'page',
    'links',
    'totalPages',
    'last',
  ],
  check(input) {
    const text = input.toString('utf8');
    const at = text.indexOf('\n');
    const [header, body] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
    const page = listPage({ text: body, link: header }, '/mms/v2/productDetails?size=2');
    must(page === null || page.next === null || page.next.length > 0, 'a next page without address');
    for (const record of [...(page?.records ?? []), parsed(body)]) for (const schema of RECORDS) schema.safeParse(record);
    const shown = refusalText(body);
    if (shown !== '') mustBeLine(shown.trim(), 100_000);
    must(retryAfterMs(header, { date: header, nowMs: 1_767_225_600_000 }) >= 0, 'a wait below zero');
    httpDateMs(header);
  },
};

const KEY = signingKey(SECRET);
/** What may be signed, as one text, without separators: a reader of its own, by the grammar of the notes. */
const CANON = /^[1-9]\d{12}[A-Z]{3,7}\/[\w.~/%-]*(\?[\w.~/%=&:,+-]*)?[A-Za-z0-9-]{0,64}(\{[\s\S]*)?$/;

const signatures: FuzzTarget = {
  name: 'signatures',
  holds: 'what is signed keeps the grammar of its parts; a signature matches its own text alone; a bad secret is refused unshown',
  seeds: [
    ['1767225600123', 'POST', '/svc-broker/api/orders', '1205', '{"quoteId":"x","side":"BUY"}', SECRET].join('\0'),
    ['1767225600123', 'GET', '/svc-broker/api/balances?a=1', '', '', 'AAAA'].join('\0'),
  ],
  words: ['\0', '/', '?', '%2f', 'POST', '{', '=', '-'],
  check(input) {
    const [time = '', method = '', path = '', userId = '', body = '', secret = ''] = input.toString('utf8').split('\0');
    try {
      signingKey(secret);
    } catch (error) {
      must(error instanceof KairosError, `of a secret: ${messageOf(error)}`);
      mustBeLine(error.message);
      must(secret.length < 12 || !error.message.includes(secret), 'the secret is shown');
    }
    let canon: string;
    try {
      canon = canonicalRequest({ timestampMs: Number(time), method, path, userId, body });
    } catch (error) {
      must(error instanceof KairosError || messageOf(error).startsWith('invariant broken'), messageOf(error));
      if (error instanceof KairosError) mustBeLine(error.message);
      return;
    }
    must(CANON.test(canon), `signed: ${JSON.stringify(canon.slice(0, 200))}`);
    const signature = sign(KEY, canon);
    must(signatureMatches(KEY, canon, signature), 'it does not match itself');
    must(!signatureMatches(KEY, `${canon} `, signature), 'it matches another text');
    must(secret === signature || !signatureMatches(KEY, canon, secret), 'another signature matches');
  },
};

export const SERVICE_TARGETS: readonly FuzzTarget[] = [frames, answers, rest, signatures];

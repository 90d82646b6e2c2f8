import { afterEach, describe, expect, test } from 'vitest';
import type { InboxEvent } from '#domain/event.ts';
import { answer } from '../adapters/service-client/support/raw-server.ts';
import { until } from '../adapters/service-client/support/until.ts';
import { freePort } from '../support/free-port.ts';
import { usd } from '../support/limits.ts';
import type { RigOptions } from '../support/rig.ts';
import { threshold } from '../support/strategies.ts';
import { type Meeting, WireRig } from '../support/wire-rig.ts';

type Event = (there: WireRig) => void | Promise<void>;
/** After so many milliseconds, what happens, and the rows that it brings. */
type Step = readonly [afterMs: number, event: Event, rows: readonly string[]];

interface Fault {
  readonly name: string;
  /** How the service meets an order; it fills them where nothing is said. */
  readonly meet?: Meeting;
  /** Where the orders go instead. */
  readonly baseUrl?: () => Promise<string>;
  readonly options?: Partial<RigOptions>;
  readonly steps: readonly Step[];
  /** Orders that reached the service at the end. */
  readonly orders: number;
  /** What a person was told, in part. */
  readonly told?: string;
}

const FILLED = answer(201, '{"status":"FILLED"}');
const ORDER = ['intent', 'approved'] as const;
const high: Event = async (there) => {
  if (there.broker.ready === 0 && there.server.connections > 0) await there.warm();
  there.quote(60_000);
};
const low: Event = async (there) => {
  await there.warm();
  there.quote(59_000);
};
const nothing: Event = () => {};
const late =
  (bytes: string): Event =>
  async (there) => {
    await until(() => there.server.requests.length > 0, 'the order arrived');
    for (const socket of there.server.sockets) if (socket.bytesRead > 0) socket.write(bytes);
  };
const event =
  (given: InboxEvent): Event =>
  (there) =>
    there.rig.give(given);
const bytes =
  (text: string): Meeting =>
  (socket) =>
    socket.write(text);
const sometimes =
  (...texts: readonly string[]): Meeting =>
  (socket, order) =>
    socket.write(texts[order - 1] ?? FILLED);

/** An order whose outcome nobody knows: not sent again, its product frozen, a person told; a late word settles it. */
const unknown = (reason: string): readonly Step[] => [
  [0, high, [...ORDER, 'sent', `unknown ${reason}`]],
  [500, high, ['refused PRODUCT_FROZEN']],
  [120_000, nothing, []],
];
const rejected = (reason = 'HTTP_REFUSED'): readonly Step[] => [
  [0, high, [...ORDER, 'sent', `rejected ${reason}`]],
  [1500, high, [...ORDER, 'sent', 'accepted HTTP_OK']],
];
const executed = (reason: string): readonly Step[] => [
  [0, high, [...ORDER, 'sent', `accepted ${reason}`]],
  [500, low, [...ORDER, 'sent', 'accepted HTTP_OK']],
];
const FROZEN = 'nothing is opened in its product until it is resolved';

const faults: readonly Fault[] = [
  {
    name: 'F01 connection refused: nothing left, the reservation is free again, the order rate counts it',
    baseUrl: async () => `http://127.0.0.1:${await freePort()}`,
    options: { limits: { maxPositionValue: usd(601), maxDayValue: usd(601), maxOrdersPerMinute: 2 } },
    steps: [
      [0, high, [...ORDER, 'not_sent NOT_CONNECTED']],
      [500, high, [...ORDER, 'not_sent NOT_CONNECTED']],
      [500, high, ['refused MAX_ORDERS_PER_MINUTE']],
      [60_000, high, ['refused LANE_STALE']],
      [500, high, [...ORDER, 'not_sent NOT_CONNECTED']],
    ],
    orders: 0,
    told: 'not_sent (NOT_CONNECTED)',
  },
  {
    name: 'F02 an unknown host: nothing left; a certificate that nobody vouches for halts',
    baseUrl: async () => 'https://kairos.invalid',
    steps: [
      [0, high, [...ORDER, 'not_sent NOT_CONNECTED']],
      [500, event({ kind: 'condition', name: 'certificate', on: true, figure: 1 }), ['halted CERTIFICATE']],
      [500, high, ['refused HALTED']],
    ],
    orders: 0,
  },
  { name: 'F03 dropped after the write', meet: (socket) => socket.destroy(), steps: unknown('NO_ANSWER'), orders: 1, told: FROZEN },
  {
    name: 'F04 reset after the write',
    meet: (socket) => socket.resetAndDestroy(),
    steps: unknown('NO_ANSWER'),
    orders: 1,
    told: FROZEN,
  },
  {
    name: 'F04 reset before the write: no byte left, and the next order goes out',
    steps: [
      [
        0,
        (there) => {
          for (const socket of there.server.sockets) socket.resetAndDestroy();
          there.quote(60_000);
        },
        [...ORDER, 'not_sent NOT_CONNECTED'],
      ],
      [5000, high, ['refused LANE_STALE']],
      [500, high, [...ORDER, 'sent', 'accepted HTTP_OK']],
    ],
    orders: 1,
  },
  {
    name: 'F05 filled 20 s after the deadline: unknown until then, journaled once',
    meet: (socket, order) => {
      if (order > 1) socket.write(FILLED);
    },
    steps: [
      [0, high, [...ORDER, 'sent']],
      [2999, nothing, []],
      [1, nothing, ['unknown NO_ANSWER']],
      [20_000, late(FILLED), ['accepted LATE_ANSWER']],
      [1000, low, ['refused LANE_STALE']],
      [500, low, [...ORDER, 'sent', 'accepted HTTP_OK']],
      [60_000, nothing, []],
    ],
    orders: 2,
    told: FROZEN,
  },
  { name: 'F06 an empty 2xx', meet: sometimes(answer(201, '')), steps: executed('HTTP_OK'), orders: 2 },
  {
    name: 'F06 a page of HTML',
    meet: sometimes(answer(200, '<html></html>')),
    steps: unknown('HTTP_UNREADABLE'),
    orders: 1,
    told: 'with a page of HTML or XML where an order was expected',
  },
  {
    name: 'F06 unknown JSON',
    meet: sometimes(answer(200, '{"hello":"world"}')),
    steps: unknown('HTTP_AMBIGUOUS'),
    orders: 1,
    told: 'set service.outcomes: {"200": accepted}',
  },
  {
    name: 'F06 a size that is the value: never booked',
    meet: sometimes(answer(200, '{"status":"FILLED","orderId":"1","size":600}')),
    steps: unknown('HTTP_AMBIGUOUS'),
    orders: 1,
    told: 'its figures do not fit the quote: size says 600, more than the 0.01 that was quoted',
  },
  {
    name: 'F06 a success that says no inside',
    meet: sometimes(answer(200, '{"data":{"orderId":"1","orderStatus":"REJECTED"}}')),
    steps: unknown('HTTP_AMBIGUOUS'),
    orders: 1,
    told: 'data.orderStatus "REJECTED"; add "REJECTED" to service.filledStatuses if it means executed, to service.rejectedStatuses if not',
  },
  {
    name: 'F06 202 and then nothing',
    meet: sometimes(answer(202, '')),
    steps: unknown('HTTP_AMBIGUOUS'),
    orders: 1,
    told: 'set service.outcomes: {"202": accepted}',
  },
  ...['{"id":"1","state":"SETTLED"}', '{"success":true,"errorCode":0}', '\ufeff{"status":201}'].map(
    (body): Fault => ({ name: `F06 ${body} executes`, meet: sometimes(answer(200, body)), steps: executed('HTTP_OK'), orders: 2 }),
  ),
  ...['quote already expired', 'the quote can no longer be used', '{"userId":1205,"error":"quote expired"}'].map(
    (body): Fault => ({ name: `F09 400 ${body}`, meet: sometimes(answer(400, body)), steps: rejected(), orders: 2 }),
  ),
  {
    name: 'F06 a body that breaks off',
    meet: (socket, order) =>
      order === 1 ? socket.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"status":"FI') : socket.write(FILLED),
    steps: unknown('HTTP_UNREADABLE'),
    orders: 1,
    told: FROZEN,
  },
  {
    name: 'F07 401 once: no order of its own follows',
    meet: sometimes(answer(401, '{}')),
    steps: rejected('HTTP_UNAUTHORIZED'),
    orders: 2,
  },
  {
    name: 'F07 401 twice in a row halts',
    meet: bytes(answer(401, '{}')),
    steps: [
      [0, high, [...ORDER, 'sent', 'rejected HTTP_UNAUTHORIZED']],
      [1500, high, [...ORDER, 'sent', 'rejected HTTP_UNAUTHORIZED', 'halted SECOND_UNAUTHORIZED']],
      [1500, high, ['refused HALTED']],
    ],
    orders: 2,
  },
  ...(
    [
      ['F08 403', answer(403, '{}')],
      ['F08 a 400 that names the user', answer(400, '{"error":"user id 1205 is not known"}')],
    ] as const
  ).map(
    ([name, text]): Fault => ({
      name: `${name} halts`,
      meet: bytes(text),
      steps: [
        [0, high, [...ORDER, 'sent', 'rejected HTTP_FORBIDDEN', 'halted HTTP_FORBIDDEN']],
        [1500, high, ['refused HALTED']],
      ],
      orders: 1,
    }),
  ),
  ...[400, 404, 415, 422].map(
    (status): Fault => ({
      name: `F0${status === 400 ? 8 : 9} ${status}: rejected, and the next quote is tried`,
      meet: sometimes(answer(status, '{"error":"no"}')),
      steps: rejected(),
      orders: 2,
    }),
  ),
  { name: 'F09 409', meet: bytes(answer(409, '{}')), steps: unknown('HTTP_AMBIGUOUS'), orders: 1, told: FROZEN },
  {
    name: 'F09 429 with Retry-After: openings wait as long as asked',
    meet: sometimes(answer(429, '{}', ['retry-after: 2'])),
    steps: [
      [0, high, [...ORDER, 'sent', 'rejected HTTP_REFUSED']],
      [1000, high, ['refused SERVICE_WAIT']],
      [1000, high, [...ORDER, 'sent', 'accepted HTTP_OK']],
    ],
    orders: 2,
  },
  ...[500, 502, 503, 504].map(
    (status): Fault => ({
      name: `F10 ${status}`,
      meet: bytes(answer(status, 'oops')),
      steps: unknown('HTTP_AMBIGUOUS'),
      orders: 1,
      told: FROZEN,
    }),
  ),
  ...[301, 307, 308].map(
    (status): Fault => ({
      name: `F11 ${status} is not followed`,
      meet: bytes(answer(status, '', ['location: /elsewhere'])),
      steps: unknown('HTTP_AMBIGUOUS'),
      orders: 1,
      told: FROZEN,
    }),
  ),
  {
    name: 'F12 headers without end: unknown at the deadline, not before',
    meet: bytes('HTTP/1.1 200 OK\r\nx-a: b\r\n'),
    steps: [
      [0, high, [...ORDER, 'sent']],
      [2999, nothing, []],
      [1, nothing, ['unknown NO_ANSWER']],
      [500, high, ['refused PRODUCT_FROZEN']],
    ],
    orders: 1,
    told: FROZEN,
  },
  {
    name: 'F12 a 2xx with an endless body: unknown, 64 KiB of it kept',
    meet: sometimes(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n20000\r\n${'x'.repeat(131_072)}\r\n`),
    steps: unknown('HTTP_UNREADABLE'),
    orders: 1,
    told: FROZEN,
  },
  { name: 'F13 two replies', meet: bytes(FILLED + answer(422, '{}')), steps: unknown('HTTP_AMBIGUOUS'), orders: 1, told: FROZEN },
  {
    name: 'F13 bad chunking',
    meet: bytes('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n'),
    steps: unknown('HTTP_AMBIGUOUS'),
    orders: 1,
    told: FROZEN,
  },
  {
    name: 'F13 a smuggled header',
    meet: bytes('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    steps: unknown('NO_ANSWER'),
    orders: 1,
    told: FROZEN,
  },
  {
    name: 'F14 the loop stands still for 2 s between decision and write: expired, and the next quote is tried',
    steps: [
      [
        0,
        (there) => {
          there.timers.stall(2000);
          there.quote(60_000, 2000);
        },
        [...ORDER, 'expired GATE_TIME_LEFT'],
      ],
      [500, (there) => there.quote(60_000, 5000), [...ORDER, 'sent', 'accepted HTTP_OK']],
    ],
    orders: 1,
    told: 'expired (GATE_TIME_LEFT)',
  },
  {
    name: 'F15 the quote dies on its way: rejected, and only a new quote is tried',
    meet: sometimes(answer(422, '{"error":"quote expired"}')),
    steps: rejected(),
    orders: 2,
  },
  {
    name: 'F59 a pause of 7 s between signing and the write: the signature is thrown away, and the next order goes out',
    steps: [
      [
        0,
        (there) => {
          there.signedAgoMs = 7000;
          there.quote(60_000, 30_000);
        },
        [...ORDER, 'expired GATE_SIGNATURE_AGE'],
      ],
      [
        500,
        async (there) => {
          there.signedAgoMs = 0;
          await high(there);
        },
        [...ORDER, 'sent', 'accepted HTTP_OK'],
      ],
    ],
    orders: 1,
  },
  {
    name: 'F20 a halt with one order on its way: its answer is booked, pauseAll is asked, and no byte follows',
    meet: () => {},
    options: { escalateHalt: true },
    steps: [
      [0, high, [...ORDER, 'sent']],
      [100, event({ kind: 'command', command: { act: 'halt', who: 'anna', why: 'a test' } }), ['halted BY_PERSON', 'action HALTED']],
      [400, late(FILLED), ['accepted HTTP_OK']],
      [500, low, ['refused HALTED']],
    ],
    orders: 1,
  },
  {
    name: 'F20 the latch is set beside a loop that has not heard of it: the gate stops the order',
    steps: [
      [
        0,
        (there) => {
          there.rig.latch.set();
          there.quote(60_000);
        },
        [...ORDER, 'not_sent GATE_HALTED'],
      ],
    ],
    orders: 0,
  },
];

let there: WireRig | undefined;
afterEach(async () => {
  await there?.close();
  there = undefined;
});

async function play({ meet, baseUrl, options, steps }: Pick<Fault, 'meet' | 'baseUrl' | 'options' | 'steps'>): Promise<WireRig> {
  const made = await WireRig.start({ strategies: { t: threshold }, ...options }, meet ?? bytes(FILLED), baseUrl ? await baseUrl() : null);
  there = made;
  for (const [index, [afterMs, happens, rows]] of steps.entries()) {
    made.move(afterMs);
    await happens(made);
    expect(await made.rows(rows), `rows of step ${index + 1}`).toEqual(rows);
  }
  return made;
}

describe('what can go wrong on the way of an order', () => {
  test.each(faults)('$name', async (fault) => {
    const { server, rig } = await play(fault);
    expect(server.requests).toHaveLength(fault.orders);
    if (fault.told !== undefined) expect(rig.notices.join('\n')).toContain(fault.told);
  });
});

test.each([
  ['a better price and a discount on the fee', { status: 'FILLED', size: 0.01, price: 59_990, value: 599.9, fee: 0.45, feeCcy: 'usd' }],
  ['a part', { status: 'PARTIALLY_FILLED', executedSize: 0.004, price: 60_000, value: 240, fee: 0.24, feeCcy: 'usd' }],
] as const)('F05 a late answer with figures of its own is booked by them, not as quoted: %s', async (_, said) => {
  const { rig } = await play({
    meet: () => {},
    steps: [
      [0, high, [...ORDER, 'sent']],
      [3000, nothing, ['unknown NO_ANSWER']],
      [20_000, late(answer(201, JSON.stringify(said))), ['accepted LATE_ANSWER']],
    ],
  });
  const size = 'size' in said ? said.size : said.executedSize;
  const moved = rig.query<{ currency: string; amount: string }>('SELECT currency, amount FROM ledger ORDER BY rowid');
  expect(moved.map(({ currency, amount }) => `${currency} ${Number(amount)}`)).toEqual([
    `btc ${size}`,
    `usd ${-said.value}`,
    `usd ${-said.fee}`,
  ]);
});

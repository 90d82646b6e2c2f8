import { expect, test } from 'vitest';
import { WireFeed } from '#adapters/service-client/quotes/feed.ts';
import { buy, mid, strategy } from '#core/strategy/index.ts';
import { tellingOfAnonymous } from '#daemon/run/open-order-line.ts';
import { isoTime } from '#domain/names.ts';
import { FakeSockets } from '../adapters/service-client/support/fake-sockets.ts';
import { err, tq } from '../adapters/service-client/support/frames.ts';
import { serviceSettings } from '../adapters/service-client/support/service-settings.ts';
import { btcLane, quoteSide } from '../support/market-data.ts';
import { type Rig, type RigOptions, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

/** Wants to buy on every quote while it is flat. */
const willing = strategy({
  name: 'willing',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_price, { position, amount }) => (position.isFlat ? buy(amount, 'in') : undefined),
});

const newRig = rigsOfTests({ strategies: { w: willing }, acksLanes: false });

/** The engine behind the feed as it is on the wire; the test plays the service, frame by frame. */
class FeedRig {
  readonly rig: Rig;
  readonly timers = new VirtualTimers(START);
  readonly sockets = new FakeSockets();
  private ids = 0;

  constructor(options: Partial<RigOptions>) {
    this.rig = newRig(options);
    const { rig, timers, sockets } = this;
    const feed = new WireFeed({
      baseUrl: 'http://127.0.0.1:8090',
      service: serviceSettings(),
      opensPerSecond: 10,
      timers,
      sockets: sockets.open,
    });
    const notice = (level: string, text: string) => rig.notices.push(`${level}: ${text}`);
    feed.connect(tellingOfAnonymous(rig.inbox, { notice, timers }));
    feed.open(btcLane);
    this.move(100);
  }

  move(ms: number): void {
    this.rig.moveBy(ms);
    this.timers.advance(ms);
    this.rig.moveBy(0);
  }

  /** A fresh id. */
  id(): string {
    this.ids += 1;
    return `00000000-0000-4000-8000-${String(this.ids).padStart(12, '0')}`;
  }

  frame(changes: Readonly<Record<string, unknown>> = {}, price: unknown = 60_000): void {
    const side = { ...quoteSide(60_000), price, ...(typeof price === 'number' && { value: price * 0.01 }) };
    const validUntil = isoTime(this.rig.clock.now() + 3000);
    this.sockets.last.say(tq({ id: this.id(), buyQuote: side, sellQuote: side, validUntil, ...changes }));
    this.rig.moveBy(0);
  }

  /** What came since: an order, which then expires, the code of a refusal, or nothing. */
  outcome(before: { readonly orders: number; readonly refusals: number }): string {
    const { rig } = this;
    if (rig.broker.submitted.length > before.orders) {
      rig.report(rig.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 0 });
      return 'order';
    }
    const refusals = this.refusals;
    return refusals.length > before.refusals ? (refusals.at(-1) ?? '') : 'nothing';
  }

  get refusals(): (string | null)[] {
    return this.rig
      .rows()
      .filter(({ kind }) => kind === 'refused')
      .map(({ reason }) => reason);
  }
}

type Event = (there: FeedRig) => void;
/** After so many milliseconds, what the service does, and what comes of it. */
type Step = readonly [afterMs: number, event: Event, outcome: string];

const open: Event = ({ sockets }) => sockets.last.open();
const ack: Event = ({ sockets }) => sockets.last.acknowledge({ inputSize: 0.01 });
const quote: Event = (there) => there.frame();
const quoteOf =
  (changes: Readonly<Record<string, unknown>>): Event =>
  (there) =>
    there.frame(changes);
const priced =
  (price: unknown): Event =>
  (there) =>
    there.frame({}, price);
const crossed = quoteOf({ buyQuote: quoteSide(60_000), sellQuote: quoteSide(60_001) });
const begun: readonly Step[] = [
  [0, open, 'nothing'],
  [10, ack, 'nothing'],
];
/** Waits for the connection after the last one. */
const reopened: Event = (there) => {
  const before = there.sockets.all.length;
  for (let ms = 0; there.sockets.all.length === before && ms < 120_000; ms += 100) there.move(100);
  there.sockets.last.open();
};
/** The connection is lost, and a frame of it comes late. */
const cut: Event = (there) => {
  there.sockets.last.end();
  there.frame();
};
const again = ((id) => quoteOf({ id }))('5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11');
const refused: readonly Step[] = [
  [0, ({ sockets }) => sockets.last.say(err()), 'nothing'],
  [0, reopened, 'nothing'],
];

interface Fault {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly options?: Partial<RigOptions>;
  /** What a person was told, in part. */
  readonly told?: string;
  /** Connections at the end. */
  readonly connections?: number;
}

/** Six good quotes make a median to hold the next ones against. */
const calm: readonly Step[] = [...begun, ...Array.from({ length: 6 }, (): Step => [500, quote, 'order'])];
const COLLAR = { limits: { collarPct: 3, reducingCollarPct: 15, maxOrderValue: null } };
/** What each of three bad quotes brings; a refusal that goes on is journaled at its begin alone. */
const setAside = (event: Event, ...outcomes: readonly [string, string, string]): readonly Step[] => [
  ...calm,
  ...outcomes.map((outcome): Step => [300, event, outcome]),
  [300, quote, 'nothing'],
];
/** Frames that the decoder turns away: the lane lives on its good ones. */
const neverRead = (...prices: readonly unknown[]): readonly Step[] => [
  ...calm,
  ...prices.map((price): Step => [300, priced(price), 'nothing']),
  [300, quote, 'order'],
];

const faults: readonly Fault[] = [
  {
    name: 'F26 quotes before the ACK are not used, those after it are',
    steps: [
      [0, open, 'nothing'],
      [10, quote, 'nothing'],
      [10, quote, 'nothing'],
      [10, ack, 'nothing'],
      [500, quote, 'order'],
    ],
    connections: 1,
  },
  {
    name: 'F26 no ACK within 5 s: another connection, and its quotes are used',
    steps: [
      [0, open, 'nothing'],
      [4999, quote, 'nothing'],
      [1, reopened, 'nothing'],
      [10, ack, 'nothing'],
      [500, quote, 'order'],
    ],
    connections: 2,
  },
  ...(
    [
      ['product', { productCode: 'ethusd' }],
      ['size', { inputSize: 0.02 }],
      ['type', { quoteType: 'BASIC', inputSize: 0.01 }],
    ] as const
  ).map(
    ([what, query]): Fault => ({
      name: `F27 the ACK echoes another ${what}: no quote is used until the echo is right`,
      steps: [
        [0, open, 'nothing'],
        [10, ({ sockets }) => sockets.last.acknowledge(query), 'nothing'],
        [500, quote, 'nothing'],
        [4500, reopened, 'nothing'],
        [10, quote, 'nothing'],
        [10, ack, 'nothing'],
        [500, quote, 'order'],
      ],
      told: 'is disabled until the service acknowledges it: asked for',
      connections: 2,
    }),
  ),
  {
    name: 'F28 ERR to a good request: told of after five, asked again until it is acknowledged',
    steps: [
      [0, open, 'nothing'],
      ...refused,
      ...refused,
      ...refused,
      ...refused,
      ...refused,
      [0, quote, 'nothing'],
      [10, ack, 'nothing'],
      [500, quote, 'order'],
    ],
    told: 'refused the subscription 5 times',
    connections: 6,
  },
  {
    name: 'F28 ERR once, then an ACK: its quotes are used',
    steps: [[0, open, 'nothing'], ...refused, [10, ack, 'nothing'], [500, quote, 'order']],
    connections: 2,
  },
  {
    name: 'F29 a quote of another size on the lane is dropped, and never ordered',
    steps: [
      ...begun,
      [500, quoteOf({ buyQuote: quoteSide(60_000, 0.02), sellQuote: quoteSide(60_000, 0.02) }), 'nothing'],
      [500, quote, 'order'],
    ],
  },
  {
    name: 'F29 quotes of a connection that is lost are not used, not even late; those of the next are',
    steps: [
      ...begun,
      [500, quote, 'order'],
      [500, cut, 'nothing'],
      [0, reopened, 'nothing'],
      [10, quote, 'nothing'],
      [10, ack, 'nothing'],
      [500, quote, 'order'],
    ],
    connections: 2,
  },
  {
    name: 'F30 a quote that comes twice is decided on once',
    steps: [...begun, [500, again, 'order'], [500, again, 'nothing'], [500, quote, 'order']],
  },
  {
    name: 'F30 validUntil going back: the newest arrival counts',
    steps: [...begun, [500, quote, 'order'], [100, quoteOf({ validUntil: isoTime(START + 2000) }), 'order']],
  },
  {
    name: 'F31 L2 ten thousand quotes at once after a stall: one decision, on the newest',
    steps: [
      ...begun,
      [
        2000,
        (there) => {
          const side = quoteSide(60_000);
          const validUntil = isoTime(there.rig.clock.now() + 3000);
          for (let n = 0; n < 10_000; n += 1) there.sockets.last.say(tq({ id: there.id(), buyQuote: side, sellQuote: side, validUntil }));
          there.rig.moveBy(0);
          expect(there.rig.broker.submitted.map(({ quoteId }) => quoteId)).toEqual(['00000000-0000-4000-8000-000000010000']);
        },
        'order',
      ],
    ],
  },
  {
    name: 'F32 quotes without an id are seen, never ordered, and told of',
    steps: [
      ...begun,
      [500, quoteOf({ id: null }), 'QUOTE_WITHOUT_ID'],
      [500, quoteOf({ id: undefined }), 'nothing'],
      [500, quote, 'order'],
    ],
    told: 'error: quotes have no id',
  },
  {
    name: 'F33 crossed: three set the lane aside',
    steps: [...setAside(crossed, 'nothing', 'nothing', 'nothing')],
    told: '3 bad prices in a row',
  },
  {
    name: 'F33 ten times the price: three set the lane aside',
    options: COLLAR,
    steps: [...setAside(priced(600_000), 'nothing', 'nothing', 'nothing')],
    told: '3 bad prices in a row',
  },
  { name: 'F33 zero and negative prices are never read', steps: neverRead(0, -60_000, 0) },
  { name: 'F33 a price that is no number is never read', steps: neverRead('NaN', '60,000', null) },
];

test.each(faults)('$name', ({ steps, options, told, connections }) => {
  const there = new FeedRig(options ?? {});
  for (const [index, [afterMs, event, outcome]] of steps.entries()) {
    there.move(afterMs);
    const before = { orders: there.rig.broker.submitted.length, refusals: there.refusals.length };
    event(there);
    expect(there.outcome(before), `step ${index + 1}`).toBe(outcome);
  }
  if (told !== undefined) expect(there.rig.notices.join('\n')).toContain(told);
  if (connections !== undefined) expect(there.sockets.all).toHaveLength(connections);
});

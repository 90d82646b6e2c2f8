import { describe, expect, test } from 'vitest';
import { seenOf } from '#core/execution/manual-lanes.ts';
import { MANUAL_BOOK, type ManualEnd, type ManualSizing, type ManualTerms } from '#core/execution/plan.ts';
import { type Amount, amountText, laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import { usd } from '../../support/limits.ts';
import { BTC, btcLane } from '../../support/market-data.ts';
import { OWNER } from '../../support/orders.ts';
import { base, planOf, type WorkingOptions, wants, working } from './working.ts';

const second = laneFor(BTC, base('0.02'));
const eth = laneFor(productCode('ethusd'), base('0.02'));

const sized = (amount: Amount, more: Partial<ReturnType<typeof wants>> = {}): ManualSizing => ({
  intent: wants('buy', { size: { kind: 'amount', amount }, tag: 'by-hand', ...more }),
  amount,
});

interface Asked extends WorkingOptions {
  readonly want: ManualTerms['want'];
  readonly lasting?: boolean;
  readonly book?: typeof OWNER;
  /** Before the person asks. */
  readonly before?: (w: ReturnType<typeof working>) => void;
}

/** A person orders, and hears of what hinders it and how it ends. */
function asked({ want, lasting = false, book = MANUAL_BOOK, before = (w) => w.quote(60_000), ...options }: Asked) {
  const w = working(options);
  before(w);
  const said: string[] = [];
  const prices: (number | undefined)[] = [];
  const manual: ManualTerms = {
    ...{ product: BTC, side: 'buy', lasting },
    want(price) {
      prices.push(price);
      return want(price);
    },
    failed: (reason, why) => said.push(`${reason}: ${why}`),
    ended: (as: ManualEnd) => said.push(as),
  };
  w.parentOrders.order({ ...planOf([], { strategy: book }), manual });
  const lanes = () => w.lent.map(({ amount }) => amountText(amount));
  return { ...w, said, prices, lanes };
}

const one = () => sized(base('0.01'));

describe("a person's order", () => {
  test('is tried at once on a standing lane of its amount, at the newest price of the product', () => {
    const w = asked({ want: one, lanes: [second], before: (before) => before.quote(60_000, { sell: 59_990 }) });
    expect([w.orders(), w.prices, w.lanes()]).toEqual([['buy 0.01'], [60_000, 60_000], []]);
    w.answer();
    expect([w.said, w.parentOrders.atWork()]).toEqual([['done'], []]);
    expect(w.row('working') ?? w.row('worked'), 'a restart goes on from what the person asked').toBeUndefined();
    expect(w.row('intent')?.detail).not.toHaveProperty('work');
    w.after(5000);
    expect(w.said, 'and that is all').toEqual(['done']);
  });

  test('is sized without a price where none was seen yet, and tried on the first quote', () => {
    const w = asked({ want: one, before() {} });
    expect([w.prices, w.orders()]).toEqual([[undefined], []]);
    w.quote(60_000);
    expect([w.prices, w.orders()]).toEqual([[undefined, 60_000], ['buy 0.01']]);
  });

  test.each<[string, Partial<Asked>]>([
    ['of another amount', { lanes: [second], want: () => sized(base('0.03')) }],
    ['of another product', { lanes: [eth], want: () => sized(base('0.02')) }],
    [
      'that is down',
      { want: one, before: (w) => w.context.market.change({ phase: 'lost', lane: btcLane.id, epoch: 1, why: 'test' }, w.context.log.now) },
    ],
  ])('is lent a lane where the standing one is %s', (_, more) => {
    const w = asked({ want: one, reserve: 1, ...more });
    expect([w.lent.length, w.orders()]).toEqual([1, []]);
    w.lentQuote();
    expect(w.orders()).toHaveLength(1);
    w.answer();
    expect([w.givenBack.length, w.said]).toEqual([1, ['done']]);
  });

  test('is refused where no lane can be lent', () => {
    const w = asked({ want: () => sized(base('0.03')) });
    expect(w.said).toEqual([expect.stringMatching(/^LANE_POOL_EMPTY: ./), 'refused']);
    w.quote(60_000);
    expect([w.orders(), w.prices.length]).toEqual([[], 1]);
  });

  test('is refused where its lane brings nothing in time', () => {
    const w = asked({ want: () => sized(base('0.03')), reserve: 1 });
    w.after(1499);
    expect(w.said).toEqual([]);
    w.after(1);
    expect([w.said, w.givenBack.length]).toEqual([['LANE_WAIT: base:0.03: no quote within 1500 ms', 'refused'], 1]);
  });

  test('keeps waiting on its lane for a quote that it can use, for as long as one may take, and names the first hindrance alone', () => {
    const w = asked({ want: () => sized(base('0.03')), reserve: 1, limits: { minTimeLeftMs: 5000 } });
    w.lentQuote();
    expect([w.told, w.said]).toEqual([['refused TIME_LEFT'], []]);
    w.after(1399);
    expect(w.said).toEqual([]);
    w.after(1);
    expect([w.said, w.givenBack.length]).toEqual([['refused'], 1]);
  });

  test('is over with any other refusal', () => {
    const w = asked({ want: () => sized(base('0.01'), { limit: 1 }) });
    expect([w.told, w.said]).toEqual([['refused LIMIT_PRICE'], ['refused']]);
  });

  test('changes its lane where the price changes its amount, and the lane before is given back', () => {
    let size = '0.02';
    const w = asked({ want: () => sized(base(size)), reserve: 1 });
    size = '0.03';
    w.lentQuote(61_000);
    expect([w.lanes(), w.givenBack.length, w.told]).toEqual([['base:0.02', 'base:0.03'], 1, []]);
    w.after(1399);
    expect(w.said, 'its time begins anew').toEqual([]);
    w.lentQuote(61_000);
    expect(w.orders()).toEqual(['buy 0.03']);
  });

  test('whose quote is of a size that is not quite its own is lent another lane, of what it needs', () => {
    const w = asked({
      want: () => sized(base('0.02'), { side: 'sell', size: { kind: 'position' } }),
      book: OWNER,
      reserve: 1,
      before: (b) => b.holding('0.02'),
    });
    const lane = w.lent[0] ?? expect.fail('no lane was lent');
    w.ack(lane);
    w.quote(60_000, { lane: lane.id, size: 0.02001 });
    expect([w.told, w.lanes(), w.givenBack]).toEqual([['needs_lane'], ['base:0.02', 'base:0.02'], [lane.id]]);
    w.lentQuote();
    expect(w.orders()).toEqual(['sell 0.02']);
  });

  test.each<[string, ManualSizing, readonly string[]]>([
    ['refused', { over: 'SIZE_LIMITS', why: 'too little', done: false }, ['SIZE_LIMITS: too little', 'refused']],
    ['done', { over: null, why: '', done: true }, ['done']],
    ['named and done', { over: 'DUST', why: 'a rest', done: true }, ['DUST: a rest', 'done']],
  ])('that has nothing to order is %s, at once and after a quote', (_, over, said) => {
    expect(asked({ want: () => over }).said).toEqual(said);
    let sizing = sized(base('0.03'));
    const w = asked({ want: () => sizing, reserve: 1 });
    sizing = over;
    w.lentQuote();
    expect([w.said, w.orders(), w.givenBack.length]).toEqual([said, [], 1]);
    w.quote(60_001);
    expect(w.prices).toHaveLength(2);
  });

  test('of unknown outcome is never sent again', () => {
    const w = asked({ want: one });
    w.unanswered();
    w.quote(60_001);
    expect([w.said, w.orders()]).toEqual([['unknown'], ['buy 0.01']]);
  });

  test('has its turn before exits and strategies, and waits for no time while it is on its way', () => {
    const w = asked({ want: one, reserve: 1 });
    for (let n = 0; n < 8; n++) w.quote(60_001 + n);
    expect([w.orders(), w.said, w.told]).toEqual([['buy 0.01'], [], ['sent']]);
  });
});

describe("a person's closing of what no strategy closes lasts until it is done", () => {
  const closing = (left: readonly string[], options: Partial<Asked> = {}) => {
    const sizes = [...left];
    const want = (): ManualSizing => {
      const [size] = sizes;
      return size === undefined ? { over: null, why: '', done: true } : sized(base(size));
    };
    return { ...asked({ want, lasting: true, ...options }), next: () => sizes.shift() };
  };

  test('after an order it goes on with the rest', () => {
    const w = closing(['0.03', '0.01'], { reserve: 1 });
    w.lentQuote();
    w.next();
    w.answer();
    expect([w.orders(), w.said]).toEqual([['buy 0.03', 'buy 0.01'], []]);
    w.next();
    w.answer();
    expect([w.said, w.givenBack.length]).toEqual([['done'], 1]);
  });

  test('after a refusal it waits for a better quote, on the lane that it has, however long, and for another lane once that is silent', () => {
    const w = closing(['0.03'], { reserve: 1, limits: { maxOrderValue: usd(1) } });
    w.lentQuote();
    const again = { lane: w.lent[0]?.id ?? btcLane.id, size: 0.03 };
    for (let n = 1; n < 40; n += 1) w.quote(60_000 + n, again);
    expect([new Set(w.told), w.said, w.givenBack]).toEqual([new Set(['refused MAX_ORDER_VALUE']), [], []]);
    w.after(1499);
    expect(w.givenBack).toEqual([]);
    w.after(1);
    expect(w.givenBack).toEqual([again.lane]);
    w.after(1000);
    expect(w.lanes()).toEqual(['base:0.03', 'base:0.03']);
  });

  test.each(['rejected', 'expired', 'notSent'] as const)(
    'after an order that is %s it goes on on a lane that is lent where its own is lost',
    (how) => {
      const w = closing(['0.01'], { reserve: 1 });
      w[how]();
      w.context.market.change({ phase: 'lost', lane: btcLane.id, epoch: 1, why: 'test' }, w.context.log.now);
      w.after(3500);
      w.lentQuote();
      expect([w.orders(), w.said]).toEqual([['buy 0.01', 'buy 0.01'], []]);
      w.next();
      w.answer();
      w.after(10_000);
      expect([w.said, w.givenBack.length, w.lent.length]).toEqual([['done'], 1, 1]);
    },
  );

  test('without a lane it asks for one again each second, and a person hears of it', () => {
    const w = closing(['0.03'], { reserve: 1, before: (before) => before.context.lanePool.acquire(BTC, base('0.5'), 'other') });
    expect(w.said).toEqual([expect.stringMatching(/^LANE_POOL_EMPTY: ./)]);
    w.quote(60_000);
    expect(w.orders(), 'it waits on no lane').toEqual([]);
    w.context.lanePool.release(w.lent[0]?.id ?? btcLane.id);
    w.parentOrders.begin(planOf([wants('buy')]));
    w.answer();
    w.after(479);
    expect(w.lanes()).toEqual(['base:0.5']);
    w.after(1);
    expect(w.lanes()).toEqual(['base:0.5', 'base:0.03']);
    w.lentQuote();
    expect(w.orders()).toEqual(['buy 0.01', 'buy 0.03']);
  });

  test('after a rejection it is tried again on the lane that it has, and where an outcome must be known first, a second later', () => {
    const w = closing(['0.03'], { reserve: 1 });
    w.lentQuote();
    w.rejected();
    const again = { lane: w.lent[0]?.id ?? btcLane.id, size: 0.03, afterMs: 1000 };
    w.quote(60_001, again);
    expect([w.orders(), w.givenBack]).toEqual([['buy 0.03', 'buy 0.03'], []]);
    let sizing: ManualSizing = sized(base('0.03'));
    const waits = asked({ want: () => sizing, lasting: true, reserve: 1 });
    sizing = { waits: 'PRODUCT_FROZEN', why: 'unknown' };
    waits.lentQuote();
    expect([waits.said, waits.givenBack.length]).toEqual([['PRODUCT_FROZEN: unknown'], 1]);
    sizing = sized(base('0.03'));
    waits.after(1000);
    expect(waits.lanes()).toEqual(['base:0.03', 'base:0.03']);
  });

  test('where its lane brings nothing it is given back, and another is asked for a second later; it is told once', () => {
    const w = closing(['0.03'], { reserve: 1 });
    w.after(1500);
    expect([w.said, w.givenBack.length, w.lent.length]).toEqual([['LANE_WAIT: base:0.03: no quote within 1500 ms'], 1, 1]);
    w.after(1000);
    expect(w.lent).toHaveLength(2);
    w.after(1500);
    expect([w.said.length, w.givenBack.length]).toEqual([1, 2]);
  });

  test('and is sized anew where its order has an unknown outcome', () => {
    const w = closing(['0.01']);
    w.unanswered();
    w.after(5000);
    expect([w.said, w.orders()]).toEqual([[], ['buy 0.01']]);
    w.quote(60_000);
    expect(w.told).toEqual(['sent', 'refused PRODUCT_FROZEN']);
  });
});

test('the price of a product is that of a standing lane of it that has a quote', () => {
  const w = working({ lanes: [second, eth] });
  expect(seenOf(w.context, BTC)).toBeUndefined();
  w.quote(61_000, { lane: second.id, size: 0.02 });
  expect([seenOf(w.context, BTC)?.buy.price, seenOf(w.context, eth.product)]).toEqual([61_000, undefined]);
});

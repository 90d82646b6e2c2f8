import { map, merge } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { productText } from '#assembly/assemble.ts';
import { buy, fullBook, lane, type MarkedStrategy, mid, sell, strategy, type View } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { BookLevel, FullQuote } from '#domain/indicative-quote.ts';
import { laneFor, shownInput } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import { BTC, btcLane, btcProduct, quote } from '../support/market-data.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const hedgeLane = laneFor(BTC, { base: decimalOf('0.02') });
const bookInput = shownInput(BTC, 'FULL');
const inputs = {
  hedge: { kind: 'lane', product: BTC, source: hedgeLane.id },
  book: { kind: 'fullBook', product: BTC, source: bookInput.id },
} as const;

const newRig = rigsOfTests({ inputs, lanes: [btcLane, hedgeLane] });
const rig = (definition: MarkedStrategy, options: Partial<RigOptions> = {}) => newRig({ strategies: { s: definition }, ...options });

const main = (r: Rig, buyAt = 60_000) => r.quote(quote({ buy: buyAt, validUntil: r.clock.now() + 3000 }));
const hedge = (r: Rig, buyAt = 60_000) => r.quote(quote({ buy: buyAt, lane: hedgeLane.id, size: 0.02, validUntil: r.clock.now() + 3000 }));
const book = (bid: number, ask: number) => ({
  product: 'btcusd',
  baseCcy: null,
  quoteCcy: null,
  bids: [{ price: 1, size: bid }],
  asks: [{ price: 2, size: ask }],
  time: null,
});

const declared = { hedge: lane(), book: fullBook() };

describe('further inputs reach the strategy by name', () => {
  test('a lane: its quotes, also in view.quotes, and orders of its size by `on`', () => {
    const r = rig(
      strategy({
        name: 'x',
        inputs: declared,
        signals: ({ inputs: { hedge } }) => hedge.pipe(mid()),
        decide: (price, { quotes }) =>
          quotes.main && price > 60_000 ? buy({ base: '0.02' }, `over ${quotes.main.buy.price}`, { on: 'hedge' }) : undefined,
      }),
    );
    hedge(r, 60_001);
    expect(r.broker.submitted, 'main has no quote yet').toEqual([]);
    main(r);
    r.moveBy(500);
    hedge(r, 60_001);
    expect(r.last).toMatchObject({ lane: hedgeLane.id, side: 'buy' });
    expect(String(r.last.figures.size)).toBe('0.02');
    expect(r.rows()[1]?.detail).toMatchObject({ why: 'over 60000' });
  });

  test('a book is looked at: a filter on its imbalance, in ten lines', () => {
    const r = rig(
      strategy({
        name: 'x',
        inputs: declared,
        signals: ({ inputs }) =>
          inputs.book.pipe(map(({ bids, asks }) => (bids[0]?.size ?? 0) / ((bids[0]?.size ?? 0) + (asks[0]?.size ?? 1)))),
        decide: (share, { position, amount }) => (share > 0.7 && position.isFlat ? buy(amount, 'bids outweigh asks') : undefined),
      }),
    );
    main(r);
    r.give({ kind: 'shown', source: bookInput.id, shown: book(7, 3) });
    expect(r.broker.submitted).toEqual([]);
    r.give({ kind: 'shown', source: bookInput.id, shown: book(7.1, 2.9) });
    expect(r.last).toMatchObject({ lane: btcLane.id });
  });

  test('F68: a strategy that turns a book around fails, and no other sees it turned', () => {
    const seen: unknown[] = [];
    const reader = (name: string, look: (full: FullQuote) => void): MarkedStrategy =>
      strategy({ name, inputs: declared, signals: ({ inputs }) => inputs.book.pipe(map(look)), decide: () => undefined });
    const turn = ({ bids, asks }: FullQuote): void => {
      (bids as BookLevel[]).reverse();
      Object.assign(asks[0] ?? {}, { size: 0 });
    };
    const strategies = { s: reader('turns', turn), t: reader('reads', (full) => seen.push(structuredClone(full))) };
    const r = newRig({ strategies });
    r.give({ kind: 'shown', source: bookInput.id, shown: book(7, 3) });
    expect(r.story()).toEqual(['threw STRATEGY_THREW']);
    expect(seen).toEqual([book(7, 3)]);
  });

  test('it is never traded on, nor is an input that is not there', () => {
    for (const on of ['book', 'hegde']) {
      const r = rig(
        strategy({
          name: 'x',
          inputs: declared,
          signals: ({ quotes$ }) => quotes$,
          decide: (_, { amount }) => buy(amount, 'x', { on }),
        }),
      );
      main(r);
      expect(r.story()).toEqual(['threw BAD_INTENT']);
      expect(r.notices.at(-1)).toContain(`the intent names the input '${on}'`);
    }
  });

  test('what is looked at conflates: of many at once the newest counts', () => {
    const events: InboxEvent['kind'][] = [];
    const r = rig(
      strategy({ name: 'x', inputs: declared, signals: ({ quotes$, inputs }) => merge(quotes$, inputs.book), decide: () => undefined }),
      {
        log: { append: ({ event }) => events.push(event.kind), conflated() {}, flush() {} },
      },
    );
    events.length = 0;
    for (let n = 0; n < 100; n++) r.inbox.shown(bookInput.id, book(n, 1));
    r.inbox.drain();
    expect(events).toEqual(['shown']);
  });
});

test('a pair: two legs on two lanes, the second as soon as the first is executed, undone together', () => {
  const r = rig(
    strategy({
      name: 'pair',
      inputs: declared,
      onLegFailure: 'unwind',
      signals: ({ quotes$ }) => quotes$.pipe(mid()),
      decide: (price, { amount, position }) =>
        price === 60_000 && position.isFlat
          ? [buy(amount, 'one'), sell({ base: '0.02' }, 'other', { on: 'hedge', within: '1s', limit: 61_000 })]
          : undefined,
    }),
    { canShort: true },
  );
  hedge(r, 60_000);
  main(r);
  r.answer(r.last);
  r.moveBy(1000);
  main(r, 60_001);
  expect(r.broker.submitted.map(({ side, figures }) => `${side} ${figures.size}`)).toEqual(['buy 0.01', 'sell 0.01']);
  expect(r.rows().map(({ kind }) => kind)).toContain('leg_failed');
});

test('what is held on a lane input is in the view, and its money in equity and budget', () => {
  const eth = productCode('ethusd');
  const ethLane = laneFor(eth, { base: decimalOf('0.2') });
  let seen: View | undefined;
  const definition = strategy({
    name: 'x',
    inputs: { hedge: lane() },
    signals: ({ quotes$ }) => quotes$,
    decide: (_, view) => {
      seen = view;
      return view.lanes.hedge?.position.isFlat ? buy(view.lanes.hedge.amount, 'to hold', { on: 'hedge' }) : undefined;
    },
  });
  const options: Omit<RigOptions, 'strategies'> = {
    canShort: true,
    inputs: { hedge: { kind: 'lane', product: eth, source: ethLane.id } },
    lanes: [btcLane, ethLane],
  };
  const r = rig(definition, options);
  const hedge = (buyAt: number, on = r) =>
    on.quote(quote({ product: 'ethusd', buy: buyAt, lane: ethLane.id, size: 0.2, validUntil: on.clock.now() + 3000 }));
  main(r);
  expect(seen?.lanes, 'its product is not known yet').toEqual({});
  r.give({ kind: 'products', products: [productText(btcProduct), { ...productText(btcProduct), code: eth }] });
  hedge(2_500);
  main(r);
  expect(seen?.lanes.hedge).toMatchObject({ position: { isFlat: true }, canShort: true, product: { code: 'ethusd', minSize: 0.0001 } });
  r.answer(r.last);
  hedge(2_600);
  r.moveBy(500);
  main(r);
  expect(seen?.position.isFlat).toBe(true);
  expect(seen?.lanes.hedge).toMatchObject({ quote: { product: 'ethusd' }, position: { isLong: true, size: 0.2, average: 2_500 } });
  expect(seen?.lanes.hedge?.position.unrealised).toBeCloseTo(20, 9);
  // 500 and a fee of 0.1 % went out; 0.2 is worth 520 now.
  expect(seen?.budgetLeft).toBeCloseTo(9_499.5, 9);
  expect(seen?.equity).toBeCloseTo(10_019.5, 9);
  r.crash();
  const after = rig(definition, { ...options, folder: r.folder, startAt: r.clock.now() });
  after.give({ kind: 'products', products: [productText(btcProduct), { ...productText(btcProduct), code: eth }] });
  main(after);
  expect(seen?.budgetLeft, 'what was spent there counts before it is quoted').toBeCloseTo(9_499.5, 9);
  expect(seen?.equity, 'what it is worth is not known').toBeUndefined();
  hedge(2_600, after);
  main(after);
  expect(seen?.equity).toBeCloseTo(10_019.5, 9);
});

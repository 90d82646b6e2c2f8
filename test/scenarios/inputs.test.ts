import { map, merge } from 'rxjs';
import { afterEach, describe, expect, test } from 'vitest';
import { decimalOf } from '../../src/domain/decimal.ts';
import type { InboxEvent } from '../../src/domain/event.ts';
import { laneFor, shownInput } from '../../src/domain/lane.ts';
import { buy, fullBook, lane, type MarkedStrategy, mid, sell, strategy } from '../../src/strategy/index.ts';
import { BTC, btcLane, quote } from '../support/market-data.ts';
import { Rig, type RigOptions } from '../support/rig.ts';

const rigs: Rig[] = [];
afterEach(() => {
  for (const made of rigs) made.close();
  for (const made of rigs.splice(0)) made.remove();
});

const hedgeLane = laneFor(BTC, { base: decimalOf('0.02') });
const bookInput = shownInput(BTC, 'FULL');
const inputs = {
  hedge: { kind: 'lane', product: BTC, source: hedgeLane.id },
  book: { kind: 'fullBook', product: BTC, source: bookInput.id },
} as const;

function rig(definition: MarkedStrategy, options: Omit<RigOptions, 'strategies'> = {}): Rig {
  const made = new Rig({ strategies: { s: definition }, inputs, lanes: [btcLane, hedgeLane], ...options });
  rigs.push(made);
  return made;
}

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
      expect(r.notices.at(-1)).toContain(`the intent goes on '${on}', which is no lane input`);
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

import { describe, expect, test } from 'vitest';
import { buy, mid, sell, strategy } from '#core/strategy/index.ts';
import type { Command } from '#domain/event.ts';
import type { ManualPart } from '#domain/manual-request.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const newRig = rigsOfTests({ reserve: 2 });
const by = { who: 'ann', why: 'a test' };
const flatten: Command = { act: 'flatten', resume: false, ...by };
const close = (pct = 100, book = 's'): Command => ({ act: 'close', strategy: book, product: null, pct, ...by });

/** Opens at 60,000 and at 60,001, on the side of its amount's sign. */
const opener = (side: 'long' | 'short') =>
  strategy({
    name: 'opener',
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: (price, { amount }) =>
      price !== 60_000 && price !== 60_001 ? undefined : side === 'long' ? buy(amount, 'in') : sell(amount, 'in'),
  });

interface Sided {
  readonly side: 'long' | 'short';
  readonly stop?: boolean;
}

function rig({ side, stop = false }: Sided, options: Omit<RigOptions, 'strategies'> = {}): Rig {
  return newRig({
    ...{ strategies: { s: opener(side) }, canShort: true },
    ...(stop && { exits: { stopLossPct: 1 } }),
    ...options,
  });
}

const spread = 0.01;
/** Quotes on every lane that is lent. */
function prices(r: Rig, at: number): void {
  r.price(at);
  for (const lane of r.lent) {
    if (r.givenBack.includes(lane.id) || !('base' in lane.amount)) continue;
    r.ack(lane);
    r.price(at, { lane: lane.id, size: lane.amount.base.toNumber(), afterMs: 100 });
  }
}

/** Holds 0.01, or 0.02. */
function holding(sided: Sided, entries = 1, options: Omit<RigOptions, 'strategies'> = {}): Rig {
  const r = rig(sided, options);
  for (const at of [60_000, 60_001].slice(0, entries)) {
    r.price(at);
    r.answer(r.last);
  }
  return r;
}

const command = (r: Rig, given: Command): void => r.give({ kind: 'command', command: given });
const sizes = (r: Rig): string[] => r.broker.submitted.map(({ side, figures }) => `${side} ${figures.size}`);
const lost = (r: Rig, order: OrderCore = r.last): void =>
  r.answer(order, { outcome: 'unknown', reason: 'HTTP_AMBIGUOUS', httpStatus: 500, why: 'HTTP 500' });
const resolve = (r: Rig, { id }: OrderCore, as: 'accepted' | 'rejected'): void => {
  const { size, price: at, value, fee, feeCcy } = r.last.figures;
  const [side, baseCcy, quoteCcy] = [r.last.side, 'btc', 'usd'];
  const figures = { side, baseCcy, quoteCcy, size: `${size}`, price: `${at}`, value: `${value}`, fee: `${fee}`, feeCcy };
  command(r, { act: 'resolve', order: id, ...by, fill: as === 'accepted' ? figures : null });
};
const part = (r: Rig): ManualPart => r.engine.manualTask()?.parts[0] ?? expect.fail('nothing was asked');
const unsure = { state: 'working', reason: 'POSITION_UNSURE' };
const exitSide = { long: 'sell', short: 'buy' } as const;
const away = { long: 59_000, short: 61_000 } as const;

describe.each<'long' | 'short'>(['long', 'short'])('F10 an exit of unknown outcome, %s', (side) => {
  const out = exitSide[side];

  test.each([
    ['flatten', flatten],
    ['close', close()],
  ])('%s waits for it, says for what, and goes on by itself once a person settled it', (_, asked) => {
    const r = holding({ side, stop: true });
    r.price(away[side]);
    lost(r);
    const first = r.last;
    command(r, asked);
    r.price(away[side] + spread);
    expect(part(r)).toMatchObject({ ...unsure, why: expect.stringContaining(`kairos journal resolve ${first.id} --as accepted`) });
    expect(part(r).why).toContain(
      side === 'long' ? '0.01 is held, from 0 to 0.01 is possible' : '-0.01 is held, from -0.01 to 0 is possible',
    );
    expect(sizes(r).slice(1)).toEqual([`${out} 0.01`]);
    resolve(r, first, 'rejected');
    prices(r, away[side]);
    expect(sizes(r).slice(1)).toEqual([`${out} 0.01`, `${out} 0.01`]);
    r.answer(r.last);
    expect(part(r)).toMatchObject({ state: 'done', left: '0' });
  });

  test('on its way, it is what a flatten waits for, and after a rejection the next quote is', () => {
    const r = holding({ side, stop: true });
    r.price(away[side]);
    command(r, flatten);
    expect(part(r)).toMatchObject({ state: 'working', reason: null, why: `waits for the answer to order ${r.last.id}` });
    r.answer(r.last, { outcome: 'rejected' });
    expect(part(r)).toMatchObject({ state: 'working', reason: null, why: 'waits for a quote' });
  });

  test.each<[string, (r: Rig, order: OrderCore) => void]>([
    ['a late answer', (r, order) => r.answer(order, { late: true })],
    [
      'the service, asked',
      (r, { id }) => {
        r.broker.report(id, { type: 'found', executed: true, figures: {}, body: '{}' });
        r.inbox.drain();
      },
    ],
    ['a person', (r, order) => resolve(r, order, 'accepted')],
  ])('is settled as executed by %s: nothing more is sold, and the flatten ends', (_, settle) => {
    const r = holding({ side, stop: true });
    r.price(away[side]);
    lost(r);
    command(r, flatten);
    r.price(away[side]);
    settle(r, r.last);
    expect(part(r)).toMatchObject({ state: 'done', left: '0' });
    expect(r.engine.manualTask()?.ended).toBe(true);
    for (let n = 0; n < 5; n++) prices(r, away[side]);
    expect(sizes(r)).toHaveLength(2);
  });

  test('of a flatten itself, over a kill: it is waited for, and what is left is sold', () => {
    const r = holding({ side }, 2);
    command(r, flatten);
    prices(r, 60_100);
    prices(r, 60_100);
    const first = r.last;
    expect(sizes(r).at(-1)).toBe(`${out} 0.02`);
    lost(r);
    prices(r, 60_100);
    expect([part(r), sizes(r).length]).toMatchObject([unsure, 3]);
    r.crash();
    const again = rig({ side }, { folder: r.folder, startAt: r.clock.now() + 1000 });
    prices(again, 60_100);
    prices(again, 60_100);
    expect([part(again), sizes(again)]).toMatchObject([unsure, []]);
    command(again, { act: 'resolve', order: first.id, ...by, fill: null });
    prices(again, 60_100);
    prices(again, 60_100);
    expect(sizes(again)).toEqual([`${out} 0.02`]);
    again.answer(again.last);
    expect(part(again)).toMatchObject({ state: 'done', left: '0' });
  });

  test('of half a position: half is closed, once', () => {
    const r = holding({ side }, 2);
    command(r, close(50));
    r.price(60_100);
    lost(r);
    const first = r.last;
    for (let n = 0; n < 3; n++) prices(r, 60_100);
    expect([part(r).state, sizes(r).slice(2)]).toEqual(['working', [`${out} 0.01`]]);
    r.crash();
    const again = rig({ side }, { folder: r.folder, startAt: r.clock.now() + 1000 });
    for (let n = 0; n < 3; n++) prices(again, 60_100);
    expect(sizes(again)).toEqual([]);
    command(again, { act: 'resolve', order: first.id, ...by, fill: null });
    for (let n = 0; n < 3; n++) prices(again, 60_100);
    expect(sizes(again)).toEqual([`${out} 0.01`]);
    again.answer(again.last);
    expect(part(again)).toMatchObject({ state: 'done', left: side === 'long' ? '0.01' : '-0.01' });
  });

  test('leaves what is certain to the stop loss, and trading is not halted by a second one', () => {
    const r = holding({ side, stop: true }, 2);
    command(r, close(50));
    r.price(60_100);
    lost(r);
    prices(r, away[side]);
    expect(sizes(r).slice(2), 'of 0.02 one half may have been closed').toEqual([`${out} 0.01`, `${out} 0.01`]);
    lost(r);
    prices(r, away[side]);
    expect(sizes(r)).toHaveLength(4);
    expect(r.story().filter((row) => row.startsWith('halted'))).toEqual([]);
    const [half, rest] = r.broker.submitted.slice(2);
    if (!half || !rest) expect.fail('two exits were sent');
    r.answer(half, { late: true });
    r.answer(rest, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422, late: true });
    for (let n = 0; n < 4; n++) prices(r, away[side]);
    expect(sizes(r).slice(4)).toEqual([`${out} 0.01`]);
    r.answer(r.last);
    expect(part(r)).toMatchObject({ state: 'done', left: '0' });
  });
});

test("row 4: another strategy's stop that is due at the same time goes out, and so does a person's close", () => {
  const once = strategy({
    name: 'once',
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: (at, { amount, position }) => (at === 60_000 && position.isFlat ? buy(amount, 'in') : undefined),
  });
  const r = newRig({ strategies: { s: once, t: once, u: once }, exits: { stopLossPct: 1 } });
  for (let n = 0; n < 3; n++) {
    r.price();
    r.answer(r.last);
  }
  // Both stops are due; the answers to all but the third are lost.
  r.price(away.long);
  lost(r);
  r.price(away.long);
  lost(r);
  command(r, close(100, 'u'));
  r.price(away.long);
  r.answer(r.last);
  expect(r.broker.submitted.slice(3).map(({ strategy: of, side }) => `${of} ${side}`)).toEqual(['s sell', 't sell', 'u sell']);
  for (let n = 0; n < 3; n++) r.price(away.long);
  expect(sizes(r)).toHaveLength(6);
  expect(r.story().filter((row) => row.startsWith('halted'))).toEqual([]);
  expect(r.notices.filter((text) => text.includes('kairos journal resolve')).length).toBeGreaterThan(0);
});

test.each<[string, Command]>([
  ['close --end', { act: 'close', strategy: 's', product: null, pct: 100, end: true, ...by }],
  ['flatten --end', { act: 'flatten', resume: false, end: true, ...by }],
])('a person ends what waits by %s: nothing more is sold, also after a restart', (_, end) => {
  const r = holding({ side: 'long' }, 2);
  command(r, flatten);
  prices(r, 60_100);
  prices(r, 60_100);
  lost(r);
  const first = r.last;
  prices(r, 60_100);
  const begun = r.engine.manualTask()?.id;
  command(r, end);
  expect(r.engine.manualTask(begun)).toMatchObject({ ended: true, parts: [{ state: 'open', reason: 'BY_PERSON', left: '0.02' }] });
  expect(r.engine.manualTask()).toMatchObject({ ended: true, refused: null });
  command(r, end);
  expect(r.engine.manualTask()?.refused).toMatchObject({ why: 'nothing is being closed there' });
  r.answer(first, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422, late: true });
  for (let n = 0; n < 4; n++) prices(r, 60_100);
  r.crash();
  const again = rig({ side: 'long' }, { folder: r.folder, startAt: r.clock.now() + 1000 });
  for (let n = 0; n < 4; n++) prices(again, 60_100);
  expect([sizes(r), sizes(again)]).toEqual([['buy 0.01', 'buy 0.01', 'sell 0.02'], []]);
});

test('an opening of unknown outcome is closed by a flatten once it turns out to be executed, also over a kill', () => {
  const r = rig({ side: 'long' });
  r.price();
  lost(r);
  const opening = r.last;
  command(r, flatten);
  prices(r, 60_100);
  expect(part(r)).toMatchObject({ ...unsure, held: '0' });
  r.crash();
  const again = rig({ side: 'long' }, { folder: r.folder, startAt: r.clock.now() + 1000 });
  prices(again, 60_100);
  expect(part(again)).toMatchObject({ ...unsure, held: '0' });
  again.report(opening, { type: 'found', executed: true, figures: {}, body: '{}' });
  prices(again, 60_100);
  again.answer(again.last);
  expect([sizes(again), part(again)]).toMatchObject([['sell 0.01'], { state: 'done', left: '0' }]);
});

import { map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { eventLine, recordedOf } from '#adapters/recording/log-format.ts';
import { buy, hold, type MarkedStrategy, signal, strategy } from '#core/strategy/index.ts';
import type { NumberedEvent } from '#domain/event.ts';
import { readFields, type SignalSchema, signalSource } from '#domain/outside-signal.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { signalTexts } from '#report/order-words.ts';
import { BTC, quote } from '../support/market-data.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const newRig = rigsOfTests();
const source = signalSource('model');
const inputs = { model: { kind: 'signal', product: BTC, source } } as const;

/** Buys on a good score of at most two seconds' age. */
const byModel = strategy({
  name: 'by-model',
  inputs: { model: signal({ schema: { score: 'number', side: ['buy', 'wait'] }, staleAfter: '2s' }) },
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { inputs: { model }, amount, position }) => {
    if (!model) return hold('no fresh signal');
    return model.value.side === 'buy' && model.value.score > 0.5 && position.isFlat
      ? buy(amount, `score ${model.value.score} of ${model.age} ms`)
      : undefined;
  },
});

/** Buys as a signal arrives. */
const atOnce = strategy({
  name: 'at-once',
  inputs: { model: signal({ schema: { score: 'number' } }) },
  signals: ({ inputs }) => inputs.model.pipe(map(({ value }) => value.score)),
  decide: (score, { amount, position }) => (score > 0.5 && position.isFlat ? buy(amount, 'score') : undefined),
});

function rig(definition: MarkedStrategy, options: Omit<RigOptions, 'strategies'> = {}): Rig {
  return newRig({ strategies: { s: definition }, inputs, ...options });
}

const tick = (r: Rig) => r.quote(quote({ validUntil: r.clock.now() + 3000 }));
const send = (r: Rig, score: number, id = 'a') =>
  r.give({ kind: 'signal', source, signal: { id, madeAt: r.clock.now() - 40, value: { score, side: 'buy' } } });

describe('a signal from outside', () => {
  test('is a value with an age, which the order names', () => {
    const r = rig(byModel);
    tick(r);
    send(r, 0.7);
    r.moveBy(300);
    tick(r);
    const intent = r.rows().find(({ kind }) => kind === 'intent');
    expect(intent?.detail).toMatchObject({
      why: 'score 0.7 of 300 ms',
      signals: { model: { id: 'a', ageMs: 300, stale: false, score: 0.7, side: 'buy' } },
    });
    expect(intent?.detail.signals).toSatisfy(
      (seen) => isGroup(seen) && signalTexts(seen).includes('model = score 0.7 side buy (a, 300 ms old)'),
    );
    expect(r.rows().find(({ kind }) => kind === 'signal')?.detail).toMatchObject({ source: 'model', id: 'a', value: { score: 0.7 } });
  });

  test.each([
    [2000, 1],
    [2001, 0],
  ])('that is %i ms old leads to %i orders where it is stale after two seconds', (age, orders) => {
    const r = rig(byModel);
    send(r, 0.7);
    r.moveBy(age);
    tick(r);
    expect(r.broker.submitted).toHaveLength(orders);
  });

  test('is a stream as well: an order as it arrives', () => {
    const r = rig(atOnce);
    tick(r);
    send(r, 0.4);
    expect(r.broker.submitted).toEqual([]);
    send(r, 0.6, 'b');
    expect(r.broker.submitted).toHaveLength(1);
    const kinds = r.rows().map(({ kind }) => kind);
    expect(kinds.slice(1), 'it is journaled before what follows from it').toEqual(['signal', 'signal', 'intent', 'approved']);
  });

  test('outlives a crash: the next run shows the last one with its true age', () => {
    const first = rig(byModel);
    send(first, 0.7);
    first.journal.flush();
    first.crash();
    const r = rig(byModel, { folder: first.folder, startAt: first.clock.now() + 1500 });
    tick(r);
    expect(r.last).toMatchObject({ side: 'buy' });
    expect(r.rows().find(({ kind }) => kind === 'intent')?.detail).toMatchObject({ why: 'score 0.7 of 1500 ms' });
  });

  test('is recorded whole, and read back as it was', () => {
    const events: NumberedEvent[] = [];
    const r = rig(byModel, { log: { append: (event) => events.push(event), conflated() {}, flush() {} } });
    send(r, 0.7);
    const recorded = events.at(-1);
    if (recorded?.event.kind !== 'signal') throw new Error('the last event is the signal');
    expect(recordedOf(eventLine(recorded))).toEqual({ kind: 'event', event: recorded });
  });

  test('never reaches a strategy that does not name its source, and never trades on one', () => {
    const deaf = strategy({ name: 'deaf', signals: ({ quotes$ }) => quotes$, decide: (_, view) => void expect(view.inputs).toEqual({}) });
    const r = newRig({ strategies: { deaf } });
    send(r, 0.9);
    tick(r);
    expect(r.story()).toEqual(['signal']);
    const on = rig(
      strategy({ ...byModel, name: 'on', signals: ({ quotes$ }) => quotes$, decide: (_, { amount }) => buy(amount, 'x', { on: 'model' }) }),
    );
    tick(on);
    expect(on.story()).toEqual(['threw BAD_INTENT']);
  });

  test('is read by each strategy as that declares it, whoever else declares it otherwise', () => {
    const schemas: readonly SignalSchema[] = [{ on: 'flag', n: 'number' }, { on: 'text' }, { n: ['1', '2'] }];
    const seen: unknown[] = [];
    const strategies = schemas.map((schema, n): [string, MarkedStrategy] => [
      `s${n}`,
      strategy({
        name: `s${n}`,
        inputs: { model: signal({ schema }) },
        signals: ({ inputs: { model } }) => model,
        decide: (arrived, view) => void seen.push([arrived.value, view.inputs.model?.value]),
      }),
    ]);
    const r = newRig({ strategies: Object.fromEntries(strategies), inputs });
    const read = readFields(schemas, { on: 'false', n: '2' });
    if ('field' in read) throw new Error(read.must);
    r.give({ kind: 'signal', source, signal: { id: 'a', madeAt: null, value: read.value } });
    const values = [{ on: false, n: 2 }, { on: 'false' }, { n: '2' }];
    expect(seen).toEqual(values.map((value) => [value, value]));
  });

  test('that lacks what a strategy wants now is as if it had not come, live and after a restart', () => {
    const first = rig(byModel);
    send(first, 0.7);
    first.journal.flush();
    first.crash();
    const wants = strategy({ ...byModel, inputs: { model: signal({ schema: { score: 'number', side: ['buy'], stop: 'number' } }) } });
    const r = rig(wants, { folder: first.folder, startAt: first.clock.now() + 1500 });
    tick(r);
    send(r, 0.8, 'b');
    r.moveBy(100);
    tick(r);
    expect(r.story()).toEqual(['signal', 'hold HOLD', 'signal']);
  });
});

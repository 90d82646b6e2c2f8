import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { takenSignals } from '#adapters/journal/past-signals.ts';
import { SignalGate } from '#adapters/outside-signals/gate.ts';
import { signalApp } from '#adapters/outside-signals/server.ts';
import { tokenOf } from '#adapters/outside-signals/tokens.ts';
import { buy, hold, sell, signal, strategy } from '#core/strategy/index.ts';
import { Intake } from '#daemon/run/threads/intake.ts';
import type { NumberedEvent } from '#domain/event.ts';
import { type OutsideSignal, signalSource } from '#domain/outside-signal.ts';
import { BTC } from '../support/market-data.ts';
import type { Rig } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const source = signalSource('model');
const schema = { side: ['buy', 'sell'], size: 'number' } as const;

/** Does at once what the model says, in the size that it says. */
const obedient = strategy({
  name: 'obedient',
  inputs: { model: signal({ schema, staleAfter: '10s' }) },
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { inputs: { model }, position }) => {
    if (!model) return hold('no fresh signal');
    if (model.value.side === 'buy') return position.isFlat ? buy({ base: model.value.size }, model.id) : undefined;
    return position.isLong ? sell('position', model.id) : undefined;
  },
});

const rig = rigsOfTests({ strategies: { s: obedient }, inputs: { model: { kind: 'signal', product: BTC, source } } });

/** A sender, the port of signals, the intake of the daemon and the engine, without a thread or a socket between them. */
class Line {
  readonly rig: Rig;
  readonly token = tokenOf('a secret of this test', 'model');
  readonly refusals: string[] = [];
  /** While another program holds the journal: all the time, or from the moment in which a signal is handled. */
  held: 'always' | 'behind' | null = null;
  private readonly events: NumberedEvent[] = [];
  private readonly app: ReturnType<typeof signalApp>;

  private readonly isAfterAnother: boolean;

  constructor(before?: Line) {
    this.isAfterAnother = before !== undefined;
    const taken = before ? takenSignals(before.rig.path).map(({ signal: { id } }) => id) : [];
    const past = before && { folder: before.rig.folder, startAt: before.rig.clock.now() + 1000 };
    this.rig = rig({ ...past, log: { append: (event) => this.events.push(event), conflated() {}, flush() {} } });
    let isHandled = false;
    const intake = new Intake<OutsideSignal>({
      keyOf: ({ id }) => id,
      eventOf: (one) => ({ kind: 'signal', source, signal: one }),
      post: (event) => {
        isHandled = true;
        this.rig.give(event);
      },
      settle: () => {
        if (this.held === 'always' || (this.held === 'behind' && isHandled)) return false;
        this.rig.journal.flush();
        isHandled = false;
        return true;
      },
      isRunning: () => true,
    });
    const gate = new SignalGate({
      source,
      schemas: [schema],
      maxBytes: 1000,
      perSecond: 10,
      maxAgeMs: 60_000,
      taken,
      now: () => this.rig.clock.now(),
      keep: async (one) => intake.accept([one]),
    });
    this.app = signalApp({
      sources: new Map([['model', { gate, token: this.token }]]),
      onRefused: (_, error) => this.refusals.push(error),
    });
  }

  /** Posts a signal that was made just now, as a buy of 0.01, unless it says otherwise. Resolves to the status. */
  async send(fields: object, { token = this.token, url = '/signals/model', headers = {} } = {}): Promise<number> {
    const payload = JSON.stringify({ made: this.rig.clock.now() / 1000, side: 'buy', size: 0.01, ...fields });
    const sent = { 'content-type': 'application/json', ...(token && { 'x-signal-token': token }), ...headers };
    return (await this.app.inject({ method: 'POST', url, headers: sent, payload })).statusCode;
  }

  /** A quote comes, and what is ordered on it is executed. */
  trade(): void {
    if (this.rig.price(60_000, { afterMs: 100 })) this.rig.answer(this.rig.last);
  }

  /** The signals that were journaled. */
  ids(): string[] {
    return this.rig.rows().flatMap(({ kind, detail }) => (kind === 'signal' ? [String(detail.id)] : []));
  }

  /** The signals on which orders went out. */
  orders(): unknown[] {
    return this.rig.rows().flatMap(({ kind, detail }) => (kind === 'intent' ? [detail.why] : []));
  }

  /** Fails where the recorded inbox does not lead to the same journal. */
  expectParity(): void {
    // A run that begins on the journal of another has its parity by processes.
    if (this.isAfterAnother) return;
    const twin = rig({ acksLanes: false, run: 'run-1' });
    const [, , , ...later] = this.events;
    for (const event of later) twin.engine.handle(event);
    expect(twin.story()).toEqual(this.rig.story());
  }
}

let line: Line;
afterEach(() => line.expectParity());

describe('what goes wrong between a sender and the engine has one effect at most, and is told', () => {
  test('a kill: what was journaled is there, answered or not, and is known when it comes again', async () => {
    const first = new Line();
    expect(await first.send({ id: 'a' })).toBe(200);
    first.held = 'behind';
    expect(await first.send({ id: 'b' })).toBe(503);
    first.rig.crash();
    line = new Line(first);
    expect([await line.send({ id: 'a' }), await line.send({ id: 'b', side: 'sell' }), await line.send({ id: 'b' })]).toEqual([
      200, 200, 200,
    ]);
    line.trade();
    expect([line.ids(), line.orders(), line.refusals]).toEqual([['a', 'b'], ['b'], ['REPEAT', 'REPEAT', 'REPEAT']]);
  });

  test('repeats, also of one whose answer was lost', async () => {
    line = new Line();
    line.held = 'behind';
    expect(await line.send({ id: 'a' }), 'the journal is busy').toBe(503);
    line.held = null;
    const made = line.rig.clock.now() / 1000;
    expect([await line.send({ id: 'a', made }), await line.send({ id: 'a', made }), await line.send({ id: 'a', side: 'sell' })]).toEqual([
      200, 200, 200,
    ]);
    line.trade();
    line.trade();
    expect([line.ids(), line.orders(), line.refusals]).toEqual([['a'], ['a'], ['UNAVAILABLE', 'REPEAT', 'REPEAT']]);
  });

  test('one that the journal cannot take has no effect before it comes again, by no id and no time', async () => {
    line = new Line();
    line.held = 'always';
    expect([await line.send({ made: undefined }), await line.send({ made: undefined })]).toEqual([503, 503]);
    line.trade();
    expect([line.rig.story(), line.orders()]).toEqual([['hold HOLD'], []]);
    line.held = null;
    expect(await line.send({ made: undefined })).toBe(200);
    line.trade();
    line.trade();
    expect([line.ids().length, line.orders().length]).toEqual([1, 1]);
  });

  test('one that was answered 503 and is in the journal since another came has no second effect', async () => {
    line = new Line();
    const made = line.rig.clock.now() / 1000;
    line.held = 'behind';
    expect(await line.send({ id: 'a', made })).toBe(503);
    line.held = null;
    expect([await line.send({ id: 'b', made }), await line.send({ id: 'a', made }), await line.send({ id: 'a', made })]).toEqual([
      200, 200, 200,
    ]);
    line.trade();
    expect([line.ids(), line.refusals]).toEqual([
      ['a', 'b'],
      ['UNAVAILABLE', 'REPEAT'],
    ]);
  });

  test('one that was overtaken: streams have both, decide goes on with what was made last', async () => {
    line = new Line();
    const made = line.rig.clock.now() / 1000;
    expect(await line.send({ id: 'later', made, side: 'sell' })).toBe(200);
    expect(await line.send({ id: 'earlier', made: made - 1 })).toBe(200);
    line.trade();
    expect([line.ids(), line.orders()]).toEqual([['later', 'earlier'], []]);
    expect(line.rig.notices.join()).toContain('signal earlier was made before the last one');
  });

  test('forgeries: another token, another body under a signature, the name of another source', async () => {
    line = new Line();
    const signed = createHmac('sha256', line.token).update('{}').digest('hex');
    const statuses = [
      await line.send({}, { token: tokenOf('a secret of this test', 'chart') }),
      await line.send({}, { token: '', headers: { 'x-signal-signature': signed } }),
      await line.send({}, { url: '/signals/chart' }),
      await line.send({ token: 'x' }, { token: '' }),
    ];
    line.trade();
    expect([statuses, line.ids(), line.orders()]).toEqual([[401, 401, 404, 401], [], []]);
    expect(line.refusals).toEqual(['TOKEN', 'TOKEN', 'NOT_FOUND', 'TOKEN']);
  });

  test('a flood, of which strangers take no share', async () => {
    line = new Line();
    for (let n = 0; n < 20; n += 1) await line.send({ id: `stranger ${n}` }, { token: 'wrong' });
    for (let n = 0; n < 20; n += 1) await line.send({ id: `${n}`, padding: 'x'.repeat(n < 5 ? 2000 : 0) });
    line.trade();
    expect([line.ids().length, line.orders()]).toEqual([10, ['14']]);
    const counts = Map.groupBy(line.refusals, (one) => one);
    expect([...counts].map(([cause, all]) => [cause, all.length])).toEqual([
      ['TOKEN', 20],
      ['SIZE', 5],
      ['FLOOD', 5],
    ]);
  });

  test.each([
    [61, 422, 'LATE'],
    [-61, 422, 'EARLY'],
    [-4, 200, undefined],
    [59, 200, undefined],
  ])('the clock of its sender is %i s behind', async (behindS, status, told) => {
    line = new Line();
    expect(await line.send({ id: 'a', made: line.rig.clock.now() / 1000 - behindS })).toBe(status);
    line.trade();
    expect([line.orders(), line.refusals]).toEqual(told ? [[], [told]] : [['a'], []]);
  });

  test('the source is down: what it said before counts for staleAfter, and then decide sees nothing', async () => {
    line = new Line();
    await line.send({ id: 'a' });
    line.rig.moveBy(10_001);
    line.trade();
    expect(line.orders()).toEqual([]);
    expect(line.rig.rows().at(-1)?.detail).toMatchObject({ why: 'no fresh signal', signals: { model: { id: 'a', stale: true } } });
  });
});

describe('nothing that comes in', () => {
  test('halts, arms or reaches another route', async () => {
    line = new Line();
    const acts = ['halt', 'arm', 'resume', 'flatten', 'order'];
    const statuses = [];
    for (const act of acts) statuses.push(await line.send({}, { url: `/api/${act}` }));
    expect(statuses).toEqual(acts.map(() => 404));
    const fields = {
      id: 'a',
      kind: 'command',
      command: { act: 'halt' },
      act: 'halt',
      mode: 'live',
      source: 'chart',
      event: { kind: 'end' },
    };
    expect(await line.send(fields)).toBe(200);
    expect(line.rig.story()).toEqual(['signal']);
    expect(line.rig.rows().at(-1)?.detail).toEqual({
      source: 'model',
      id: 'a',
      madeAt: expect.any(String),
      value: { side: 'buy', size: 0.01 },
    });
    expect(line.rig.engine.isHalted).toBe(false);
    line.trade();
  });

  test.each([1e6, 1e300, -1, 0, Number.MIN_VALUE])('sizes above the limits of its strategy: %d', async (size) => {
    line = new Line();
    await line.send({ id: 'a', size });
    line.trade();
    expect(line.orders()).toEqual([]);
    expect(line.rig.engine.isHalted).toBe(false);
    await line.send({ id: 'b' });
    line.trade();
    expect(line.orders(), 'the next one that is within them is taken').toEqual(['b']);
  });

  test('trades after a halt', async () => {
    line = new Line();
    line.rig.give({ kind: 'command', command: { act: 'halt', who: 'tester', why: 'a test' } });
    expect(await line.send({ id: 'a' })).toBe(200);
    line.trade();
    expect(line.orders()).toEqual([]);
    expect(line.rig.engine.isHalted).toBe(true);
  });
});

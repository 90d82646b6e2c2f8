import { expect, test } from 'vitest';
import { ClockKeeper } from '#adapters/service-client/clock/clock-keeper.ts';
import type { OffsetBound } from '#adapters/service-client/clock/clock-offset.ts';
import { type ClockSource, SystemSource } from '#adapters/service-client/clock/clock-source.ts';
import { SystemClock } from '#adapters/time/system-clock.ts';
import { LagMonitor } from '#daemon/run/time-keeping.ts';
import type { InboxEvent } from '#domain/event.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';

const START = Date.UTC(2026, 0, 1);

/** A service whose clock is what the test says, looked at when the test says. */
class ToldSource implements ClockSource {
  known: OffsetBound | undefined;
  newestMs: number | undefined;
  resyncs = 0;
  private changed: () => void = () => {};
  private readonly timers: VirtualTimers;

  constructor(timers: VirtualTimers) {
    this.timers = timers;
  }

  start(changed: () => void): void {
    this.changed = changed;
  }

  sample(offsetMs: number, halfWidthMs: number): void {
    this.known = { offsetMs, halfWidthMs };
    this.newestMs = this.timers.monotonicMs();
    this.changed();
  }

  contradict(): void {
    this.known = undefined;
    this.changed();
  }

  bound(): OffsetBound | undefined {
    return this.known;
  }

  resync(): void {
    this.resyncs += 1;
    this.known = undefined;
  }

  async stop(): Promise<void> {}
}

function keeping(makeSource?: (timers: VirtualTimers) => ClockSource, startMs = START) {
  const timers = new VirtualTimers(startMs);
  const clock = new SystemClock(timers);
  const events: InboxEvent[] = [];
  const suspensions: string[] = [];
  const notices: string[] = [];
  const told = new ToldSource(timers);
  const keeper = new ClockKeeper({
    source: makeSource?.(timers) ?? told,
    timers,
    clock,
    post: (event) => events.push(event),
    onSuspension: (why) => suspensions.push(why),
    notice: (level, text) => notices.push(`${level}: ${text}`),
  });
  keeper.start();
  /** What was posted since the last look, as short texts. */
  const posted = (): string[] =>
    events.splice(0).map((event) => {
      if (event.kind === 'clock') return `clock ${event.offsetMs} +-${event.halfWidthMs}${event.ageMs > 0 ? ` age ${event.ageMs}` : ''}`;
      return event.kind === 'condition' ? `${event.name} ${event.on ? 'on' : 'off'}` : event.kind;
    });
  return { timers, clock, keeper, told, events, posted, suspensions, notices };
}

test('nothing is told before the first sample; then each sample, and how old the newest is', () => {
  const { timers, told, posted, keeper } = keeping();
  timers.advance(4000);
  expect(posted()).toEqual([]);
  expect(keeper.now()).toBeUndefined();
  told.sample(300, 510);
  expect(posted()).toEqual(['clock 300 +-510']);
  expect(keeper.now()).toEqual({ ms: START + 4300, halfWidthMs: 510 });
  told.sample(310.4, 40.2);
  expect(posted()).toEqual(['clock 310 +-41']);
  timers.advance(10_000);
  expect(posted()).toEqual(['clock 310 +-41 age 5000', 'clock 310 +-41 age 10000']);
});

test('the wall clock of this machine is the service on loopback: known at once, and to the millisecond', () => {
  const { timers, keeper, posted } = keeping((timers) => new SystemSource(timers, 0));
  expect(posted()).toEqual(['clock 0 +-0']);
  timers.advance(5000);
  expect(posted()).toEqual(['clock 0 +-0']);
  expect(keeper.now()).toEqual({ ms: START + 5000, halfWidthMs: 0 });
});

test('F55 a step of the wall clock is told, the source looks anew, and it is over after ten seconds', () => {
  for (const jumpMs of [3000, -3000, 6000, -6000, 3_600_000, -3_600_000]) {
    const { timers, clock, told, posted, keeper, notices } = keeping();
    told.sample(0, 50);
    posted();
    const before = clock.now();
    timers.jumpWall(jumpMs);
    expect(keeper.now()).toBeUndefined();
    timers.advance(250);
    expect(posted()).toEqual(['clock-step on', 'clock on']);
    expect(told.resyncs).toBe(1);
    expect(notices.join()).toMatch(/wall clock jumped/);
    told.sample(0, 50);
    expect(posted()).toEqual(['clock off', 'clock 0 +-50']);
    expect(keeper.now()).toBeUndefined();
    timers.advance(10_250);
    expect(posted()).toContain('clock-step off');
    expect(keeper.now()).toEqual({ ms: timers.monotonicMs(), halfWidthMs: 50 });
    expect(clock.now() - before).toBe(10_500);
  }
});

test('F57 after a suspension connections are replaced, and engine time follows the service as soon as it is sampled', () => {
  const { timers, clock, told, posted, suspensions } = keeping();
  told.sample(0, 50);
  posted();
  timers.jumpWall(600_000);
  timers.advance(250);
  expect(suspensions).toHaveLength(1);
  expect(posted()).toEqual(['clock-step on', 'clock on']);
  expect(clock.now()).toBe(START + 250);
  told.sample(600_000, 500);
  expect(clock.now()).toBe(START + 250 + 599_500);
  expect(posted()).toEqual(['clock off', 'clock 500 +-500']);
});

test("the service's time less this machine's is told as well, which stays what it is when engine time follows the service", () => {
  const { timers, told, events } = keeping();
  for (let n = 0; n < 2; n++) {
    told.sample(120_000, 137);
    timers.advance(1000);
  }
  const reading = { kind: 'clock', halfWidthMs: 137, ageMs: 0, machineOffsetMs: 120_000 };
  expect(events).toEqual([
    { ...reading, offsetMs: 137 },
    { ...reading, offsetMs: 137 },
  ]);
});

test('a short step back replaces no connection, and engine time never goes back', () => {
  const { timers, clock, told, suspensions } = keeping();
  told.sample(0, 50);
  timers.jumpWall(-3000);
  timers.advance(250);
  told.sample(-3000, 50);
  expect(suspensions).toEqual([]);
  expect(clock.now()).toBe(START + 250);
});

test('F58 while samples contradict each other the engine is told that the time is not known', () => {
  const { told, posted, keeper } = keeping();
  told.sample(0, 50);
  told.contradict();
  told.contradict();
  expect(posted()).toEqual(['clock 0 +-50', 'clock on']);
  expect(keeper.now()).toBeUndefined();
  told.sample(4000, 50);
  expect(posted()[0]).toBe('clock off');
});

test('F07 a refusal for key, time or signature has the time found anew', () => {
  const { told, posted, keeper } = keeping();
  told.sample(0, 50);
  keeper.resync();
  expect(told.resyncs).toBe(1);
  expect(posted()).toEqual(['clock 0 +-50', 'clock on']);
});

test.each([
  ['B42 1970', 0],
  ['B42 2038', Date.UTC(2038, 0, 19, 3, 14, 8)],
])('%s: the time for orders is right all the same, engine time is left alone, and a person is told once', (_, startMs) => {
  const { timers, clock, told, posted, keeper, notices } = keeping(undefined, startMs);
  const offsetMs = START - startMs;
  told.sample(offsetMs, 50);
  told.sample(offsetMs, 40);
  expect(keeper.now()).toEqual({ ms: START, halfWidthMs: 40 });
  expect(posted()).toEqual([`clock ${offsetMs} +-50`, `clock ${offsetMs} +-40`]);
  expect(clock.now()).toBe(timers.wallMs());
  expect(notices).toEqual([expect.stringMatching(/clock is wrong by more than a day/)]);
});

test('F64 lag is told when it begins and when it is over', () => {
  const timers = new VirtualTimers();
  const events: InboxEvent[] = [];
  const monitor = new LagMonitor(timers, (event) => events.push(event));
  monitor.start();
  timers.advance(10_000);
  expect(events).toEqual([]);
  for (let n = 0; n < 3; n += 1) timers.stall(2000);
  expect(events).toEqual([{ kind: 'condition', name: 'lag', on: true, figure: 1980 }]);
  timers.advance(2000);
  expect(events).toHaveLength(1);
  timers.advance(2000);
  expect(events.slice(1)).toEqual([{ kind: 'condition', name: 'lag', on: false, figure: 0 }]);
  monitor.stop();
  expect(timers.pending).toBe(0);
});

test('how far engine time is behind decides whether it is moved, each end exact', () => {
  const DAY = 24 * 3_600_000;
  const moved = [1000, 1001, DAY, DAY + 1, -DAY, -DAY - 1].map((behindMs) => {
    const { clock, told, notices } = keeping();
    told.sample(behindMs, 0);
    return `${behindMs}: ${clock.now() - START}${notices.length > 0 ? ' told' : ''}`;
  });
  expect(moved).toEqual(['1000: 0', '1001: 1001', `${DAY}: ${DAY}`, `${DAY + 1}: 0 told`, `${-DAY}: 0`, `${-DAY - 1}: 0 told`]);
});

test('a jump of two seconds may be the end of a suspension, and its length is told in seconds', () => {
  for (const [jumpMs, suspensions] of [
    [1999, []],
    [2000, ['wall time jumped by 2.0 s']],
  ] as const) {
    const k = keeping();
    k.timers.jumpWall(jumpMs);
    k.timers.advance(250);
    expect([k.suspensions, k.notices]).toEqual([suspensions, [expect.stringMatching(/jumped by 2\.0 s/)]]);
  }
});

test('the end of the doubt is told once, and nothing is looked at once the keeper has stopped', async () => {
  const { told, posted, keeper, timers } = keeping();
  told.sample(0, 50);
  told.contradict();
  told.sample(0, 50);
  told.sample(0, 40);
  expect(posted()).toEqual(['clock 0 +-50', 'clock on', 'clock off', 'clock 0 +-50', 'clock 0 +-40']);
  await keeper.stop();
  expect(timers.pending).toBe(0);
});

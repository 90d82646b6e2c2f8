import { expect, test } from 'vitest';
import { watchMemory } from '#daemon/run/memory-watch.ts';
import { StrategyFaults } from '#daemon/run/strategy-faults.ts';
import { StrategyMeter } from '#daemon/run/strategy-meter.ts';
import type { KairosError } from '#domain/errors.ts';
import type { Command } from '#domain/event.ts';
import { strategyId } from '#domain/names.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const MB = 1024 * 1024;

function meterOf(timers: VirtualTimers, usedBytes = () => 0) {
  const slow: string[] = [];
  const onSlow: ConstructorParameters<typeof StrategyMeter>[0]['onSlow'] = (strategy, { tookMs, isLast }) =>
    slow.push(`${strategy} ${tookMs} ${isLast}`);
  const meter = new StrategyMeter({ timers, maxMs: 250, usedBytes, onSlow });
  const work = (strategy: string, during: () => void): void => {
    meter.enter(strategy);
    during();
    meter.enter(null);
    meter.endEvent();
  };
  return { meter, slow, work };
}

test('F69: time at one event adds up; the third slow one within a minute is told, the fifth is the last; 250 ms are not slow', () => {
  const timers = new VirtualTimers();
  const { meter, slow, work } = meterOf(timers);
  const takes = (ms: number): void => work('a', () => timers.advance(ms));
  for (let n = 0; n < 20; n++) takes(250);
  expect(slow).toEqual([]);
  takes(251);
  timers.advance(59_000);
  takes(251);
  timers.advance(1_000);
  takes(251);
  expect(slow).toEqual([]);
  takes(300);
  takes(300);
  expect(slow).toEqual(['a 300 false']);
  takes(301);
  expect(slow).toEqual(['a 300 false', 'a 301 true']);
  for (let n = 0; n < 3; n++) {
    meter.enter('b');
    timers.advance(150);
    meter.enter(null);
    meter.enter('b');
    timers.advance(150);
    meter.enter(null);
    meter.endEvent();
  }
  expect(slow.at(-1)).toBe('b 300 false');
});

test('F70: above the bound who added most is disabled, once; half as much again the process leaves with a line that names it', () => {
  const timers = new VirtualTimers();
  let used = 100 * MB;
  let garbage = 0;
  const { meter, work } = meterOf(timers, () => used);
  const said: string[] = [];
  const left: KairosError[] = [];
  watchMemory({
    maxMb: 400,
    timers,
    meter,
    disable: (strategy, why) => said.push(`${strategy}: ${why}`),
    leave: (error) => left.push(error),
    notice: (_, text) => said.push(text),
    memory: {
      usedBytes: () => used,
      collect: () => {
        used -= garbage;
        garbage = 0;
      },
    },
  });
  const grow = (strategy: string, mb: number): void => {
    work(strategy, () => (used += mb * MB));
    timers.advance(1_000);
  };
  grow('calm', 1);
  grow('thief', 150);
  grow('thief', 60);
  grow('calm', 1);
  expect(meter.isWeighing).toBe(true);
  garbage = 200 * MB;
  grow('thief', 100);
  expect(said).toEqual([]);
  timers.advance(10_000);
  grow('thief', 240);
  expect(said).toEqual([
    expect.stringMatching(/^thief: 452 MB .* above trading\.maxMemoryMb \(400\), and \d+ MB were added while it ran$/),
  ]);
  used = 599 * MB;
  timers.advance(20_000);
  expect(said).toHaveLength(2);
  expect(left).toEqual([]);
  used = 601 * MB;
  timers.advance(20_000);
  expect(left.map(({ code, exitCode, message }) => [code, exitCode, message.includes('strategy thief added most of it')])).toEqual([
    ['MEMORY_FULL', 1, true],
  ]);
});

test('F61: an error whose stack names a file of a strategy is its own; one without a stack is that of who alone has just run; any other is ours', () => {
  const posted: Command[] = [];
  const origin = { files: new Map([['/home/u/strategies/a.ts', 'strategies/a.ts']]), signals: '', decide: '' };
  let onlyOne: string | undefined;
  const disabled = new Set<string>();
  const faults = new StrategyFaults({
    strategies: [
      { id: strategyId('a'), origin },
      { id: strategyId('b'), origin: { ...origin, files: new Map([['/home/u/strategies/b.ts', 'strategies/b.ts']]) } },
    ],
    isDisabled: (id) => disabled.has(id),
    onlyOne: () => onlyOne,
    post: (command) => posted.push(command),
  });
  const thrownIn = (file: string): Error =>
    Object.assign(new Error('x'.repeat(10_000)), { stack: `Error: x\n    at f (file:///${file}:3:7)` });
  expect(faults.disableBlamed(thrownIn('usr/lib/other.js'), 'rejection')).toBe(false);
  expect(faults.disableBlamed('a text', 'rejection')).toBe(false);
  expect(faults.disableBlamed(thrownIn('home/u/strategies/a.ts?gen=4'), 'exception')).toBe(true);
  expect(posted).toMatchObject([{ act: 'disable', strategy: 'a', reason: 'STRATEGY_UNCAUGHT', who: 'kairos' }]);
  const [first] = posted;
  expect(first?.why).toMatch(/^strategies\/a\.ts:3:7: x{4096} \.\.\. \(cut/);
  disabled.add('a');
  expect(faults.disableBlamed(thrownIn('home/u/strategies/a.ts'), 'exception')).toBe(true);
  expect(posted).toHaveLength(1);
  onlyOne = 'b';
  expect(faults.disableBlamed('a text', 'exception')).toBe(false);
  expect(faults.disableBlamed(new Error('ours'), 'rejection')).toBe(false);
  expect(faults.disableBlamed('a text', 'rejection')).toBe(true);
  expect(posted.at(-1)).toMatchObject({ strategy: 'b', why: expect.stringContaining('a text (in a promise that it left rejected)') });
});

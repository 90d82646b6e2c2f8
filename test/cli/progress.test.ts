import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { progressBar, progressLines, SCREEN_LEAST } from '#cli/progress.ts';
import { Pace } from '#domain/pace.ts';

test('a bar of a terminal is gone when the work is done, and does not come again', () => {
  const written: string[] = [];
  const stream = Object.assign(new PassThrough(), { isTTY: true });
  stream.on('data', (part: Buffer) => written.push(part.toString()));
  let now = 0;
  const bar = progressBar('sweep', { stream, monotonicMs: () => now });
  bar.show(0);
  now = 3_000;
  bar.show(0.5);
  bar.show(1);
  const all = written.join('');
  expect(all).toContain('sweep');
  expect(all).toContain('50 %');
  expect(all.endsWith('\u001B[2K')).toBe(true);
  bar.show(1);
  bar.end();
  expect(written.join('')).toBe(all);
});

test('without a terminal, the number of trials comes at once, the time left after 5 % or 30 s, and then every ten minutes', () => {
  const said: string[] = [];
  let now = 0;
  const lines = progressLines('sweep', { isShown: true, monotonicMs: () => now, print: (line) => said.push(`${now / 1000} s ${line}`) });
  const at = (seconds: number, share: number): void => {
    now = seconds * 1000;
    lines.show(share);
  };
  lines.begin(50_949);
  at(1, 0);
  at(29, 0.0018);
  at(31, 0.002);
  at(600, 0.04);
  at(631, 0.05);
  at(12_000, 1);
  expect(said).toEqual(['0 s sweep: 50949 trials', '31 s sweep: 0.2 %, 4 h 10 min left', '631 s sweep: 5.0 %, 3 h 18 min left']);
});

test('a short one says no share, and a terminal has its bar', () => {
  const said: string[] = [];
  const print = (line: string): void => void said.push(line);
  const short = progressLines('sweep', { isShown: true, monotonicMs: () => 0, print });
  short.begin(1);
  short.show(0.5);
  short.show(1);
  progressLines('sweep', { isShown: false, monotonicMs: () => 0, print }).begin(2);
  expect(said).toEqual(['sweep: 1 trial']);
});

test('the time left is right within a factor of two, though the first trials take ten times as long as the others', () => {
  const said: string[] = [];
  let now = 0;
  const lines = progressLines('sweep', { isShown: true, monotonicMs: () => now, print: (line) => said.push(line) });
  const [trials, slow, eachMs] = [300, 3, 200];
  lines.begin(trials);
  for (let done = 0; done <= trials; done += 1) {
    now = 1_500 + Math.min(done, slow) * eachMs * 10 + Math.max(0, done - slow) * eachMs;
    lines.show(done / trials);
  }
  const [, percent = 0, left = 0] = /sweep: (\S+) %, (\d+) s left/.exec(said[1] ?? '')?.map(Number) ?? [];
  const isLeft = ((100 - percent) / 100) * trials * (eachMs / 1000);
  expect([percent >= 5, percent < 10]).toEqual([true, true]);
  expect([left > isLeft / 2, left < isLeft * 2]).toEqual([true, true]);
});

test('a first trial that prepares all others does not count for them', () => {
  const said: string[] = [];
  let now = 0;
  const lines = progressLines('screen', { isShown: true, monotonicMs: () => now, print: (line) => said.push(line) });
  const [trials, preparedMs, eachMs] = [10_000, 40_000, 5];
  lines.begin(trials);
  for (let done = 0; done < 100; done += 1) {
    now = done === 0 ? 0 : preparedMs + done * eachMs;
    lines.show(done / trials);
  }
  expect(said).toEqual(['screen: 10000 trials', 'screen: 0.1 %, 50 s left']);
});

test('the time left of a screen is said once its columns are made, and is right within a factor of two', () => {
  const said: string[] = [];
  let now = 0;
  const lines = progressLines('screen', { isShown: true, monotonicMs: () => now, print: (line) => said.push(line), least: SCREEN_LEAST });
  // As measured: the first trials make a column each, which all others share.
  const [trials, making, eachMs] = [10_000, 150, 25];
  lines.begin(trials);
  for (let done = 0; done <= trials; done += 1) {
    now = 14_000 + Math.min(done, making) * eachMs * 10 + Math.max(0, done - making) * eachMs;
    lines.show(done / trials);
  }
  const [, percent = 0, minutes = 0] = /screen: (\S+) %, (\d+) min left/.exec(said[1] ?? '')?.map(Number) ?? [];
  const isLeft = (((100 - percent) / 100) * trials * eachMs) / 60_000;
  expect([percent >= 10, minutes > isLeft / 2, minutes < isLeft * 2]).toEqual([true, true, true]);
});

test('the time left is that of the pace so far, what was known before left out', () => {
  const leftSeconds = (...seen: readonly (readonly [share: number, seconds: number])[]): number | undefined => {
    const pace = new Pace();
    const [last] = seen.map(([share, seconds]) => pace.leftMs(share, seconds * 1000)).slice(-1);
    return last === undefined ? undefined : last / 1000;
  };
  expect(leftSeconds([0.5, 0], [0.75, 30])).toBe(30);
  expect(leftSeconds([0, 0], [0.1, 60])).toBeCloseTo(540);
  expect([leftSeconds([0.2, 10]), leftSeconds([0, 0], [1, 10]), leftSeconds([0, 0], [0.1, 9])]).toEqual(Array(3).fill(undefined));
});

import { describe, expect, test } from 'vitest';
import { seeded, seededFrom, xoshiro128 } from '#domain/seeded.ts';

describe('I25: the same seed gives the same run', () => {
  test('the generator is xoshiro128**: the published first numbers for state 1, 2, 3, 4', () => {
    const draw = xoshiro128([1, 2, 3, 4]);
    const published = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804];
    expect(published.map(() => draw())).toEqual(published);
  });

  test('a number has 53 bits of two draws, and a sequence goes on from the state of another', () => {
    const first = seededFrom([1, 2, 3, 4]);
    expect([first.next(), first.next()]).toEqual([
      ((11520 >>> 5) * 2 ** 26) / 2 ** 53,
      ((5927040 >>> 5) * 2 ** 26 + (70819200 >>> 6)) / 2 ** 53,
    ]);
    const second = seededFrom(first.state());
    expect([second.next(), second.next()]).toEqual([first.next(), first.next()]);
    expect(seededFrom([1, 2, 3, 4]).state()).toEqual([1, 2, 3, 4]);
  });

  test('a seed that was kept means the same in each version', () => {
    expect(seeded('run 1').next()).toBe(0.6659963117312627);
  });

  test('a text decides the sequence, and one letter changes all of it', () => {
    const first = (text: string) => {
      const numbers = seeded(text);
      return Array.from({ length: 5 }, () => numbers.next());
    };
    expect(first('run 1')).toEqual(first('run 1'));
    for (const x of first('run 2')) expect(first('run 1')).not.toContain(x);
    expect(first('')).not.toEqual(first('a'));
  });

  test('numbers are spread evenly over [0, 1), also the first of neighbouring seeds', () => {
    const bins = new Array<number>(10).fill(0);
    for (let i = 0; i < 20_000; i++) {
      const x = seeded(`seed/${i}`).next();
      expect(x >= 0 && x < 1).toBe(true);
      const bin = Math.floor(x * 10);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    for (const count of bins) expect(Math.abs(count - 2_000)).toBeLessThan(200);
  });
});

import { describe, expect, test } from 'vitest';
import { narrowLines } from '#adapters/recording/import/import-lines.ts';
import { AT, type Given, imported, MINUTE } from './imported-bars.ts';

/** Bars that begin so many seconds after the first one. */
const bars = (...seconds: readonly number[]): string =>
  `time,open,high,low,close\n${seconds.map((second, n) => `${AT + second * 1000},${n + 2},${n + 4},${n + 1},${n + 3}\n`).join('')}`;

const FIVES = bars(0, 300, 600, 1200, 1500);
/** Gaps of 433, 108 and 1500 s. */
const VOLUME = bars(0, 433, 541, 2041);
/** The same three times a day, with a night in between. */
const NIGHTS = bars(...[0, 86_400, 172_800].flatMap((night) => [0, 433, 541, 2041, 2500, 2777, 3333].map((second) => night + second)));

describe('a close that counts before the next row may be of the future', () => {
  const warned = async (text: string, seconds: number, given: Given = {}) =>
    narrowLines([(await imported(text, { ...given, ticks: { afterMs: seconds * 1000 } })).manifest.imported].flatMap((one) => one ?? []));
  const says = (seconds: number, apart: string, width: number): string =>
    `--bar ${seconds} of bars.csv: closes count ${seconds} s after the times of their bars, though ${apart}: where bars last longer, a backtest sees the future; import again with --bar ${width}`;

  test('--bar below the distance of all rows is warned of, with the width to type', async () => {
    expect(await warned(FIVES, 60)).toEqual([says(60, 'no row is nearer than 300 s to the next', 300)]);
    expect(await warned(VOLUME, 60)).toEqual([says(60, 'no row is nearer than 108 s to the next', 1500)]);
  });

  test('--bar below some distances of bars without one width is warned of, with how many', async () => {
    expect(await warned(VOLUME, 200)).toEqual([says(200, 'the next row is further away after 2 of 3 rows', 1500)]);
    expect(await warned(NIGHTS, 1000)).toEqual([says(1000, 'the next row is further away after 3 of 20 rows', 1500)]);
    expect(await warned(bars(...[0, 31, 59, 90, 120, 151].map((day) => day * 86_400)), 30 * 86_400)).toEqual([
      says(2_592_000, 'the next row is further away after 3 of 5 rows', 2_678_400),
    ]);
  });

  test('of a file of two widths, measured or said, the wider bars are warned of', async () => {
    const two = bars(...Array.from({ length: 60 }, (_, n) => (n < 30 ? n * 60 : 1800 + (n - 30) * 300)));
    const apart = 'the next row is further away after 29 of 59 rows';
    expect(await warned(two, 0)).toEqual([says(60, apart, 300)]);
    expect(await warned(two, 60)).toEqual([says(60, apart, 300)]);
    expect(await warned(two, 300)).toEqual([]);
  });

  test.each<[string, string, number, Given]>([
    ['hours of days with nights', bars(...Array.from({ length: 280 }, (_, n) => Math.floor(n / 7) * 86_400 + (n % 7) * 3600)), 0, {}],
    ['the width of all', FIVES, 300, {}],
    ['sparse minutes', bars(0, 60, 240, 300, 660, 720, 2400), 60, {}],
    ['sparse minutes of which most are two apart', bars(0, 120, 240, 300, 480, 660), 60, {}],
    [
      'minutes of which two in ten are left out, a minute apart',
      bars(...Array.from({ length: 600 }, (_, n) => n * 60).filter((second) => second % 600 !== 180 && second % 600 !== 300)),
      0,
      {},
    ],
    ['the longest of bars without one width', VOLUME, 1500, {}],
    ['the longest but for nights', NIGHTS, 1500, {}],
    ['one bar', bars(0), 60, {}],
    ['days where clocks change', bars(0, 86_400, 169_200, 255_600, 345_600), 86_400, {}],
    ['times of ends, which are known', VOLUME, 60, { stamp: 'end' }],
  ])('not for %s', async (_, text, seconds, given) => {
    expect(await warned(text, seconds, given)).toEqual([]);
  });

  test('files of one width are warned of together', async () => {
    const facts = [FIVES, bars(9000, 9300), VOLUME].map((text) => imported(text, { ticks: { afterMs: MINUTE } }));
    const all = (await Promise.all(facts)).map(({ result }) => result.facts);
    expect(narrowLines(all)).toEqual([
      '--bar 60 of 3 files, bars.csv to bars.csv: closes count 60 s after the times of their bars, though no row is nearer than 108 s to the next: where bars last longer, a backtest sees the future; import again with --bar 1500',
    ]);
  });
});

describe('what is to be said about a file', () => {
  test.each<[string, string, Given, string]>([
    [
      'the longest width of bars without one',
      VOLUME,
      {},
      'its bars have no one width; add --bar 1500, the longest time from a row to the next, and --stamp end where times are those of ends',
    ],
    [
      'no --stamp end where it is there',
      VOLUME,
      { stamp: 'end' },
      'its bars have no one width; add --bar 1500, the longest time from a row to the next',
    ],
    [
      'the longest without nights',
      NIGHTS,
      { stamp: 'end' },
      'its bars have no one width; add --bar 1500, the longest time from a row to the next, breaks apart',
    ],
    [
      'milliseconds as whole seconds',
      bars(0, 79.393, 90.702, 181.216, 192.518),
      { stamp: 'end' },
      'its bars have no one width; add --bar 91, the longest time from a row to the next',
    ],
    [
      'spread and width in one line',
      VOLUME,
      { stamp: 'end', spreadBps: undefined },
      'it has one price a row, without bid and ask; add --spread-bps, the spread to assume, such as 2; also its bars have no one width; add --bar 1500, the longest time from a row to the next',
    ],
    [
      'the columns that may be the range of two sides',
      `time,bid,ask,low,high\n${AT},100,101,99,102\n${AT + MINUTE},100,101,99,103\n`,
      { barPath: 'worst', spreadBps: undefined, ticks: { afterMs: MINUTE } },
      "--bar-path worst needs the range of each bar; where 'low' has its lowest bid and 'high' its highest ask, add --low low --high high",
    ],
    [
      'no column of a range',
      `time,close\n${AT},100\n${AT + MINUTE},101\n`,
      { barPath: 'worst' },
      '--bar-path worst needs the range of each bar; name its columns with --low and --high',
    ],
  ])('%s', async (_, text, given, says) => {
    await expect(imported(text, given)).rejects.toThrow(new RegExp(`bars\\.csv: ${says.replaceAll(/[.()]/g, '\\$&')}$`));
  });
});

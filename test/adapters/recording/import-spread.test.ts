import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { importLines, linesOfImports } from '#adapters/recording/import/import-lines.ts';
import { SpreadStatistics } from '#adapters/recording/import/spread.ts';
import { decimalOf } from '#domain/decimal.ts';
import { fc, test as property } from '../../support/property.ts';
import { AT, type Given, imported, MINUTE } from './imported-bars.ts';

const POINT = decimalOf('0.00001');
const HEAD = '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>';
const meta = (...spreads: readonly string[]): string =>
  `${HEAD}\n${spreads.map((spread, minute) => `2024.08.01\t00:0${minute}:00\t1.08502\t1.08514\t1.08496\t1.08511\t52\t0\t${spread}\n`).join('')}`;
const ticks = (...spreads: readonly string[]): string =>
  `time,price,apart\n${spreads.map((spread, row) => `${AT + row * MINUTE},1.085,${spread}\n`).join('')}`;

/** Without a spread that is assumed. */
const own = (map: Given['map'], more: Given = {}): Given => ({ spreadBps: undefined, ...more, map: { ...map } });
const sides = async (text: string, given: Given) => (await imported(text, given)).played.map(([, bid, ask]) => [bid, ask]);

describe('the spread of MetaTrader, in points', () => {
  test('--point is enough: bars are bids, and the ask is the spread above', async () => {
    const text = meta('12', '9', '15');
    expect(await sides(text, own({ point: POINT }))).toEqual([
      [1.08511, 1.08523],
      [1.08511, 1.0852],
      [1.08511, 1.08526],
    ]);
    const { result, manifest } = await imported(text, own({ point: POINT }, { barPath: 'worst' }));
    expect((await imported(text, own({ point: POINT }, { barPath: 'worst' }))).played[0]).toEqual([AT + MINUTE, 1.08496, 1.08526]);
    const spread = { column: '<SPREAD>', point: '0.00001', medianBps: 1.11, lowBps: 0.829, highBps: 1.38 };
    expect(manifest.imported).toMatchObject({ spread, spreadBps: null, priceIs: 'bid' });
    const lines = importLines(result.facts);
    expect(lines).toContain(
      "the spread of each row is the file's, column '<SPREAD>' of 0.00001 each (median 1.11 bps, from 0.829 to 1.38): the one price of a row is the bid; the ask is the spread above it",
    );
    expect(lines).toContain('MetaTrader keeps one spread of a bar, often the lowest: costs by it are a lower bound');
    expect(lines.join('\n')).not.toMatch(/is assumed/);
  });

  test('nobody said which: the refusal names both ways, and the point where decimals tell it', async () => {
    const says = /it has one price a row, without bid and ask; <SPREAD> is in points: --point 0\.00001 uses it, or add --spread-bps/;
    await expect(imported(meta('12', '9'), own({}))).rejects.toThrow(says);
    const whole = meta('12', '9').replaceAll(/1\.08\d+/g, '40000');
    await expect(imported(whole, own({}))).rejects.toThrow(/is in points: --point NUMBER, what one is worth in price, uses it, or add/);
    const other = meta('12', '9').replace('<TICKVOL>', 'Volume');
    await expect(imported(other, own({}))).rejects.toThrow(/add --spread <SPREAD>, with --point where it is not in price, or --spread-bps/);
    expect((await imported(meta('12', '9'), { spreadBps: 2 })).manifest.imported).toMatchObject({ spreadBps: 2 });
  });
});

describe('a column of spreads', () => {
  test.each([
    ['bid', [1.085, 1.0853], [1.085, 1.085]],
    ['ask', [1.0847, 1.085], [1.085, 1.085]],
    ['mid', [1.08485, 1.08515], [1.085, 1.085]],
  ] as const)('of %s prices; 0 is a locked quote', async (priceIs, first, locked) => {
    const { result } = await imported(ticks('0.0003', '0'), own({ spread: 'apart', priceIs }));
    expect(await sides(ticks('0.0003', '0'), own({ spread: 'apart', priceIs }))).toEqual([first, locked]);
    expect(result).toMatchObject({ quotes: 2, locked: 1, crossed: 0, facts: { priceIs, spread: { point: '1', lowBps: 0 } } });
    expect(importLines(result.facts).join('\n')).toMatch(/column 'apart' in price \(median 0 bps, from 0 to 2\.7\d\): the one price/);
  });

  test.each([['-1'], [''], ['x'], ['NaN'], ['1e999']])('%j is no spread: a bad row', async (spread) => {
    const says = `bars.csv:3: column 'apart': '${spread}' is not a spread of zero or more`;
    await expect(imported(ticks('0.0003', spread, '0.1'), own({ spread: 'apart', bad: 'fail' }))).rejects.toThrow(says);
    const { result } = await imported(ticks('0.0003', spread, '0.1'), own({ spread: 'apart', bad: 'drop' }));
    expect(result).toMatchObject({ quotes: 2, bad: 1 });
  });

  test('one that leaves no bid is a bad row', async () => {
    const text = ticks('0.0003', '1.085', '0.0003', '0.0003');
    await expect(imported(text, own({ spread: 'apart', priceIs: 'ask' }))).rejects.toThrow(/:3: .*'1\.085' leaves no bid above zero/);
  });

  test('with a decimal comma, and of Parquet', async () => {
    const text = 'time;price;apart\n'.concat(...['1,0850', '1,0851'].map((price, row) => `${AT + row * MINUTE};${price};0,0003\n`));
    expect(await sides(text, own({ spread: 'apart', priceIs: 'bid' }))).toEqual([
      [1.085, 1.0853],
      [1.0851, 1.0854],
    ]);
    const columns = (spreads: readonly (number | null)[]) =>
      new Uint8Array(
        parquetWriteBuffer({
          columnData: [
            { name: 'time', data: spreads.map((_, row) => AT + row * MINUTE), type: 'DOUBLE' },
            { name: 'close', data: spreads.map(() => 1.085), type: 'DOUBLE' },
            { name: 'points', data: [...spreads], type: 'INT32' },
          ],
        }),
      );
    const given = own({ spread: 'points', point: POINT, priceIs: 'bid' });
    expect((await imported(columns([30, 0]), given)).played).toEqual([
      [AT + MINUTE, 1.085, 1.0853],
      [AT + 2 * MINUTE, 1.085, 1.085],
    ]);
    for (const bad of [null, -1])
      await expect(imported(columns([30, bad]), given)).rejects.toThrow(/row 2: column 'points': '\S*' is not a spread of zero or more/);
  });

  test.each<[string, string, Given, RegExp]>([
    ['both', ticks('1'), { spreadBps: 2, map: { spread: 'apart' } }, /--spread takes the spread of the file, and --spread-bps assumes/],
    ['a point and an assumed one', ticks('1'), { spreadBps: 2, map: { point: POINT } }, /--point takes the spread of the file, and/],
    ['a point of nothing', ticks('1'), own({ point: POINT }), /no column of spreads that is known: name with --spread the one/],
    ['a column that is not there', ticks('1'), own({ spread: 'no' }), /no column 'no' in the header \(.*\); name it with --spread$/],
    ['two sides', `time,bid,ask,s\n${AT},1,2,1\n`, own({ spread: 's' }), /have their own prices: leave out --spread and --point/],
    ['no header', '20240801 000000;1;1;1;1;0\n20240801 000100;1;1;1;1;0\n', own({ spread: 's' }), /no header, so that no column is called/],
    ['no point for points', meta('12', '9'), own({ spread: '<SPREAD>' }), /the median of spreads would be 1\d{4} bps: say with --point/],
  ])('%s: one clear line', async (_, text, given, says) => {
    await expect(imported(text, given)).rejects.toThrow(says);
  });

  test('several files are told together, with what differs', async () => {
    const factsOf = async (text: string) => (await imported(text, own({ point: POINT }))).result.facts;
    const [one, other] = [await factsOf(meta('12', '12')), await factsOf(meta('10', '30'))];
    expect(linesOfImports([one, other]).filter((line) => line.includes('spread of each'))).toEqual([
      expect.stringContaining('(median 0.922 to 1.11 bps a file, from 0.922 to 2.76)'),
    ]);
  });
});

describe('figures', () => {
  const digits = fc.integer({ min: 1, max: 999_999 });

  property.prop(
    [
      digits,
      fc.integer({ min: 0, max: 7 }),
      fc.integer({ min: 0, max: 5000 }),
      fc.integer({ min: 0, max: 6 }),
      fc.constantFrom('bid', 'ask', 'mid'),
    ],
    {
      numRuns: 60,
    },
  )('bid and ask are the exact decimals', async (price, places, units, pointPlaces, priceIs) => {
    const of = decimalOf(`${price}e-${places}`);
    const point = decimalOf(`1e-${pointPlaces}`);
    const apart = point.times(units);
    const below = priceIs === 'bid' ? decimalOf(0) : priceIs === 'ask' ? apart : apart.times('0.5');
    const [bid, ask] = [of.minus(below), of.plus(apart.minus(below))];
    fc.pre(bid.gt(0) && ask.minus(bid).times(2).lt(ask.plus(bid).times('0.5')));
    const text = `time,price,apart\n${AT},${of.toString()},${units}\n`;
    expect(await sides(text, own({ spread: 'apart', point, priceIs }))).toEqual([[Number(bid.toString()), Number(ask.toString())]]);
  });

  property.prop([fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 60 })])(
    'the median is that of all spreads',
    (spreads) => {
      const seen = new SpreadStatistics();
      for (const spread of spreads) seen.add(1, 1 + spread / 100_000);
      const bps = spreads.map((spread) => spread / 10 / (1 + spread / 200_000)).sort((a, b) => a - b);
      const { medianBps = Number.NaN, lowBps, highBps } = seen.figures ?? {};
      const median = bps[Math.ceil(bps.length / 2) - 1] ?? Number.NaN;
      expect(Math.abs(medianBps - median)).toBeLessThanOrEqual(0.006 * median + 1e-9);
      expect([lowBps, highBps]).toEqual([bps[0], bps.at(-1)].map((one = 0) => Number(one.toPrecision(3))));
    },
  );

  test('nothing has none', () => {
    expect(new SpreadStatistics().figures).toBeUndefined();
  });
});

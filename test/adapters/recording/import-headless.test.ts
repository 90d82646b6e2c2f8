import { describe, expect, test } from 'vitest';
import { AT, imported, MINUTE } from './imported-bars.ts';

describe('a file without a header is what most of its first rows are, and a bad row among them is told by its line', () => {
  const stamp = (minute: number): string => new Date(AT + minute * MINUTE).toISOString();
  const newYork = (minute: number): string => new Date(AT - 300 * MINUTE + minute * MINUTE).toISOString();
  type Bar = readonly [open: number | string, high: number | string, low: number | string, close: number | string];
  const last = (time: (minute: number) => number | string, more: string, mark = ','): ((minute: number, bar: Bar) => string) => {
    return (minute, bar) => [time(minute), ...bar, ...more.split(',').filter(Boolean)].join(mark);
  };
  const seconds = (minute: number): number => AT / 1000 + minute * 60;
  const millis = (minute: number): number => AT + minute * MINUTE;
  const lines = {
    histdata: last((minute) => newYork(minute).replace(/^(....)-(..)-(..)T(..):(..):(..).*/, '$1$2$3 $4$5$6'), '0', ';'),
    metatrader: last((minute) => stamp(minute).replace(/^(....)-(..)-(..)T(..:..).*/, '$1.$2.$3,$4'), '5'),
    ohlc: last(stamp, ''),
    kraken: last(seconds, '1.5,4'),
    bybit: last(millis, '1,2'),
    okx: last(millis, '1,2,3,1'),
    binance: last(millis, '5,1,510,7,2,204,0'),
    coinbase: (minute: number, [open, high, low, close]: Bar) => [seconds(minute), low, high, open, close, 3].join(','),
  };
  const GOOD: Bar = [101, 103, 99, 102];
  const BAD: readonly (readonly [string, Bar, RegExp])[] = [
    ['its high is below its low', [101, 98, 99, 102], /low 99 is above high 98$/],
    ['a word stands for a number', [101, 103, 99, 'n/a'], /column 'close': 'n\/a' is not a price above zero/],
    ['its low is above its open', [101, 103, 101.5, 102], /open 101 is not between low 101.5 and high 103/],
  ];

  for (const [format, line] of Object.entries(lines)) {
    const file = (bad: ReadonlyMap<number, string>): string =>
      Array.from({ length: 9 }, (_, minute) => `${bad.get(minute) ?? line(minute, GOOD)}\n`).join('');
    const cut = (minute: number): string =>
      line(minute, GOOD)
        .split(/[,;]/)
        .slice(0, 2)
        .join(format === 'histdata' ? ';' : ',');

    test(`${format}, a bad row is told`, async () => {
      for (const [place, [, bar, says]] of BAD.entries())
        await expect(imported(file(new Map([[place, line(place, bar)]])))).rejects.toThrow(
          new RegExp(`bars\\.csv:${place + 1}: ${says.source}`),
        );
      await expect(imported(file(new Map([[0, cut(0)]])))).rejects.toThrow(/bars\.csv:1: has \d columns/);
    });

    test(`${format}, bad rows that are dropped`, async () => {
      const bad = new Map([...BAD.entries()].map(([place, [, bar]]) => [place, line(place, bar)]));
      const { result } = await imported(file(bad.set(3, cut(3))), { map: { bad: 'drop' } });
      expect(result).toMatchObject({ bad: 4, quotes: 5, facts: { format, barMs: MINUTE } });
      expect(result.badRows.map((row) => row.split(' ')[1])).toEqual(['1', '2', '3', '4']);
    });
  }

  test('a first row of nothing is no header', async () => {
    const rows = ['null,null,null,null,null', ...[1, 2, 3].map((minute) => lines.ohlc(minute, GOOD))];
    await expect(imported(rows.join('\n'))).rejects.toThrow(/bars\.csv:1: column 'close': 'null' is not a price/);
    expect((await imported(rows.join('\n'), { map: { bad: 'drop' } })).result).toMatchObject({ bad: 1, quotes: 3 });
  });

  test('a time in a column of its own is found though the first row has none', async () => {
    const text = `date,time,open,high,low,close\n2024.08.01,noon,100,103,99,102\n${[1, 2, 3].map((minute) => `2024.08.01,00:0${minute},100,103,99,102\n`).join('')}`;
    await expect(imported(text)).rejects.toThrow(/bars\.csv:2: column 'date': .* is not a time/);
    expect((await imported(text, { map: { bad: 'drop' } })).played.map(([at]) => at - AT)).toEqual([2, 3, 4].map((end) => end * MINUTE));
  });

  test('bars whose prices are mostly equal do not hide that columns are swapped', async () => {
    const flat = Array.from({ length: 20 }, (_, minute) => `${seconds(minute)},100,100,100,100,1,1`);
    const swapped = Array.from({ length: 5 }, (_, minute) => `${seconds(20 + minute)},100,99,103,102,1,1`);
    await expect(imported([...flat, ...swapped].join('\n'), { map: { bad: 'drop' } })).rejects.toThrow(/are those of no known format/);
  });
});

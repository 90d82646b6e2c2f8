import { expect, test } from 'vitest';
import { beginWithin, byTime, copyColumns, endWithin, figuresOf, filledColumns, slicedColumns, windowOf } from '#domain/columns-memory.ts';
import { firstAt } from '#domain/first-where.ts';
import { currency, laneIdOf, productCode } from '#domain/names.ts';
import { idAt, idsOf, type QuoteColumns, quoteAt, quotesOf, writeId } from '#domain/quote-columns.ts';
import { QuoteTape } from '#domain/quote-tape.ts';

const NAMES = { lane: laneIdOf('btcusd@base:0.1'), product: productCode('btcusd'), baseCcy: currency('btc'), quoteCcy: currency('usd') };
const idOf = (n: number): string => `5f1d7a52-0c4e-4b7e-9a57-${n.toString(16).padStart(12, '0')}`;

/** Quotes whose every figure is another number, at the given times and lines. */
function columnsOf(times: readonly number[], lines: readonly number[] = times.map((_, row) => row)): QuoteColumns {
  const fill = (target: QuoteColumns) => {
    for (const [column, figures] of figuresOf(target).entries())
      for (let row = 0; row < times.length; row++) figures[row] = column * 1000 + row;
    target.at.set(times);
    target.line.set(lines);
    const odd = new Map<number, string>();
    // The last first, so that an id that is too long reaches into one that is written.
    for (let row = times.length - 1; row >= 0; row--) {
      if (row % 3 === 1) odd.set(row, idOf(row).toUpperCase());
      else if (row % 3 === 0) writeId(idOf(row), target.ids, row * 16);
    }
    return odd;
  };
  return filledColumns(NAMES, [{ rows: times.length, fill }]);
}

test('a quote of columns has each figure where it belongs', () => {
  const columns = columnsOf([100, 200]);
  const [, one] = [0, 1].map((row) => quoteAt(columns, row));
  const side = (first: number) => ({
    ...{ price: first, size: first + 1000, value: first + 2000, feeInBaseCcy: first + 3000, feeInQuoteCcy: first + 4000 },
    ...{ slippage: first + 5000, slippagePercentage: first + 6000 },
  });
  expect(one).toEqual({
    ...{ id: idOf(1).toUpperCase(), product: 'btcusd', baseCcy: 'btc', quoteCcy: 'usd', lane: NAMES.lane },
    ...{ epoch: 3001, validUntil: 4001, buy: side(5001), sell: side(12_001) },
    ...{ feePercentage: 19_001, spread: 20_001, spreadPercentage: 21_001, dailyChangePercentage: 22_001 },
  });
  expect(quotesOf(columns)(1)).toEqual(one);
  for (const index of [-1, 2, 0.5 + 2]) expect(() => quoteAt(columns, index)).toThrow(/no quote .* among 2 of btcusd@base:0.1/);
});

test('ids come back as they were sent: plain ones, odd ones and none, one by one and in blocks', () => {
  const columns = columnsOf(Array.from({ length: 600 }, (_, n) => n));
  const id = idsOf(columns);
  for (const row of [0, 1, 2, 254, 255, 256, 257, 258, 511, 512, 599, 3]) {
    const expected = row % 3 === 1 ? idOf(row).toUpperCase() : row % 3 === 0 ? idOf(row) : null;
    expect([id(row), idAt(columns, row)]).toEqual([expected, expected]);
  }
});

test('an id that does not fit into sixteen bytes is not written', () => {
  const ids = new Uint8Array(32).fill(7);
  for (const odd of [idOf(1).toUpperCase(), 'x', `${idOf(1)}0`, `0${idOf(1)}`, '00000000-0000-0000-0000-000000000000'])
    expect(writeId(odd, ids, 16)).toBe(false);
  expect(ids.every((byte) => byte === 7)).toBe(true);
  expect(writeId('01234567-89ab-cdef-0123-456789abcdef', ids, 16)).toBe(true);
  expect([...ids.subarray(16)]).toEqual([0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]);
  expect(ids[15]).toBe(7);
});

test('a window and a slice have the rows between, with their ids; a slice is a copy and a window is not', () => {
  const columns = columnsOf([1, 2, 3, 4, 5]);
  const rowsOf = (part: QuoteColumns) => Array.from({ length: part.length }, (_, row) => quoteAt(part, row));
  const expected = rowsOf(columns).slice(1, 4);
  const [window, slice] = [windowOf(columns, 1, 4), slicedColumns(columns, 1, 4)];
  expect(rowsOf(window)).toEqual(expected);
  expect(rowsOf(slice)).toEqual(expected);
  columns.buy.price[2] = 9;
  expect([window.buy.price[1], slice.buy.price[1]]).toEqual([9, 5002]);
  expect([windowOf(columns, 4, 2).length, slicedColumns(columns, 4, 2).length]).toEqual([0, 0]);
});

test('by their times quotes keep all figures and ids, and those of one time their order', () => {
  const columns = columnsOf([30, 10, 20, 10, 30, 5]);
  const sorted = byTime(columns);
  const rows = [5, 1, 3, 2, 0, 4];
  expect([...sorted.at]).toEqual([5, 10, 10, 20, 30, 30]);
  expect([...sorted.line]).toEqual(rows);
  expect(rows.map((_, place) => quoteAt(sorted, place))).toEqual(rows.map((row) => quoteAt(columns, row)));
  expect([...sorted.oddIds]).toEqual([
    [1, idOf(1).toUpperCase()],
    [5, idOf(4).toUpperCase()],
  ]);
  expect(sorted.at.buffer).toBeInstanceOf(SharedArrayBuffer);
});

test('parts are loaded one after the other, and odd ids stand where their rows do', () => {
  const [first, second] = [columnsOf([1, 2]), columnsOf([3, 4, 5])];
  const both = filledColumns(
    { ...NAMES, barMs: 60_000 },
    [first, second].map((from) => ({ rows: from.length, fill: (to) => copyColumns(from, to) })),
  );
  expect([...both.at]).toEqual([1, 2, 3, 4, 5]);
  expect([0, 1, 2, 3, 4].map((row) => idAt(both, row))).toEqual([0, 1, 0, 1, 2].map((row, at) => idAt(at < 2 ? first : second, row)));
  expect([both.barMs, first.barMs, windowOf(both, 0, 1).barMs, 'barMs' in first]).toEqual([60_000, undefined, 60_000, false]);
});

test('windows that are put together bring the odd ids of their own rows, and no others', () => {
  const five = columnsOf([1, 2, 3, 4, 5]);
  const windows = [windowOf(five, 0, 4), windowOf(five, 2, 5)];
  const both = filledColumns(
    NAMES,
    windows.map((from) => ({ rows: from.length, fill: (to) => copyColumns(from, to) })),
  );
  expect(Array.from(both.at, (_, row) => idAt(both, row))).toEqual([0, 1, 2, 3, 2, 3, 4].map((row) => idAt(five, row)));
});

test('the first row that is not before a time is found, and a bar that ends with a period is of it', () => {
  const times = Float64Array.of(1, 3, 3, 5);
  expect([0, 1, 2, 3, 4, 5, 6].map((time) => firstAt(times, time))).toEqual([0, 0, 1, 1, 3, 3, 4]);
  expect(firstAt(new Float64Array(), 1)).toBe(0);
  expect([endWithin({}, 100), endWithin({ barMs: 60_000 }, 100)]).toEqual([100, 101]);
  const from = (first: number[], barMs?: number) =>
    beginWithin({ at: Float64Array.from(first), ...(barMs !== undefined && { barMs }) }, 100);
  expect([from([99]), from([99], 1), from([100], 1), from([101], 1), from([], 1)]).toEqual([100, 101, 100, 100, 100]);
});

const tapeOf = (
  lanes: readonly (readonly [times: readonly number[], lines?: readonly number[] | undefined, from?: number])[],
  most: number,
  before: number,
) => {
  const tape = new QuoteTape(10);
  // What an earlier stretch has left must not show.
  tape.fill(
    [
      { columns: columnsOf([1, 2]), from: 0 },
      { columns: columnsOf([1, 2], [5, 6]), from: 0 },
    ],
    10,
    100,
  );
  tape.fill(
    lanes.map(([times, lines, from = 0]) => ({ columns: columnsOf(times, lines), from })),
    most,
    before,
  );
  return tape;
};
/** The lanes whose quotes a walk comes by, up to a place. */
function orderOfTape(tape: QuoteTape, end = tape.length): readonly number[] {
  const order: number[] = [];
  const came = tape.walk(end, (lane, from, count, place) => {
    expect([place, tape.placeOf(lane, from)]).toEqual([order.length, order.length]);
    order.push(...Array.from({ length: count }, () => lane));
    return count;
  });
  expect(came).toBe(end);
  return order;
}

test('a tape has the quotes of all lanes by time, then by line, up to a time and a number', () => {
  const lanes = [
    [
      [10, 30, 40],
      [1, 4, 7],
    ],
    [
      [10, 20, 40],
      [2, 3, 6],
    ],
  ] as const;
  const tape = tapeOf(lanes, 10, 1000);
  expect(orderOfTape(tape)).toEqual([0, 1, 1, 0, 1, 0]);
  expect(orderOfTape(tapeOf(lanes, 4, 1000))).toEqual([0, 1, 1, 0]);
  expect(orderOfTape(tapeOf(lanes, 10, 40))).toEqual([0, 1, 1, 0]);
  expect(orderOfTape(tapeOf(lanes, 10, 41))).toHaveLength(6);
  expect([0, 1, 2].map((row) => tape.placeOf(0, row))).toEqual([0, 3, 5]);
  expect([0, 1, 2].map((row) => tape.placeOf(1, row))).toEqual([1, 2, 4]);
  expect([0, 1, 2, 3, 4, 5, 6].map((end) => tape.rows(1, end))).toEqual([
    [0, 0],
    [0, 0],
    [0, 1],
    [0, 2],
    [0, 2],
    [0, 3],
    [0, 3],
  ]);
});

test('a walk goes in stretches of one lane, and ends where less than a stretch is taken', () => {
  const tape = tapeOf(
    [
      [[10, 30, 31, 40]],
      [
        [20, 50],
        [9, 9],
      ],
    ],
    10,
    1000,
  );
  const stretches: number[][] = [];
  const walked = (end: number, most: number): number => {
    stretches.length = 0;
    return tape.walk(end, (lane, from, count) => {
      stretches.push([lane, from, count]);
      return Math.min(count, most);
    });
  };
  expect([walked(6, 9), stretches.map(String)]).toEqual([6, ['0,0,1', '1,0,1', '0,1,3', '1,1,1']]);
  expect([walked(4, 9), stretches.map(String)]).toEqual([4, ['0,0,1', '1,0,1', '0,1,2']]);
  expect([walked(6, 2), stretches.map(String)]).toEqual([4, ['0,0,1', '1,0,1', '0,1,3']]);
  expect([walked(6, 0), walked(0, 9)]).toEqual([0, 0]);
  expect(orderOfTape(tape, 3)).toEqual([0, 1, 0]);
});

test('it begins at the row that each lane has come to', () => {
  const tape = tapeOf(
    [
      [[10, 30, 40], [1, 4, 7], 1],
      [[10, 20, 40], [2, 3, 6], 2],
    ],
    10,
    1000,
  );
  expect(orderOfTape(tape)).toEqual([0, 1, 0]);
  expect([tape.rows(0, 3), tape.rows(1, 3), tape.placeOf(0, 2), tape.placeOf(1, 2)]).toEqual([[1, 3], [2, 3], 2, 1]);
  const longer = tapeOf(
    [
      [[10, 30, 40, 50], [1, 4, 7, 10], 1],
      [[10, 20, 40, 45], [2, 3, 6, 9], 2],
    ],
    10,
    1000,
  );
  expect(orderOfTape(longer)).toEqual([0, 1, 0, 1, 0]);
  expect([1, 2, 3].map((row) => longer.placeOf(0, row))).toEqual([0, 2, 4]);
  expect([2, 3].map((row) => longer.placeOf(1, row))).toEqual([1, 3]);
});

test('it ends before two quotes of which nothing says which comes first', () => {
  expect(
    orderOfTape(
      tapeOf(
        [
          [
            [10, 20],
            [1, 3],
          ],
          [[20], [3]],
        ],
        10,
        1000,
      ),
    ),
  ).toEqual([0]);
  expect(
    orderOfTape(
      tapeOf(
        [
          [[20], [3]],
          [[20], [3]],
          [[20], [2]],
        ],
        10,
        1000,
      ),
    ),
  ).toEqual([2]);
});

test('one lane alone is itself, from its row up to a time and a number', () => {
  const alone = (most: number, before: number, from = 0) => {
    const tape = tapeOf([[[10, 20, 30], undefined, from]], most, before);
    return [tape.length, tape.placeOf(0, from + 1), tape.rows(0, tape.length)];
  };
  expect(alone(10, 1000)).toEqual([3, 1, [0, 3]]);
  expect(alone(2, 1000)).toEqual([2, 1, [0, 2]]);
  expect(alone(10, 30)).toEqual([2, 1, [0, 2]]);
  expect(alone(10, 5)).toEqual([0, 1, [0, 0]]);
  expect(alone(10, 1000, 1)).toEqual([2, 1, [1, 3]]);
  expect(alone(10, 15, 1)).toEqual([0, 1, [1, 1]]);
  expect(tapeOf([], 10, 1000).length).toBe(0);
  expect(orderOfTape(tapeOf([[[10, 20, 30], undefined, 1]], 10, 1000))).toEqual([0, 0]);
});

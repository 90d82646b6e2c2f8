import { expect, test } from 'vitest';
import { importLines } from '#adapters/recording/import/import-lines.ts';
import { type Given, imported } from './imported-bars.ts';

/** Quotes of a file: time of arrival, bid and ask, as they were written. */
async function quotesIn(text: string, given: Given = {}) {
  const { played } = await imported(text, given);
  return played.map(([at, bid, ask]) => [new Date(at).toISOString(), bid, ask]);
}

const PRICES = '1.1,1.2,1.0,1.1';

/** Forms of one time, 2024-03-04 09:30, as programs write them: a bar of a minute each. */
test.each([
  ['<TICKER>,<DTYYYYMMDD>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>', 'EURUSD,20240304,093000,', 'EURUSD,20240304,093100,'],
  ['<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>', '20240304,0930,', '20240304,0931,'],
  ['Date,Open,High,Low,Close', '3/4/2024 9:30,', '3/4/2024 9:31,'],
  ['Date,Open,High,Low,Close', '3/4/2024 9:30:00 AM,', '3/4/2024 9:31:00 AM,'],
  ['Date,Open,High,Low,Close', '2024/3/4 9:30,', '2024/3/4 9:31,'],
  ['time,open,high,low,close', '2024-03-04T09:30:00Z,', '2024-03-04T09:31:00Z,'],
])('%s with %s', async (header, first, second) => {
  const quotes = await quotesIn(`${header}\n${first}${PRICES}\n${second}${PRICES}\n`, { map: { dates: 'mdy' } });
  expect(quotes.map(([at]) => at)).toEqual(['2024-03-04T09:31:00.000Z', '2024-03-04T09:32:00.000Z']);
});

test.each(["61'790.5", '61 790,5', '$61,790.5', '€ 61.790,5'])('thousands with a mark, and a currency: %s', async (price) => {
  const quotes = await quotesIn(`time;price\n1709303400000;${price}\n1709303401000;61790\n`, {
    map: { decimal: price.includes(',5') ? 'comma' : 'point' },
  });
  expect(quotes.map(([, bid]) => bid)).toEqual([61_790.5, 61_790]);
});

test.each(["110'165", "110'16", "61'790"])('a mark that may be of thousands or of 32nds is no price: %s', async (price) => {
  await expect(imported(`time,price\n1709303400000,${price}\n1709303401000,${price}\n`, { map: { bad: 'fail' } })).rejects.toThrow(
    /is not a price above zero/,
  );
});

test('bars of months are known once the longest month is over, also where most have 30 days', async () => {
  const months = ['04', '05', '06', '07'].map((month) => `2024-${month}-01,${PRICES}\n`).join('');
  const quotes = await quotesIn(`Date,Open,High,Low,Close\n${months}`);
  expect(quotes.map(([at]) => String(at).slice(0, 10))).toEqual(['2024-05-02', '2024-06-01', '2024-07-02', '2024-08-01']);
});

test('an hour of twelve: noon is 12 PM, midnight 12 AM', async () => {
  const rows = ['2024-01-08 12-AM', '2024-01-08 01-AM', '2024-01-08 12-PM', '2024-01-08 01-pm'];
  const quotes = await quotesIn(`Date,Open,High,Low,Close\n${rows.map((time) => `${time},${PRICES}\n`).join('')}`);
  expect(quotes.map(([at]) => String(at).slice(11, 13))).toEqual(['01', '02', '13', '14']);
});

test("an empty cell of MetaTrader's ticks is the side that stands", async () => {
  const ticks = `<DATE>\t<TIME>\t<BID>\t<ASK>\t<LAST>\t<VOLUME>\t<FLAGS>
2026.03.04\t00:00:00.351\t1.08512\t1.08524\t\t\t6
2026.03.04\t00:00:00.888\t\t1.08523\t\t\t4
2026.03.04\t00:00:01.204\t1.08511\t\t\t\t2
`;
  expect(await quotesIn(ticks)).toEqual([
    ['2026-03-04T00:00:00.351Z', 1.08512, 1.08524],
    ['2026-03-04T00:00:00.888Z', 1.08512, 1.08523],
    ['2026-03-04T00:00:01.204Z', 1.08511, 1.08523],
  ]);
});

test("a row of MetaTrader's ticks that is dropped leaves the next one neither side", async () => {
  const row = (second: number, sides: string): string => `2026.03.04\t00:00:0${second}.000\t${sides}\t\t\t6\n`;
  const rows = ['1.1\t1.2', '1.9\tx', '\t1.3', 'x\t1.8', '\t1.4', '1.0\t'].map((sides, second) => row(second, sides));
  const ticks = `<DATE>\t<TIME>\t<BID>\t<ASK>\t<LAST>\t<VOLUME>\t<FLAGS>\n${rows.join('')}`;
  expect((await quotesIn(ticks, { map: { bad: 'drop' } })).map(([, bid, ask]) => [bid, ask])).toEqual([
    [1.1, 1.2],
    [1.1, 1.3],
    [1.1, 1.4],
    [1.0, 1.4],
  ]);
});

test('what can be no time of prices is refused, not counted', async () => {
  const clock = Array.from({ length: 30 }, (_, n) => `${n * 100},${PRICES}\n`).join('');
  await expect(imported(`time,open,high,low,close\n${clock}`)).rejects.toThrow(
    /column 'time': '0' is 1970-01-01T.*, and no price is before 1973-03-03 \(--unit says which it is\)$/,
  );
  const days = Array.from({ length: 30 }, (_, n) => `${n},2024-03-0${1 + (n % 3)},1.1,1.2,1.0,${1.1 + n / 1000}\n`).join('');
  await expect(imported(`n,date,open,high,low,close\n${days}`)).rejects.toThrow(/2\d of 30 rows have the time of another row/);
});

test('times of ends are refused where they show it, and are put a bar earlier where somebody says so', async () => {
  const rows = (at: string) => [0, 1, 2].map((n) => `2024-03-01T14:3${n}:${at}Z,${PRICES}\n`).join('');
  const head = 'time,open,high,low,close\n';
  await expect(imported(head + rows('59.999'))).rejects.toThrow(/as those of ends: add --stamp end, or name begins with --time$/);
  for (const [at, first] of [
    ['59.999', '31'],
    ['59', '31'],
    ['00', '30'],
  ] as const) {
    const { played, manifest } = await imported(head + rows(at), { stamp: 'end' });
    expect(new Date(played[0]?.[0] ?? 0).toISOString()).toBe(`2024-03-01T14:${first}:00.000Z`);
    expect(manifest.imported && importLines(manifest.imported)).toContain('the times of the file are the ends of its bars');
  }
});

test('a form that no row has right is told as one: to drop such rows would lose the file', async () => {
  const rows = Array.from({ length: 30 }, (_, n) => `the ${n + 1}th,${PRICES}\n`).join('');
  const refused = imported(`time,open,high,low,close\n${rows}`, { map: { bad: 'fail' } });
  await expect(refused).rejects.toThrow(/that is how the file is written, and not known$/);
  await expect(refused).rejects.not.toThrow(/--bad drop/);
});

test('columns of sizes are told as not used, and rows that differ in them are not called repeated', async () => {
  const rows = ['1723161254087,100,1.5,101,2', '1723161254087,100,1.6,101,2', '1723161254090,100,1.6,102,2'];
  const { manifest } = await imported(`ts_ms,bid,bid_size,ask,ask_size\n${rows.join('\n')}\n`);
  const lines = manifest.imported ? importLines(manifest.imported) : [];
  expect(lines).toContain('bid_size and ask_size are not used: each quote has the size of its lane');
  expect(lines.at(-1)).toBe('3 rows: 0 crossed (drop), 0 locked, 0 unordered, 1 repeated in time and prices');
});

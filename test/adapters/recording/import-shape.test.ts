import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { AT, imported, MINUTE } from './imported-bars.ts';

const at = (minute: number): number => AT + minute * MINUTE;

test('a file whose rows are of several products, or of several lanes, is refused with both values, also where bad rows are dropped', async () => {
  const head = 'product,lane,ts_ms_open,mid_open,mid_high,mid_low,mid_close,quotes';
  const row = (minute: number, product: string, size: number): string => `${product},${product}@base:${size},${at(minute)},1,1,1,1,1`;
  const one = [0, 1, 2].map((minute) => row(minute, 'btcusd', 1));
  const file = (...more: readonly string[]): string => `${[head, ...one, ...more].join('\n')}\n`;
  for (const bad of [undefined, 'fail', 'drop'] as const) {
    await expect(imported(file(row(0, 'ethusd', 1)), { map: { bad } })).rejects.toThrow(
      /bars\.csv:5: column 'product' has 'ethusd' here and 'btcusd' before, and an import has prices of one product: keep .* \(data export --product CODE/,
    );
    await expect(imported(file(row(3, 'btcusd', 2)), { map: { bad } })).rejects.toThrow(
      /bars\.csv:5: column 'lane' has 'btcusd@base:2' here and 'btcusd@base:1' before.*keep the rows of one alone$/,
    );
  }
  expect((await imported(file())).result).toMatchObject({ quotes: 3, rows: 3 });
  const symbols = `Unix,Symbol,Close\n${at(0)},BTC/USD,1\n${at(1)},ETH/USD,2\n`;
  await expect(imported(symbols)).rejects.toThrow(/bars\.csv:3: column 'Symbol' has 'ETH\/USD' here and 'BTC\/USD' before/);
  const parquet = parquetWriteBuffer({
    columnData: [
      { name: 'product', data: ['btcusd', 'btcusd', 'ethusd'], type: 'STRING' },
      { name: 'time', data: [0, 1, 2].map(at), type: 'DOUBLE' },
      { name: 'close', data: [1, 1, 2], type: 'DOUBLE' },
    ],
  });
  const told = /bars\.csv: row 3: column 'product' has 'ethusd' here and 'btcusd' before/;
  await expect(imported(new Uint8Array(parquet), { map: { bad: 'drop' } })).rejects.toThrow(told);
});

describe('a file that was cut', () => {
  const KLINE = (minute: number, close: string): string => `${at(minute)},67990,68002.74,67978.17,${close},1,2,3,4,5,6,0`;
  const TITLES = 'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n';
  const whole = `${[0, 1, 2].map((minute) => `${KLINE(minute, '67990.06')}\n`).join('')}`;

  test.each([
    ['with a header', TITLES],
    ['without one', ''],
  ])('%s: a row with fewer columns is bad, also where all prices are there', async (_, head) => {
    const line = head === '' ? 4 : 5;
    for (const cut of ['67990', '67990.0', '67990.06,1,2,3,4,5,6'].flatMap((end) => [end, `${end}\n`])) {
      const file = `${head}${whole}${at(3)},67990,68002.74,67978.17,${cut}`;
      const columns = cut.split(',').length + 4;
      await expect(imported(file)).rejects.toThrow(new RegExp(`bars\\.csv:${line}: has ${columns} columns, and 12 are needed$`));
      const { result } = await imported(file, { map: { bad: 'drop' } });
      expect(result).toMatchObject({ rows: 4, quotes: 3, badRows: [`line ${line} has ${columns} columns, and 12 are needed`] });
    }
    const within = `${head}${KLINE(0, '67990')}\n${at(1)},67990,68002.74,67978.17,67990\n${whole}`;
    await expect(imported(within)).rejects.toThrow(`bars.csv:${line - 2}: has 5 columns`);
    expect((await imported(`${head}${whole}${KLINE(3, '67990')}`)).result).toMatchObject({ rows: 4, quotes: 4 });
  });

  test('columns are counted by commas outside of quotes, and titles of nothing at the end are none', async () => {
    const rows = [0, 1].map((minute) => `${at(minute)},1,"a,b",c`).join('\n');
    expect((await imported(`time,close,what,who,,\n${rows}\n`)).result).toMatchObject({ quotes: 2 });
    await expect(imported(`time,close,what,who\n${rows}\n${at(2)},1,"a,b"\n`)).rejects.toThrow(/:4: has 3 columns, and 4 are needed/);
  });

  test('a row longer than the header is bad: a decimal comma without quotes gives no wrong price', async () => {
    const ticks = `time,bid,ask\n${at(0)},1.1,1.2,5\n${at(1)},1.1,1.2\n`;
    const commas = `time,close,volume\n${[0, 1, 2].map((minute) => `${at(minute)},1,0851${minute},3\n`).join('')}`;
    const told =
      'bars.csv:2: has 4 columns, and 3 are expected: a number with a comma needs quotes; for decimal commas also --decimal comma';
    for (const file of [ticks, commas]) await expect(imported(file)).rejects.toThrow(told);
    expect((await imported(ticks, { map: { bad: 'drop' } })).result).toMatchObject({ rows: 2, quotes: 1 });
    expect((await imported(`time,bid,ask\n${at(0)},1,1,, \n${at(1)},1,1,\n`)).result).toMatchObject({ quotes: 2 });
    await expect(imported(`time;bid;ask\n${at(0)};1;1;2\n${at(1)};1;1\n`)).rejects.toThrow(
      /bars.csv:2: has 4 columns, and 3 are expected$/,
    );
  });

  test('within its last price: fewer decimals than in all rows before, and no newline', async () => {
    const file = (...closes: readonly string[]): string => closes.map((close, minute) => `${at(minute)},1,3,1,${close}`).join('\n');
    const told =
      /bars\.csv:3: column 'close': '1.' has fewer decimals than the rows before, and no newline ends it: it may be cut; .* newline$/;
    await expect(imported(file('1.50', '2.25', '1.'))).rejects.toThrow(told);
    for (const good of [file('1.50', '2.25', '1.75'), file('1.5', '2.25', '1.2'), file('2', '1', '2'), `${file('1.50', '2.25', '1.7')}\n`])
      expect((await imported(good)).result).toMatchObject({ quotes: 3 });
    const ticks = `time,bid,ask,lots\n${at(0)},1.10,1.20,5.5\n${at(1)},1.10,1.20,5`;
    expect((await imported(ticks)).result).toMatchObject({ quotes: 2 });
  });
});

test('a file whose first line no known sign separates is told as that, whatever format is named', async () => {
  for (const mark of [':', ' '])
    for (const head of [['time', 'open', 'high', 'low', 'close'].join(mark), ''])
      for (const format of [undefined, 'binance'] as const)
        await expect(
          imported(`${head}\n${[0, 1].map((minute) => [at(minute), 1, 1, 1, 1].join(mark)).join('\n')}\n`, { map: { format } }),
        ).rejects.toThrow(
          new RegExp(`bars\\.csv:${head === '' ? 2 : 1}: no comma, semicolon, tab or bar separates columns in '${head.slice(0, 20)}`),
        );
  expect((await imported(`time,close\n${at(0)},1\n${at(1)},1\n`)).result).toMatchObject({ quotes: 2 });
});

test('a file of a header alone has no rows, and nothing is written', async () => {
  for (const head of ['time,open,high,low,close', 'time,bid,ask', 'time,close\n\n'])
    await expect(imported(head)).rejects.toThrow(/bars\.csv: it has a header and no rows$/);
  const bids = `time,bid_open,bid_high,bid_low,bid_close\n${at(0)},1,1,1,1\n${at(1)},1,1,1,1\n`;
  const asks = 'time,ask_open,ask_high,ask_low,ask_close\n';
  await expect(imported(bids, { asks })).rejects.toThrow(/asks\.csv: it has a header and no rows$/);
  await expect(imported(`time,close\n${at(0)},x\n`, { map: { bad: 'drop' } })).rejects.toThrow(
    /no row could become a quote \(1 rows? read\)/,
  );
  await expect(imported(`time,bid,ask\n${at(0)},2,1\n${at(1)},2,1\n`)).rejects.toThrow(
    /no row could become a quote \(2 rows read\); 2 have the ask below the bid: --bid and --ask name their columns, --crossed keep takes them$/,
  );
});

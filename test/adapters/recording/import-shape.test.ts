import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
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

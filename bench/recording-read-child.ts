/** Reads a recording once and prints the milliseconds that it took and the quotes that it found. */
export type Side = 'first' | 'second' | 'duckdb';

const COLUMNS = [
  'line',
  'n',
  'epoch_ms(arrived_at)',
  'epoch_ms(valid_until)',
  'epoch',
  'buy_price',
  'sell_price',
  'buy_size',
  'sell_size',
  'fee_pct',
  'buy_slippage',
  'daily_change_pct',
];

const [side, path] = process.argv.slice(2);
if (path !== undefined) {
  const [ms, rows] = side === 'duckdb' ? await duckdb(path) : await kairos(path);
  console.log(`${ms} ${rows}`);
}

async function kairos(dir: string): Promise<[number, number]> {
  const { openColumns } = await import('#adapters/recording/open-columns.ts');
  const began = performance.now();
  const lanes = openColumns(dir).columns;
  return [performance.now() - began, lanes.reduce((sum, { length }) => sum + length, 0)];
}

async function duckdb(sealed: string): Promise<[number, number]> {
  const { DuckDBDoubleVector, DuckDBInstance } = await import('@duckdb/node-api');
  const began = performance.now();
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const wanted = COLUMNS.map((column) => `${column}::double`).join(', ');
  const result = await connection.run(`select ${wanted} from '${sealed}/quotes-*.parquet'`);
  const parts: Float64Array[][] = COLUMNS.map(() => []);
  const values = new Float64Array(1 << 16);
  let rows = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) break;
    rows += chunk.rowCount;
    for (const [place, column] of parts.entries()) {
      const vector = chunk.getColumnVector(place);
      if (!(vector instanceof DuckDBDoubleVector)) throw new Error('a column of no doubles');
      for (let row = 0; row < chunk.rowCount; row += 1) values[row] = vector.getItem(row) ?? Number.NaN;
      column.push(values.slice(0, chunk.rowCount));
    }
  }
  const taken = performance.now() - began;
  connection.closeSync();
  return [taken, rows];
}

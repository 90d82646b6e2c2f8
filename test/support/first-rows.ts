import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** The header and the first rows of a packed file of prices, as a file in `dir`, for those who play no more of it. */
export function firstRows(file: string, rows: number, dir: string): string {
  const lines = gunzipSync(readFileSync(file))
    .toString('latin1')
    .split('\n', rows + 1);
  const first = path.join(dir, path.basename(file, '.gz'));
  writeFileSync(first, `${lines.join('\n')}\n`);
  return first;
}

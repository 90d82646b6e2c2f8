import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeEach, expect, test, vi } from 'vitest';
import { programFor } from '#cli/commands.ts';
import { reportJson } from '#report/json.ts';
import { makeReport } from '#report/report.ts';
import { newFolder } from '../support/folder.ts';
import { DAY, type FillParts, laneColumns, MONDAY, recordOf } from '../support/report-data.ts';

const HOUR = 3_600_000;
const WIDTH = 80;

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

/** Writes a result of twenty round trips as `report --json` prints it; `spread`: what its data assumes. */
function kept(name: string, { fee, fast, spread }: { readonly fee: number; readonly fast: number; readonly spread: string }): string {
  const quotes = Array.from({ length: 72 }, (_, n) => ({ at: MONDAY + n * HOUR, buy: 100 }));
  const fills = quotes.slice(0, 40).map(({ at }, row): FillParts => ({ at, side: row % 2 === 0 ? 'buy' : 'sell', price: 100, fee, row }));
  const flows = [{ at: MONDAY, kind: 'opening', amount: 1_000 }] as const;
  const record = recordOf({ from: MONDAY, to: MONDAY + 3 * DAY, flows, fills });
  const config = JSON.stringify({ account: { currency: 'usd' }, strategies: [{ id: 'cross', params: { fast, slow: 20 } }] });
  const json = JSON.parse(JSON.stringify(reportJson(makeReport({ ...record, config }, [laneColumns(quotes)]))));
  json.headlineDetails.push({ code: 'NOTE', level: 'note', text: `btcusd: a spread of ${spread} is assumed` });
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(json));
  return file;
}

/** What a command shows on a terminal of 80 columns that has colours. */
async function shown(words: readonly string[]): Promise<string> {
  const { isTTY, columns } = process.stdout;
  let out = '';
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
      out += String(chunk);
      return true;
    }),
  );
  vi.stubEnv('FORCE_COLOR', '1');
  Object.assign(process.stdout, { isTTY: true, columns: WIDTH });
  try {
    await (await programFor(words)).parseAsync([...words], { from: 'user' });
  } finally {
    Object.assign(process.stdout, { isTTY, columns });
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
  return out;
}

test('two results on a terminal: a row a figure, equal ones as one line, and in colours what is better', async () => {
  const files = [kept('a.json', { fee: 1, fast: 5, spread: '2 bps' }), kept('b.json', { fee: 0.5, fast: 8, spread: '4 bps' })];
  const out = await shown(['report', ...files]);
  const text = stripVTControlCharacters(out);
  const lines = text.split('\n');
  expect(lines.filter(({ length }) => length > WIDTH)).toEqual([]);
  const whole = text.replace(/\n +/g, ' ');
  expect(whole).toContain('1 setting differs: strategies.cross.params.fast (5 / 8)');
  expect(lines).toContainEqual(expect.stringMatching(/^net profit {2,}\u221240\.00 usd {2,}\u221220\.00 usd \* {2,}\+20\.00 usd$/));
  expect(lines.filter((line) => /^(?:net profit|total return|costs)\b/.test(line)).every((line) => /\d.*\d.*\d/.test(line))).toBe(true);
  expect(whole).toMatch(/^equal: .*initial capital, /m);
  expect(text).not.toMatch(/^initial capital/m);
  expect(whole.match(/Buying and holding as much as/g)).toHaveLength(1);
  expect(lines).toContainEqual('A alone assumes  btcusd: a spread of 2 bps is assumed');
  expect(lines).toContainEqual('B alone assumes  btcusd: a spread of 4 bps is assumed');
  expect(out).toMatch(/\[32m *\+20\.00 usd/);
});

test('of two results of equal assumptions none is told', async () => {
  const files = ['a.json', 'b.json'].map((name, n) => kept(name, { fee: 1, fast: 5 + n, spread: '2 bps' }));
  expect(await shown(['report', ...files])).not.toContain('assumes');
});

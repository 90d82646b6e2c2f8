import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { exportBacktest } from '#daemon/operations/bundle/export-backtest.ts';
import { strategyYaml } from '../config/support.ts';
import { bench, OFF } from '../research/backtest/session-bench.ts';
import { ROOT } from '../support/root.ts';

const EXAMPLE = path.join(ROOT, 'examples/notebook');

const SEEING = `import { buy, mid, observe, sell, strategy } from 'kairos/strategy';
export default strategy({
  name: 'seeing',
  signals: ({ quotes$ }) => quotes$.pipe(mid(), observe('mid')),
  decide: (_mid, { position, amount }) => (position.isLong ? sell('position', 'out') : buy(amount, 'in')),
});
`;

interface Notebook {
  readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[];
}

/** The code of all cells, as a notebook runs them; magic is the notebook's own. */
function codeOf(file: string): string {
  const { cells }: Notebook = JSON.parse(readFileSync(file, 'utf8'));
  const code = cells.filter(({ cell_type }) => cell_type === 'code').map(({ source }) => source.join(''));
  return code.join('\n').replaceAll(/^%.*$/gm, '');
}

/** What the how-to types in pandas, on the same tables. */
const [, HOW_TO = ''] = /```python\n(.*?)```/s.exec(readFileSync(path.join(ROOT, 'docs/how-to/notebook.md'), 'utf8')) ?? [];

/** What a notebook would print at its end, with its output before that, from the tables of a backtest. Debian's Python has Debian's pandas, which has no pyarrow. */
async function answersOf(lines: Readonly<Record<string, string>>, told: string) {
  const { cwd, config } = bench(strategyYaml({ use: 'seeing', ...lines }) + OFF, { seconds: 120 }, { seeing: SEEING });
  const folders = { cwd, packaged: path.join(ROOT, 'strategies') };
  const { rows } = await exportBacktest({ config, data: undefined, dir: path.join(cwd, 'bundle'), folders });
  cpSync(EXAMPLE, cwd, { recursive: true });
  const code = `${codeOf(path.join(EXAMPLE, 'run.ipynb'))}\nfig.savefig('equity.png')\n${HOW_TO}print(json.dumps(${told}))\n`;
  const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', code], { cwd, env: { MPLBACKEND: 'agg', MPLCONFIGDIR: cwd } });
  return { cwd, rows, lines: stdout.trim().split('\n') };
}

test('the notebook of examples/ answers what its page promises, by pandas on SQLite', { tags: ['python3-pandas'] }, async () => {
  expect(HOW_TO).toContain('quantile');
  const told = '[float(fill_ratio), len(to_order_ms), float(by_hour.sum()), int(failed.sum()), len(worth), len(seen)]';
  const { cwd, rows, lines } = await answersOf({}, told);
  const [fillRatio, ordered, profit, failed, drawn, seen]: number[] = JSON.parse(lines.at(-1) ?? '');
  expect(rows.fills).toBeGreaterThan(5);
  expect(fillRatio).toBe(rows.fills / (ordered ?? 0));
  expect(profit).not.toBe(0);
  expect([failed, drawn, seen]).toEqual([rows.orders - rows.fills, rows.fills, rows.quotes]);
  expect(readFileSync(path.join(cwd, 'equity.png')).length).toBeGreaterThan(5_000);
});

test('without a rate the notebook says which currency lacks one, where it would draw', { tags: ['python3-pandas'] }, async () => {
  const { lines } = await answersOf({ budget: '{ usd: 10000, sek: 500 }' }, 'ax.get_title()');
  const why = 'no equity: no recorded quote leads from sek to usd: name a product that does in account.rates';
  expect(lines).toEqual([why, why, JSON.stringify(why)]);
});

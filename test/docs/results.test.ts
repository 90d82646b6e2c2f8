import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { fixedText } from '#domain/money-text.ts';
import { currency, productCode } from '#domain/names.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { BacktestSession } from '#research/backtest/session.ts';
import { configOf, folder } from '../config/support.ts';
import { sessionOf } from '../research/backtest/session-bench.ts';
import { ROOT } from '../support/root.ts';

/** Real EUR/USD ticks beside the checkout, which do not belong to the project. CI must have them. */
const TICKS = fileURLToPath(new URL('../../../shared/data/eurusd_oanda_ticks_20140501-15.csv.gz', import.meta.url));
const atHand = existsSync(TICKS) || process.env.CI !== undefined;
const PAGE = path.join(ROOT, 'docs/strategies-shipped.md');

/** The rows of the table of EUR/USD, by the strategy that each is of. */
const ROWS = {
  'buy-and-hold': 'use: buy-and-hold',
  'sma-cross 20/60': 'use: sma-cross, params: { fast: 20, slow: 60 }',
  'sma-cross 1000/5000': 'use: sma-cross, params: { fast: 1000, slow: 5000 }',
  'ema-cross 20/60': 'use: ema-cross, params: { fast: 20, slow: 60 }',
  'ema-cross 1000/5000': 'use: ema-cross, params: { fast: 1000, slow: 5000 }',
  'rsi-reversion, defaults': 'use: rsi-reversion',
  'grid, 0.1 %, 5 levels': 'use: grid, params: { stepPct: 0.1 }',
  'grid, 0.1 %, 5 levels, `follow`': 'use: grid, params: { stepPct: 0.1, follow: true }',
} as const;

const title = `the results of strategies are those of their commands${atHand ? '' : ' (skipped: no ../shared/data beside the checkout)'}`;
if (!atHand) console.warn(title);

/** `RESULTS=new` writes them anew. */
test.runIf(atHand)(
  title,
  async () => {
    const cwd = folder();
    const lane = laneFor(productCode('eurusd'), amountOf({ base: '1000' }));
    const names = { lane, baseCcy: currency('eur'), quoteCcy: currency('usd') };
    const out = path.join(cwd, 'eur');
    const ticks = { ...names, size: 1000, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
    await importFile({ file: TICKS, map: { time: 'ts_ms', bid: 'bid', ask: 'ask', unit: 'auto' }, ticks, out });
    const page = readFileSync(PAGE, 'utf8');
    let made = page;
    const entryOf = (row: string, id = 'one'): string => `  - { id: ${id}, product: eurusd, amount: { base: 1000 }, ${row} }\n`;
    const configWith = (entries: string) => configOf(`${SETTINGS}strategies:\n${entries}`, { cwd });
    // Ticks and modules are read once, for all rows.
    const all = configWith(
      Object.values(ROWS)
        .map((row, n) => entryOf(row, `row-${n}`))
        .join(''),
    );
    const { shared } = await sessionOf(all, cwd, { data: out });
    for (const [name, row] of Object.entries(ROWS)) {
      const options = { config: configWith(entryOf(row)), from: undefined, to: undefined, notice: () => {} };
      const run = (await BacktestSession.over(options, shared)).play();
      const total = outcomeOf(run).profit.find(({ group }) => group === 'total');
      const [closed, open] = [total?.profit.toNumber() ?? 0, total?.unrealised?.toNumber() ?? 0];
      const cells = [name, whole(total?.trades), whole(total?.won), money(closed), money(open), `**${money(closed + open)}**`];
      made = made.replace(new RegExp(`^\\| ${name} \\|.*$`, 'm'), `| ${cells.join(' | ')} |`);
    }
    if (process.env.RESULTS === 'new') writeFileSync(PAGE, made);
    expect(made).toBe(page);
  },
  900_000,
);

const SETTINGS = `recording: { dir: recordings }
journal: { path: kairos.db }
account: { allowShort: [] }
backtest: { latency: 100 }
`;
const whole = (count = 0): string => count.toLocaleString('en');
const money = (sum: number): string => (sum === 0 ? '0' : fixedText(sum, 2));

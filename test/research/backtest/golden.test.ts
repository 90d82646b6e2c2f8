import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { configOf, folder, strategyYaml } from '../../config/support.ts';
import { firstRows } from '../../support/first-rows.ts';
import { ROOT } from '../../support/root.ts';
import { bench, dumpOf, OFF, sessionOf } from './session-bench.ts';
import { randomRun } from './spans/random-run.ts';

/** A line each: the backtest, the hash of its canonical dump, and two letters of the hash of each row. `npm run golden` makes it anew. */
const KEPT = path.join(ROOT, 'test/kept/golden.txt');
const kept = new Map(
  readFileSync(KEPT, 'utf8')
    .trim()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line] as const),
);
const made = new Map<string, string>();

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Real quotes beside the checkout, which do not belong to the project. CI must have them. */
const DATA = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const CROSSES = {
  'ema-cross': 'params: { fast: 20, slow: 60 }, exits: { stopLossPct: 0.05, trailingPct: 0.1, net: true }',
  'sma-cross': 'params: { fast: 200, slow: 600 }',
  grid: 'params: { stepPct: 0.05, follow: true }',
  'rsi-reversion': 'params: { barSeconds: 60 }',
};
const REAL = [
  { name: 'ticks', code: 'eurusd', file: 'eurusd_oanda_ticks_20140501-15.csv.gz', rows: 11_000, size: '1000', to: Date.UTC(2014, 4, 1, 8) },
  {
    name: 'spot',
    code: 'btcusdt',
    file: 'btcusdt_binance_spot_quotes_20240809.csv.gz',
    rows: 18_000,
    size: '0.01',
    to: Date.UTC(2024, 7, 8, 23, 58),
  },
] as const;
const atHand = REAL.every(({ file }) => existsSync(path.join(DATA, file))) || process.env.CI !== undefined;
const title = `real quotes${atHand ? '' : ' (skipped: no ../shared/data beside the checkout)'}`;
if (!atHand) console.warn(title);

/** Hashes of settings and of the build are left out, and where a strategy threw: no decision follows from them. */
function expectKept(name: string, dump: readonly string[]): void {
  const rows = dump.map((row) => row.replace(/(?<=\\"(?:config|configHash|build)\\":\\")[0-9a-f]{64}|\\"stack\\":\\".*?\\",/g, ''));
  const marks = rows.map((row) => hashOf(row).slice(0, 2)).join('');
  const line = `${name}: ${hashOf(rows.join('\n'))} ${marks}`;
  made.set(name, line);
  if (process.env.GOLDEN === 'new' || line === kept.get(name)) return;
  const file = path.join(ROOT, 'var/golden', `${name}.jsonl`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, rows.join('\n'));
  const before = kept.get(name)?.split(' ').at(-1) ?? '';
  const at = rows.findIndex((_, n) => marks.slice(2 * n, 2 * n + 2) !== before.slice(2 * n, 2 * n + 2));
  const was = `${before.length / 2} rows are kept, ${rows.length} came; all are in ${file}`;
  expect.fail(`row ${at + 1} is the first that differs (${was}):\n${rows[at - 1]}\n${rows[at]}`);
}

afterAll(() => {
  if (process.env.GOLDEN !== 'new') return;
  const stays = atHand ? [] : [...kept].filter(([name]) => REAL.some((one) => name.startsWith(`${one.name}-`)));
  writeFileSync(KEPT, `${[...new Map([...stays, ...made]).values()].toSorted().join('\n')}\n`);
});

/** A recorded market at whose every quote something may bind: limits, exits, hours, a schedule, financing, an account in other money. */
const MARKET = { lanes: ['btcusd 0.01', 'ethusd 0.2', 'eurusd 920'], books: ['btcusd'], seconds: 400, volatility: 6 };
const STRICT = `account:
  currency: eur
  opening: { usd: 40000, eur: 20000, btc: 1, eth: 5 }
  allowShort: [btcusd, ethusd]
  rates: [{ product: eurusd, amount: { base: 920 } }]
  financing: { time: '09:03', timezone: UTC, triple: none, rates: [{ product: btcusd, long: -8, short: 2 }] }
risk: { maxOrdersPerMinute: 4, maxDayLoss: { eur: 30 }, maxDrawdownPct: 0.2, maxLossStreak: 3, lossCooldown: 30s, maxTotalValue: { eur: 3000 }, duplicateWindowMs: 500 }
schedule: [{ name: pause, cron: '*/3 * * * *', action: bot.pause }, { name: resume, cron: '1-59/3 * * * *', action: bot.resume }]
backtest: { latency: [20, 400], deposits: deposits.csv }
`;
const SHIPPED: Readonly<Record<string, string>> = {
  'book-imbalance': '{ depth: 3, books: 4, enter: 0 }, inputs: { book: { product: btcusd } }',
  'buy-and-hold': '{}, exits: { takeProfitPct: 0.1, stopLossPct: 0.05, maxHoldSeconds: 90 }',
  'coin-flip': '{ everySeconds: 20 }',
  'deposit-dca': '{ everySeconds: 45 }',
  'ema-cross': '{ fast: 5, slow: 20 }, exits: { stopLossPct: 0.05, trailingPct: 0.05, net: true }',
  grid: '{ stepPct: 0.02, follow: true }, budget: { usd: 2500 }',
  pair: '{ quotes: 60, enter: 1 }, inputs: { hedge: { product: ethusd, amount: { base: 0.2 } } }',
  'rsi-reversion': '{ barSeconds: 5, bars: 6 }',
  'sma-cross': "{ fast: 3, slow: 9 }, windows: { open: ['mon-fri 09:02-09:05'] }",
};
const entryOf = (use: string, rest: string): string =>
  `  - { id: ${use}, use: ${use}, product: btcusd, amount: { base: 0.01 }, params: ${rest} }\n`;

describe('a fixed backtest leaves the journal that is kept', () => {
  test('every shipped strategy, alone where everything binds, and all together', async () => {
    const entries = Object.entries(SHIPPED).map(([use, rest]) => [use, entryOf(use, rest), STRICT] as const);
    const all = entries.map(([, entry]) => entry).join('');
    const short = 'account: { allowShort: [btcusd, ethusd] }\n';
    const runs = [...entries, ['all-usual', all, short], ['all-free', all, `${short}${OFF}`], ['all-strict', all, STRICT]] as const;
    const { cwd } = bench(strategyYaml(), MARKET);
    writeFileSync(path.join(cwd, 'deposits.csv'), 'time,currency,amount\n2026-01-05T09:01:00Z,usd,900\n2026-01-05T09:04:00Z,usd,-200\n');
    for (const [name, strategies, settings] of runs) {
      const config = configOf(`strategies:\n${strategies}${settings}recording: { dir: recordings }\n`, { cwd });
      const session = await sessionOf(config, cwd);
      expectKept(name, dumpOf(session, session.play(), path.join(cwd, `${name}.db`)));
    }
  });

  test('drawn quotes, strategies and settings', () => {
    const cwd = folder();
    for (let seed = 1; seed <= 24; seed += 1) {
      const { play, config } = randomRun(seed, 400, { several: seed % 3 === 0, bars: seed % 6 === 0 });
      expectKept(`drawn-${seed}`, dumpOf({ config }, play(false), path.join(cwd, `${seed}.db`)));
    }
  });

  test.runIf(atHand)(title, async () => {
    for (const { name, code, file, rows, size, to } of REAL) {
      const lane = laneFor(productCode(code), amountOf({ base: size }));
      const names = { lane, baseCcy: currency(code.slice(0, 3)), quoteCcy: currency(code.slice(3)) };
      const ticks = { ...names, size: Number(size), feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
      const { cwd } = bench(strategyYaml(), { seconds: 1 });
      await importFile({
        file: firstRows(path.join(DATA, file), rows, cwd),
        map: { time: 'ts_ms', bid: 'bid', ask: 'ask', unit: 'auto' },
        ticks,
        out: `${cwd}/ticks`,
      });
      for (const [use, rest] of Object.entries(CROSSES)) {
        const config = configOf(
          `strategies:\n  - { id: one, use: ${use}, product: ${code}, amount: { base: ${size} }, ${rest} }\naccount: { currency: ${code.slice(3)} }\nbacktest: { latency: 50, limits: off }\n`,
          { cwd },
        );
        const session = await sessionOf(config, cwd, { data: `${cwd}/ticks`, to });
        expectKept(`${name}-${use}`, dumpOf(session, session.play(), path.join(cwd, `${use}.db`)));
      }
    }
  });
});

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { BUNDLE_TABLES, columnsIn } from '#adapters/export/schema.ts';
import { exportBacktest } from '#daemon/operations/bundle/export-backtest.ts';
import { exportRun } from '#daemon/operations/bundle/export-run.ts';
import { exportTrials, trialLogNamed } from '#daemon/operations/bundle/export-trials.ts';
import { reportOfRun } from '#daemon/operations/report/run-report.ts';
import { keepBacktest } from '#research/backtest/save-run.ts';
import { TrialLog } from '#research/replay/trial-log.ts';
import { sweep } from '#research/sweep/sweep.ts';
import { trialLogs } from '#research/sweep/sweep-config.ts';
import { moved } from '../../../adapters/journal/rows.ts';
import { strategyYaml } from '../../../config/support.ts';
import { type Bench, bench, OFF } from '../../../research/backtest/session-bench.ts';
import { here as playedHere, playing, studyOf } from '../../../research/sweep/study.ts';
import { ROOT } from '../../../support/root.ts';

/** Trades now and then, and says what it saw. */
const SEEING = `import { buy, mid, observe, sell, strategy } from 'kairos/strategy';
import { map } from 'rxjs';
export default strategy({
  name: 'seeing',
  signals: ({ quotes$ }) => quotes$.pipe(mid(), observe('mid'), map((price, n) => ({ price, turn: n % 20 === 0, why: 'ünd so' }))),
  decide: ({ turn }, { position, amount }) => (!turn ? undefined : position.isLong ? sell('position', 'out') : buy(amount, 'in, ünd so')),
});
`;

const IDLE = `import { strategy } from 'kairos/strategy';
import { filter } from 'rxjs';
export default strategy({ name: 'idle', signals: ({ quotes$ }) => quotes$.pipe(filter(() => false)), decide: () => undefined });
`;

/** A folder with strategies and a recording; what a backtest of it comes to as tables. */
function made() {
  // A strategy that never trades: its capital is no part of what traded.
  const idle = strategyYaml({ id: 'idle', use: 'idle' }).replace('strategies:\n', '');
  const here = bench(strategyYaml({ use: 'seeing' }) + idle + OFF, { seconds: 120 }, { seeing: SEEING, idle: IDLE });
  const folders = { cwd: here.cwd, packaged: path.join(ROOT, 'strategies') };
  const dir = path.join(here.cwd, 'bundle');
  return { here, folders, dir, exported: () => exportBacktest({ config: here.config, data: undefined, dir, folders }) };
}

async function keptIn(here: Bench) {
  const session = await here.open();
  const journal = path.join(here.cwd, 'kept.db');
  const run = session.play();
  keepBacktest(session, run, journal);
  return { run, settings: { journal: { path: journal }, recording: { dir: here.dir } } };
}

function rowsIn<Row>(dir: string, sql: string): Row[] {
  const database = new Database(path.join(dir, 'bundle.sqlite'), { readonly: true });
  try {
    return database.prepare<[], Row>(sql).all();
  } finally {
    database.close();
  }
}

describe('a backtest as tables for a notebook', () => {
  test('every table is in SQLite and in Parquet, with the columns of the reference and the same values', async () => {
    const { dir, exported } = made();
    await exported();
    const { rows, notes } = await exported();
    expect(notes).toEqual([]);
    const duck = await (await DuckDBInstance.create(':memory:')).connect();
    for (const table of BUNDLE_TABLES) {
      const columns = columnsIn(table);
      const told = columns.map(({ name, kind }) => (kind === 'time' ? `strftime(${name}, '%Y-%m-%dT%H:%M:%S.%gZ') AS ${name}` : name));
      const read = await duck.runAndReadAll(`SELECT ${told} FROM '${path.join(dir, table)}.parquet'`);
      const numbers = new Set(columns.filter(({ kind }) => kind === 'whole').map(({ name }) => name));
      const parquet = read
        .getRowObjectsJson()
        .map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [name, numbers.has(name) && value !== null ? Number(value) : value]),
          ),
        );
      const sqlite = rowsIn<Record<string, unknown>>(dir, `SELECT * FROM ${table}`);
      expect(Object.keys(sqlite[0] ?? {})).toEqual(sqlite.length === 0 ? [] : columns.map(({ name }) => name));
      expect(parquet, table).toEqual(sqlite);
      expect(sqlite).toHaveLength(rows[table]);
    }
    duck.closeSync();
  });

  test('orders, round trips and equity are those of the report', async () => {
    const { here, dir, exported } = made();
    await exported();
    const { run, settings } = await keptIn(here);
    const report = reportOfRun({ settings, run: run.run });
    const trips = rowsIn<{ profit: number; exit_why: string }>(dir, 'SELECT profit, exit_why FROM round_trips');
    expect(trips.length).toBeGreaterThan(2);
    expect(trips).toEqual(report.trades.map(({ profit, exitReason }) => ({ profit, exit_why: exitReason })));
    const orders = rowsIn<object>(dir, 'SELECT order_id, why, quoted_price AS price, filled_price AS filled, time_left_ms FROM orders');
    expect(orders).toEqual(
      report.orders.map(({ order, why, fill, timeLeftMs }) => ({
        ...{ order_id: order.id, why, price: Number(order.price), filled: fill && Number(fill.price), time_left_ms: timeLeftMs },
      })),
    );
    expect(rowsIn(dir, 'SELECT 1 FROM orders WHERE quoted_at IS NULL OR quoted_at > intent_at')).toEqual([]);
    const equity = typeof report.equity === 'string' ? undefined : report.equity;
    const last = rowsIn<{ last: number; profit: number; currency: string }>(dir, 'SELECT *, last - paid_in AS profit FROM equity').at(-1);
    expect(last?.last).toBeCloseTo(equity?.final ?? 0, 6);
    expect([last?.profit, last?.currency]).toEqual([expect.closeTo((equity?.netProfit ?? 0) + (equity?.revaluation ?? 0), 6), 'usd']);
    const [paidIn] = rowsIn<{ meaning: string }>(dir, "SELECT meaning FROM columns WHERE column_name = 'paid_in'");
    expect(paidIn?.meaning).toMatch(/the rest of `last` is profit and revaluation$/);
    const deepest = Math.max(...(equity?.fallChart ?? []).map(({ high }) => high));
    expect(rowsIn(dir, 'SELECT max(drawdown) AS most FROM equity')).toEqual([{ most: expect.closeTo(deepest, 12) }]);
  });

  test('the schema that goes with it says all: each unit, each code and each fact, without a page beside it', async () => {
    const { dir, exported } = made();
    await exported();
    interface Says {
      readonly table_name: string;
      readonly column_name: string;
      readonly unit: string;
      readonly meaning: string;
    }
    const says = rowsIn<Says>(dir, 'SELECT * FROM columns');
    expect(says.filter(({ meaning }) => /\]\(|see below|page|^as text|^of /.test(meaning))).toEqual([]);
    const named = new Set(says.map(({ table_name, column_name }) => `${table_name} ${column_name}`));
    const foreign = says.filter(
      ({ table_name, unit }) => !/^(-|UTC|%|ms|share|its own)$/.test(unit) && !named.has(`${table_name} ${unit}`),
    );
    expect(foreign).toEqual([]);
    const unsaid = (column: string, values: string): unknown[] =>
      rowsIn(
        dir,
        `SELECT * FROM (${values}) WHERE code IS NOT NULL AND code NOT IN (SELECT code FROM codes WHERE column_name = '${column}')`,
      );
    expect(unsaid('about.name', 'SELECT name AS code FROM about')).toEqual([]);
    expect(unsaid('decisions.kind', 'SELECT kind AS code FROM decisions')).toEqual([]);
    expect(unsaid('orders.state', 'SELECT state AS code FROM orders')).toEqual([]);
    expect(unsaid('reason', 'SELECT reason AS code FROM decisions UNION SELECT reason FROM orders')).toEqual([]);
    const currencies = ['quotes', 'orders', 'fills', 'round_trips'].map((table) => `SELECT base_ccy, quote_ccy FROM ${table}`);
    expect(rowsIn(dir, currencies.join(' UNION '))).toEqual([{ base_ccy: 'btc', quote_ccy: 'usd' }]);
    expect(rowsIn(dir, 'SELECT strategy, kind, amount, currency FROM capital')).toEqual([
      { strategy: 'one', kind: 'opening', amount: 10_000, currency: 'usd' },
      { strategy: 'idle', kind: 'opening', amount: 10_000, currency: 'usd' },
    ]);
  });

  test('signals are there at every emission, also where nothing was wanted', async () => {
    const { dir, exported } = made();
    const { rows } = await exported();
    const names = rowsIn<{ name: string; count: number }>(dir, 'SELECT name, count(*) AS count FROM signals GROUP BY name ORDER BY name');
    expect(names).toEqual(['mid', 'signal.price', 'signal.turn', 'signal.why'].map((name) => ({ name, count: rows.quotes })));
    expect(rowsIn(dir, "SELECT 1 FROM signals WHERE name = 'signal.why' AND text <> '\"ünd so\"'")).toEqual([]);
    const unheard = `SELECT 1 FROM decisions d WHERE kind = 'intent' AND NOT EXISTS (
      SELECT 1 FROM signals s WHERE s.inbox_seq = d.inbox_seq AND s.name = 'mid' AND s.value = d.detail -> '$.signals.mid')`;
    expect(rows.decisions).toBeGreaterThan(10);
    expect(rowsIn(dir, unheard)).toEqual([]);
  });
});

test('a kept backtest says that its signals are missing, and how to have them', async () => {
  const { here, dir, folders } = made();
  const { run, settings } = await keptIn(here);
  const { rows, notes } = await exportRun({ settings, run: 'last', dir, folders });
  expect(rows).toMatchObject({ signals: 0, decisions: run.decisions.length });
  expect(notes).toEqual([expect.stringContaining('kairos export backtest')]);
});

test('a run that a rotation moves to an archive while it is exported is refused, and nothing half written is left', async () => {
  const { here, dir, folders } = made();
  const { settings } = await keptIn(here);
  const exporting = exportRun({ settings, run: 'last', dir, folders });
  const archive = moved(settings.journal.path);
  await expect(exporting).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining(archive) });
  expect(readdirSync(dir)).toEqual([]);
});

test('a budget in a currency without a rate: no equity, and terminal and bundle name the currency', async () => {
  const here = bench(strategyYaml({ use: 'seeing', budget: '{ usd: 10000, sek: 500 }' }) + OFF, { seconds: 120 }, { seeing: SEEING });
  const dir = path.join(here.cwd, 'bundle');
  const folders = { cwd: here.cwd, packaged: path.join(ROOT, 'strategies') };
  const { notes, rows } = await exportBacktest({ config: here.config, data: undefined, dir, folders });
  const why = 'no recorded quote leads from sek to usd: name a product that does in account.rates';
  expect([rows.equity, rows.capital, notes]).toEqual([0, 2, [`no equity: ${why}`]]);
  expect(rowsIn(dir, "SELECT value FROM about WHERE name = 'missing_equity'")).toEqual([{ value: why }]);
});

test('an export that fails leaves nothing half written', async () => {
  const { here, dir, folders } = made();
  const settings = { journal: { path: path.join(here.cwd, 'nowhere.db') }, recording: { dir: here.dir } };
  await expect(exportRun({ settings, run: 'last', dir, folders })).rejects.toThrow('there is no journal');
  expect(existsSync(dir)).toBe(false);
});

test('the trials of the last sweep are there with what they varied', () => {
  const { here, dir } = made();
  const { settings } = here.config;
  expect(() => exportTrials(settings, { dir })).toThrow('kairos sweep --vary');
  const log = TrialLog.open(path.join(trialLogs(settings), 'one.jsonl'));
  log.begin({
    ...{ dataHash: 'd', data: 'recordings', config: '{}', sources: {}, version: '0.1.0', code: 'c', latency: '0 ms', vary: ['a.fast=5,9'] },
    ...{ random: null, seed: '1', by: null, from: null, to: null },
  });
  const trial = { days: [], fills: 4, exact: 4, halted: null, failed: null, headlines: [], refusals: [], from: 0, to: null };
  const of = (fast: number, netProfit: number) => ({
    ...{ ...trial, id: `t${fast}`, setup: `s${fast}`, params: { a: { fast } }, figures: { netProfit, trades: 2 }, currency: 'usd' },
  });
  log.keep([of(5, 1.5), { ...of(9, -2), params: { a: { fast: 'none' } }, replayed: true }]);
  log.close();
  expect(exportTrials(settings, { dir }).rows).toMatchObject({ trials: 2, parameters: 2, orders: 0 });
  const joined =
    'SELECT value AS fast, number, played, net_profit, trades, currency FROM trials JOIN parameters USING (trial) ORDER BY net_profit';
  expect(rowsIn(dir, joined)).toEqual([
    { fast: 'none', number: null, played: 'replayed', net_profit: -2, trades: 2, currency: 'usd' },
    { fast: '5', number: 5, played: 'engine', net_profit: 1.5, trades: 2, currency: 'usd' },
  ]);
});

test('of two sweeps on the same quotes the last one is exported whole, under its own names, with rank and objective', async () => {
  const { dir } = made();
  const cross = bench(`${strategyYaml({ params: '{ fast: 2, slow: 4 }' })}${OFF}backtest: { latency: 20 }\n`, { seconds: 120 });
  const { settings } = cross.config;
  const swept = async (vary: readonly string[], options = {}) => {
    const study = await studyOf(cross, { players: playedHere, ...options });
    await sweep(study, { vary, random: undefined, seed: '1', by: 'objective' }, playing());
    await study.close();
  };
  await swept(['one.fast=2,3', 'one.exits.stopLossPct=none,1']);
  await swept(['one.fast=2,3', 'one.amount=0.01,0.005'], {
    objective: Object.assign(({ fills = 0, netProfit }: Record<string, number>) => fills + (netProfit ?? 0), { source: '' }),
  });
  expect(exportTrials(settings, { dir })).toMatchObject({ notes: [], rows: { trials: 4, parameters: 8 } });
  const joined = `SELECT value, rank, objective IS NOT NULL AS own FROM trials JOIN parameters USING (trial) WHERE name = 'amount.base' ORDER BY rank`;
  expect(rowsIn(dir, joined).map((row) => Object(row).value)).toHaveLength(4);
  expect(rowsIn(dir, joined)).toMatchObject([1, 2, 3, 4].map((rank) => ({ rank, own: 1 })));
  expect(rowsIn(dir, "SELECT count(*) AS n FROM parameters WHERE name = 'exits.stopLossPct'")).toEqual([{ n: 0 }]);
});

test('an older sweep is exported by its log or its name, and what is no log says so', () => {
  const { here, dir } = made();
  const { settings } = here.config;
  const folder = trialLogs(settings);
  const about = { sources: {}, version: '0.1.0', code: 'c', latency: '0 ms', random: null, seed: '1', by: null, from: null, to: null };
  for (const name of ['older', 'newer']) {
    const log = TrialLog.open(path.join(folder, `${name}.jsonl`));
    log.begin({ ...about, dataHash: name, data: 'recordings', config: '{}', vary: [name] });
    log.close();
  }
  const varied = () => rowsIn(dir, "SELECT value FROM about WHERE name = 'vary'");
  const older = path.join(folder, 'older.jsonl');
  for (const name of [older, 'older.jsonl', 'older']) {
    expect(trialLogNamed(settings, name)).toBe(older);
    exportTrials(settings, { dir, log: older });
    expect(varied()).toEqual([{ value: 'older' }]);
  }
  expect(trialLogNamed(settings, 'last')).toBeUndefined();
  expect(() => trialLogNamed(settings, 'none.jsonl')).toThrow(`there is no none.jsonl: sweeps are kept in ${folder}`);
  const strange = path.join(here.cwd, 'strange.jsonl');
  writeFileSync(strange, '{"kind":"run"}\n');
  expect(() => exportTrials(settings, { dir, log: strange })).toThrow(`${strange} is no log of a sweep`);
});

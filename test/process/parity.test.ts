import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { columnsOf } from '#adapters/recording/log-columns.ts';
import { openRun } from '#adapters/recording/open-run.ts';
import { tidyRecordings } from '#adapters/recording/retention.ts';
import { logPath, RunLog } from '#adapters/recording/run-log.ts';
import { sealRun } from '#adapters/recording/seal.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { exportRun } from '#daemon/operations/bundle/export-run.ts';
import { BEHAVIOUR, BEHAVIOURS } from '#domain/behaviours.ts';
import { runId } from '#domain/names.ts';
import { against } from '#research/backtest/against.ts';
import { openSession } from '#research/backtest/open-session.ts';
import { parityOf } from '#research/parity/parity.ts';
import { rowsOf } from '../support/books.ts';
import { type PaperRun, paperRun } from '../support/paper-run.ts';
import { runKairos } from '../support/process.ts';
import { recordedQuote } from '../support/recorded-quotes.ts';

const QUOTES = 1200;
const ORDERS = 30;

let paper: PaperRun;
beforeAll(async () => {
  paper = await paperRun({ quotes: QUOTES, orders: ORDERS });
});
afterAll(() => paper.remove());

/** The run's files once more, for a test that harms them; gone when it ends. */
function copied(): { readonly folder: string; readonly log: string; readonly settings: PaperRun['config']['settings'] } {
  const folder = `${paper.folder}-copy`;
  cpSync(paper.folder, folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dir = path.join(folder, 'recordings');
  const { settings } = paper.config;
  const own = {
    ...settings,
    journal: { ...settings.journal, path: path.join(folder, 'kairos.db') },
    recording: { ...settings.recording, dir },
  };
  return { folder, log: logPath(dir, paper.run), settings: own };
}

const foldersOf = (cwd: string) => ({ cwd, packaged: PACKAGED_STRATEGIES });

describe('a paper run replays to the same decisions', () => {
  test('the run has seen what it should have: quotes, orders, a reconnect, an expired order and an unknown one', () => {
    const log = openRun(logPath(paper.config.settings.recording.dir, paper.run));
    const lanes = columnsOf(log.items()).filter(({ lane }) => !lane.includes('#'));
    expect(lanes).toHaveLength(2);
    for (const { n, epoch, length } of lanes) {
      expect(n.filter((number) => !Number.isNaN(number)).length).toBeGreaterThanOrEqual(QUOTES);
      expect(epoch[length - 1]).toBeGreaterThan(1);
    }
    expect(paper.orders.accepted).toBeGreaterThanOrEqual(ORDERS);
    expect(paper.orders.expired).toBeGreaterThanOrEqual(1);
    expect(rowsOf(paper.journal, "SELECT 1 FROM decisions WHERE kind = 'unknown'").length).toBeGreaterThanOrEqual(1);
  });

  test('I19 parity compares every decision, order, ledger entry and output', async () => {
    const { settings } = paper.config;
    const result = await parityOf({ settings, run: 'last', folders: foldersOf(paper.folder) });
    expect(result.difference).toBeUndefined();
    expect(result).toMatchObject({ equal: true, complete: true, remarks: [], limits: [] });
    const count = (sql: string): number => rowsOf<{ count: number }>(paper.journal, sql)[0]?.count ?? 0;
    expect(result.compared).toMatchObject({
      decisions: count('SELECT count(*) AS count FROM decisions WHERE inbox_seq > 0'),
      orders: count('SELECT count(*) AS count FROM orders'),
      ledger: count('SELECT count(*) AS count FROM ledger'),
    });
  });

  test('a strategy that decides otherwise is found: its source is named first, then the first difference', async () => {
    const { settings, folder } = copied();
    const file = path.join(folder, 'strategies', 'cross.ts');
    writeFileSync(file, readFileSync(file, 'utf8').replace("'fast below slow'", "'slow above fast'"));
    const result = await parityOf({ settings, run: paper.run, folders: foldersOf(folder) });
    expect(result.equal).toBe(false);
    expect(result.remarks).toContain('strategy cross-10-30: its source is another one than in the run');
    // The first that it decides may be an order, or refused because this machine does not keep up.
    const field = expect.stringMatching(/^detail\.(intent\.)?why$/);
    expect(result.difference?.fields).toEqual([{ field, recorded: 'fast below slow', replayed: 'slow above fast' }]);
  });

  test('a strategy that only watches otherwise is found as well, by the command with exit 4', async () => {
    const { settings, folder } = copied();
    const file = path.join(folder, 'strategies', 'cross.ts');
    writeFileSync(file, readFileSync(file, 'utf8').replace("observe('fast', sma(fast))", "observe('fast', sma(fast + 1))"));
    const set = ['--set', `journal.path=${settings.journal.path}`, '--set', `recording.dir=${settings.recording.dir}`];
    const { code, stdout, stderr } = await runKairos(['parity', 'last', ...set], { cwd: folder });
    expect({ code, stdout, stderr }).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/^note: strategy cross-10-30: its source[\s\S]*the first difference is row \d+ of decisions/),
      stderr: expect.stringMatching(/row \d+ of decisions at 20\S+ .*after \d+ equal decisions; strategy cross-10-30/),
    });
    const same = await runKairos(['parity', 'last', '--json', ...set], { cwd: paper.folder });
    expect(same.code).toBe(0);
    expect(JSON.parse(same.stdout)).toMatchObject({ run: paper.run, equal: true, complete: true });
  });

  test('a run of an earlier version names what has changed the decisions since', async () => {
    const { settings, folder, log } = copied();
    const text = readFileSync(log, 'utf8');
    const remarksOf = async (behaviour: string): Promise<readonly string[]> => {
      writeFileSync(log, text.replace(`"behaviour":${BEHAVIOUR},`, behaviour));
      return (await parityOf({ settings, run: 'last', folders: foldersOf(folder) })).remarks;
    };
    expect(await remarksOf(`"behaviour":${BEHAVIOUR - 1},`)).toEqual([
      `decisions changed since the run, ${BEHAVIOUR}: ${BEHAVIOURS.at(-1)}`,
    ]);
    expect(await remarksOf('')).toHaveLength(BEHAVIOUR);
  });

  test('an order that the journal has and the inbox does not bring about is a difference', async () => {
    const { settings, folder, log } = copied();
    const lines = readFileSync(log, 'utf8').split('\n');
    const answer = lines.findIndex((line) => line.includes('"outcome":"accepted"'));
    writeFileSync(log, lines.with(answer, (lines[answer] ?? '').replace('"outcome":"accepted"', '"outcome":"rejected"')).join('\n'));
    const { equal, difference } = await parityOf({ settings, run: 'last', folders: foldersOf(folder) });
    expect(equal).toBe(false);
    expect(difference).toMatchObject({ table: 'decisions', recorded: { kind: 'accepted' }, replayed: { kind: 'rejected' } });
  });

  test('an order that the journal has lost is a difference', async () => {
    const { settings, folder } = copied();
    const database = new Database(settings.journal.path);
    const id = database.prepare('SELECT order_id FROM orders LIMIT 1').pluck().get();
    database.prepare('DELETE FROM orders WHERE order_id = ?').run(id);
    database.close();
    const { equal, difference } = await parityOf({ settings, run: 'last', folders: foldersOf(folder) });
    expect(equal).toBe(false);
    expect(difference).toMatchObject({ table: 'orders', recorded: undefined, replayed: { order_id: id } });
  });
});

describe('a backtest of the recording of a paper run', () => {
  test('with its measured latencies gives at least 95 % of its fills on the same quote; each other one has a cause', async () => {
    const { config, folder, journal, run } = paper;
    const session = await openSession({
      config,
      folders: foldersOf(folder),
      data: undefined,
      from: undefined,
      to: undefined,
      against: 'last',
      outcomesOf: undefined,
      notice: () => {},
    });
    const { decisions } = session.play();
    expect(session.playOn()).toBeUndefined();
    const held = against({ journal, run, decisions, wentOn: false, columns: session.data.columns });
    expect(held.others.map(({ cause }) => cause)).not.toContain('');
    expect(held).toMatchObject({ run, fills: paper.orders.accepted });
    expect(held.same / held.fills).toBeGreaterThanOrEqual(0.95);
  });
});

describe('a recording that has lost something says how far it could be compared', () => {
  test('the end is cut off in the middle of a line, as a power cut leaves it', async () => {
    const { settings, folder, log } = copied();
    const text = readFileSync(log, 'utf8');
    truncateSync(log, text.indexOf('\n', text.length / 2) + 40);
    const result = await parityOf({ settings, run: 'last', folders: foldersOf(folder) });
    expect(result.difference).toBeUndefined();
    expect(result).toMatchObject({ equal: true, complete: false });
    expect(result.limits.join('\n')).toMatch(/the journal goes on with event \d+ at 20.*\n?/);
    expect(result.compared.decisions).toBeGreaterThan(0);
  });

  test('lines in the middle are gone: it is compared up to there', async () => {
    const { settings, folder, log } = copied();
    const lines = readFileSync(log, 'utf8').split('\n');
    lines.splice(Math.floor(lines.length / 2), 40);
    writeFileSync(log, lines.join('\n'));
    const result = await parityOf({ settings, run: 'last', folders: foldersOf(folder) });
    expect(result).toMatchObject({ equal: true, complete: false });
    expect(result.limits[0]).toMatch(/^the recording lacks the events \d+ to \d+, after 20/);
  });

  test('in parts, some sealed, it is compared in full; once keepDays has removed days of the run, up to there', async () => {
    const { settings, folder, log } = copied();
    const items = [...openRun(log).items()];
    rmSync(path.dirname(log), { recursive: true });
    const { dir } = settings.recording;
    const parts = RunLog.create({ dir, run: runId(paper.run), book: 'paper', rollBytes: 150_000 });
    onTestFinished(() => parts.close());
    for (const item of items) {
      if (item.kind === 'event') parts.append(item.event);
      else parts.conflated(item.at, item.quote);
    }
    parts.flush();
    const now = Date.now();
    expect([...sealRun(log, now)].length).toBeGreaterThan(2);
    const whole = await parityOf({ settings, run: 'last', folders: foldersOf(folder) });
    expect(whole).toMatchObject({ equal: true, complete: true, limits: [] });
    const newer = RunLog.create({ dir, run: runId('newer'), book: 'paper' });
    newer.append({ n: 1, at: now + 2 * 86_400_000, event: { kind: 'quote', quote: recordedQuote({ n: 1 }) } });
    newer.close();
    tidyRecordings({ dir, keepDays: 1, now: now + 3 * 86_400_000, tell: () => {} });
    const rest = await parityOf({ settings, run: 'last', folders: foldersOf(folder) });
    expect(rest).toMatchObject({ equal: true, complete: false });
    expect(rest.limits[0]).toMatch(/^the recording lacks the events \d+ to \d+, after 20/);
  });

  test('the whole recording is gone, or its beginning', async () => {
    const { settings, folder, log } = copied();
    const lines = readFileSync(log, 'utf8').split('\n');
    writeFileSync(log, [lines[0], ...lines.slice(100)].join('\n'));
    const folders = foldersOf(folder);
    await expect(parityOf({ settings, run: 'last', folders })).rejects.toThrow(/does not begin with the start of a run/);
    rmSync(log);
    await expect(parityOf({ settings, run: 'last', folders })).rejects.toThrow(/cannot be played again: there is no recording/);
    await expect(parityOf({ settings, run: 'lost', folders })).rejects.toThrow(/has no run "lost"; there is /);
  });
});

test('an export has what strategies saw at each intent of a live run, from its recording', async () => {
  const dir = path.join(paper.folder, 'bundle');
  const { rows, notes } = await exportRun({ settings: paper.config.settings, run: 'last', dir, folders: foldersOf(paper.folder) });
  expect(notes).toEqual([]);
  expect(rows.orders).toBeGreaterThanOrEqual(ORDERS);
  const bundle = path.join(dir, 'bundle.sqlite');
  const intents = rowsOf(bundle, "SELECT 1 FROM decisions WHERE kind = 'intent'");
  const seen = rowsOf(
    bundle,
    `SELECT DISTINCT d.seq FROM decisions d JOIN signals s USING (inbox_seq, strategy)
     WHERE d.kind = 'intent' AND s.name = 'fast' AND s.value = d.detail -> '$.signals.fast'`,
  );
  expect(intents.length).toBeGreaterThan(0);
  expect(seen).toHaveLength(intents.length);
  expect(rowsOf(bundle, 'SELECT 1 FROM orders WHERE sent_at IS NOT NULL AND (quoted_at IS NULL OR quoted_at > sent_at)')).toEqual([]);
  expect(rowsOf(bundle, 'SELECT 1 FROM orders WHERE round_trip_ms IS NULL AND http_status IS NOT NULL')).toEqual([]);
});

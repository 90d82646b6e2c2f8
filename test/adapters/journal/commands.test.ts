import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { rotateAtRest } from '#adapters/journal/rotate.ts';
import { KairosError } from '#domain/errors.ts';
import { runId } from '#domain/names.ts';
import { printed } from '../../support/printed.ts';
import { accepted, begin, begun, folder, openJournal, orderFacts, permits, RUN, row, START, sent, unknown } from './rows.ts';

afterEach(() => {
  process.exitCode = undefined;
});

/** Runs a command line in this process; what it printed on standard output. */
const kairos = (path: string, ...words: string[]): Promise<string> => printed([...words, '--set', `journal.path=${path}`]);

/** A journal with one accepted order, one unknown, one refusal; closed. */
function written(): string {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  const [good, lost] = [orderFacts(1), orderFacts(2, { strategy: 'a-long-strategy-name' })];
  const [intent] = permits(good);
  journal.commit([...permits(good), sent(good), accepted(good)]);
  if (intent?.kind === 'intent') {
    const check = { check: 'MAX_SPREAD', passed: false, figure: 0.9, limit: 0.5 } as const;
    journal.defer([row('refused', { intent: intent.detail, checks: [check], repeated: 12 }, { strategy: 'sma', reason: 'MAX_SPREAD' })]);
  }
  journal.commit([...permits(lost), unknown(lost)]);
  journal.commit([row('halted', { who: 'me', why: 'a\nforged line\u001b[2J' }, { reason: 'BY_PERSON' })]);
  journal.end(RUN, 'halted');
  journal.close();
  return path;
}

describe('journal tail', () => {
  test('shows a newcomer the whole way of an order, aligned: signals, quote, approval, time left, fill', async () => {
    const lines = (await kairos(written(), 'journal', 'tail', '--wide')).trimEnd().split('\n');
    expect(lines).toHaveLength(9);
    const [intent = '', approved = '', written1 = '', filled = '', refused = ''] = lines;
    expect(intent).toMatch(/^2026-11-21T03:00:01\.000Z {2}intent {4}sma .* btcusd .* 1-1 /);
    expect(intent).toContain('fast=1.5 slow=1.25');
    expect(intent).toContain('quote 00000000-0000-4000-8000-000000000001');
    expect(approved).toContain('buy 0.01 at 61000.5 = 610.00 USD, fee 0.61 USD');
    expect(written1).toContain('2995 ms left, signature 1 ms old');
    expect(filled).toMatch(/HTTP_OK .*buy 0\.01 at 61000\.5 = 610\.00 USD, fee 0\.61 USD \| answered 201 in 12\.5 ms/);
    expect(refused).toContain('spread 0.9 % over 0.5 % | 12 times');
    const column = (line: string) => line.indexOf('btcusd');
    expect(lines.filter((line) => column(line) > 0).map(column)).toEqual(Array.from({ length: 7 }, () => column(intent)));
  });

  test('a line fits 120 columns with ids short, and a short id is taken where a whole one is', async () => {
    const journal = written();
    const lines = (await kairos(journal, 'journal', 'tail')).trimEnd().split('\n');
    expect(lines).toHaveLength(9);
    expect(Math.max(...lines.map((line) => line.length))).toBe(120);
    expect(lines.join('\n')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    const whole = await kairos(journal, 'journal', 'show', '1-1');
    expect(await kairos(journal, 'journal', 'show', '00000000-0000-4000-8000-000000000001')).toBe(whole);
    expect(whole).toContain('quote 00000000-0000-4000-8000-000000000001');
  });

  test('--local puts the time of this machine beside UTC', async () => {
    const [line = ''] = (await kairos(written(), 'journal', 'tail', '-n', '1', '--local')).split('\n');
    expect(line).toMatch(/^2026-11-21T03:00:\d\d\.000Z \(\d\d:\d\d:\d\d [+-]\d\d:\d\d\) /);
  });

  test('text from outside can neither forge a line nor move the cursor', async () => {
    const out = await kairos(written(), 'journal', 'tail', '-n', '1');
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    expect(out).toContain('a forged line [2J');
    expect((await kairos(written(), 'journal', 'show', '9')).includes('\u001b')).toBe(false);
  });

  test('-n takes the last rows, --json gives the columns with the detail as an object', async () => {
    const rows: unknown = JSON.parse(await kairos(written(), 'journal', 'tail', '-n', '2', '--json'));
    expect(rows).toMatchObject([
      { seq: 8, kind: 'unknown', reason: 'NO_ANSWER', detail: { why: 'no answer' }, prev_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { seq: 9, kind: 'halted' },
    ]);
    await expect(kairos(written(), 'journal', 'tail', '-n', 'x')).rejects.toThrow(/whole number/);
  });
});

test('journal runs says how each run ended', async () => {
  const out = await kairos(written(), 'journal', 'runs');
  expect(out).toContain(RUN);
  expect(out).toContain('halted');
  expect(JSON.parse(await kairos(written(), 'journal', 'runs', '--json'))).toMatchObject([
    { run_id: RUN, book: 'paper', end_state: 'halted', decisions: 9, orders: 2, accepted: 1 },
  ]);
});

test('journal show tells the whole story of an order, or of one row', async () => {
  const path = written();
  const story = await kairos(path, 'journal', 'show', '1-1');
  expect(story).toMatch(/^order 1-1 {2}accepted {2}buy 0\.01 btcusd at 61000\.5/);
  for (const part of ['intent', 'approved', 'sent', 'accepted', '"check":"MAX_SPREAD"', 'ledger 2', '-610.005 USD'])
    expect(story).toContain(part);
  expect(JSON.parse(await kairos(path, 'journal', 'show', '1-1', '--json'))).toMatchObject({
    order: { state: 'accepted' },
    ledger: [{}, {}, {}],
  });
  expect(await kairos(path, 'journal', 'show', '8')).toContain('NO_ANSWER');
  await expect(kairos(path, 'journal', 'show', '99-1')).rejects.toThrow(/no order and no row "99-1"/);
  await expect(kairos(path, 'journal', 'show', '99')).rejects.toThrow(/no order and no row/);
});

test('journal reasons counts what a row stands for', async () => {
  expect(JSON.parse(await kairos(written(), 'journal', 'reasons', '--top', '1', '--json'))).toMatchObject([
    { kind: 'refused', reason: 'MAX_SPREAD', count: 11 },
  ]);
  expect(await kairos(written(), 'journal', 'reasons')).toContain('NO_ANSWER');
  const refused = JSON.parse(await kairos(written(), 'journal', 'reasons', '--kind', 'refused', '--json'));
  expect(refused.map(({ kind }: { kind: string }) => kind)).toEqual(['refused']);
  await expect(kairos(written(), 'journal', 'reasons', '--kind', 'refusal')).rejects.toThrow(/refused/);
});

test('after a rotation nothing is missing in silence: counts name the archive, and so does what asks for an order or a run of it', async () => {
  const path = join(folder(), 'kairos.db');
  const first = begun(path);
  const order = orderFacts(1);
  first.commit([...permits(order), sent(order), accepted(order)]);
  first.end(RUN, 'stopped');
  first.close();
  await rotateAtRest(path, START + 3_600_000);
  const journal = openJournal(path);
  begin(journal, runId('next'), START + 3_600_000);
  journal.end(runId('next'), 'stopped');
  journal.close();
  const archive = `${path}.archive-4`;
  const notes: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => notes.push(String(text)) > 0);
  onTestFinished(() => spy.mockRestore());
  for (const what of ['reasons', 'runs']) await kairos(path, 'journal', what);
  const found = `the decisions of earlier runs, which are not counted, are in the archive ${archive}: add --set journal.path=${archive}\n`;
  expect(notes).toEqual([found, found]);
  const elsewhere = { code: 'NOT_FOUND', message: expect.stringContaining(`of run ${RUN} are in the archive ${archive}`) };
  for (const words of [
    ['why', 'last'],
    ['export', RUN, '--to', join(dirname(path), 'bundle')],
  ])
    await expect(kairos(path, ...words)).rejects.toMatchObject(elsewhere);
  expect(await kairos(archive, 'why', 'last')).toContain('order 1-1 is accepted');
  expect(notes.filter((note) => note.includes('earlier runs'))).toHaveLength(2);
});

describe('journal verify', () => {
  test('says that a journal is whole', async () => {
    expect(await kairos(written(), 'journal', 'verify')).toContain('is whole: 9 decisions, 2 orders, 3 ledger entries');
  });

  test('F51 ends with exit code 4 and the bad row', async () => {
    const path = written();
    const database = new Database(path);
    database.exec("UPDATE decisions SET kind = 'hold' WHERE seq = 5");
    database.close();
    const failure = await kairos(path, 'journal', 'verify').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(KairosError);
    expect(failure).toMatchObject({ code: 'JOURNAL_BROKEN', exitCode: 4, message: expect.stringContaining('decisions row 5') });
    expect(JSON.parse(await kairos(path, 'journal', 'verify', '--json'))).toMatchObject({ ok: false, row: '5' });
    expect(process.exitCode).toBe(4);
  });
});

describe('journal resolve', () => {
  test('books what a person says, and status shows that nothing is open any more', async () => {
    const path = written();
    const before: unknown = JSON.parse(await kairos(path, 'status', '--json'));
    expect(before).toMatchObject({ running: false, pid: null, orders: { accepted: 1, unknown: 1 }, open: [{ order_id: '2-1' }] });
    const out = await kairos(path, 'journal', 'resolve', '2-1', '--as', 'accepted', '--price', '61001', '--fee', '0', '--yes');
    expect(out).toBe('order 2-1 is accepted: buy 0.01 at 61001 = 610.01 USD, fee 0.00 USD\n');
    const after: unknown = JSON.parse(await kairos(path, 'status', '--json'));
    expect(after).toMatchObject({ orders: { accepted: 2 }, open: [] });
    expect(await kairos(path, 'journal', 'verify')).toContain('is whole');
  });

  test('books a fee in a third currency', async () => {
    const flags = ['--as', 'accepted', '--fee', '0.0012', '--fee-ccy', 'BNB', '--yes', '--json'];
    const settled: unknown = JSON.parse(await kairos(written(), 'journal', 'resolve', '2-1', ...flags));
    expect(settled).toMatchObject({ as: 'accepted', fill: { fee: '0.0012', feeCcy: 'bnb' } });
  });

  test('refuses what cannot be meant, and asks nobody where there is no terminal', async () => {
    const path = written();
    await expect(kairos(path, 'journal', 'resolve', '2-1', '--as', 'rejected', '--price', '1', '--yes')).rejects.toThrow(
      /go with --as accepted/,
    );
    await expect(kairos(path, 'journal', 'resolve', '1-1', '--as', 'rejected', '--yes')).rejects.toMatchObject({
      code: 'NOT_OPEN',
      message: expect.stringContaining('`kairos reconcile` corrects the books'),
    });
    await expect(kairos(path, 'journal', 'resolve', '2-1', '--as', 'maybe', '--yes')).rejects.toThrow(/Allowed choices/);
    expect(await kairos(path, 'journal', 'resolve', '2-1', '--as', 'rejected')).toBe('order 2-1 is rejected\n');
  });

  test.each([
    ['--price', '6100.1', /^price 6100\.1 is more than 1 % from 6\d{4}\S*, as quoted \(service\.figureTolerancePct\): .* --yes$/],
    ['--value', '6100', /^value 6100 is more than 1 % from 6\d\d\S*, as quoted \(service\.figureTolerancePct\): .* --yes$/],
  ])('a slip of %s is booked by nobody unasked', async (flag, figure, far) => {
    const path = written();
    const asked = ['journal', 'resolve', '2-1', '--as', 'accepted', flag, figure];
    await expect(kairos(path, ...asked)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringMatching(far) });
    expect(JSON.parse(await kairos(path, 'status', '--json'))).toMatchObject({ open: [{ order_id: '2-1' }] });
    expect(await kairos(path, ...asked, '--yes')).toContain('order 2-1 is accepted');
  });

  test('F49 is refused while a daemon runs', async () => {
    const path = join(folder(), 'kairos.db');
    const journal = begun(path);
    const order = orderFacts(1);
    journal.commit([...permits(order), unknown(order)]);
    await expect(kairos(path, 'journal', 'resolve', '1-1', '--as', 'rejected', '--yes')).rejects.toThrow(/stop the daemon first/);
    expect(await kairos(path, 'status')).toContain(`running as process ${process.pid} since 2026-11-21T03:00:00.000Z`);
    expect(await kairos(path, 'journal', 'runs')).toContain('running');
  });
});

test('status says that journal.rotate is due, from the very number of decisions on', async () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  for (let n = 1; n <= 250; n += 1) {
    const order = orderFacts(n);
    journal.commit([...permits(order), sent(order), accepted(order)]);
  }
  const due = ['--set', 'journal.rotate.decisions=1000'];
  expect(await kairos(path, 'status', ...due)).toContain(
    '; journal.rotate is due: the daemon rotates at a quiet moment after journal.rotate.at\n',
  );
  journal.end(RUN, 'stopped');
  journal.close();
  expect(await kairos(path, 'status', ...due)).toContain(`journal  ${path}; journal.rotate is due: the next start rotates first\n`);
  expect(JSON.parse(await kairos(path, 'status', '--json', ...due))).toMatchObject({ rotationDue: true });
  expect(await kairos(path, 'status', '--set', 'journal.rotate.decisions=1001')).toContain(`journal  ${path}\n`);
});

test('status shows run, each strategy at a glance, open orders and latches; the ledger behind --money', async () => {
  const path = written();
  const out = await kairos(path, 'status');
  for (const part of ['book     paper', 'halted 2026-11-21', '1 accepted, 1 unknown', '61000.5', '2-1', 'latched'])
    expect(out).toContain(part);
  expect(out).not.toContain('610.615005');
  expect(await kairos(path, 'status', '--money')).toContain('610.615005');
  const { strategies } = JSON.parse(await kairos(path, 'status', '--json'));
  expect(strategies).toContainEqual(
    expect.objectContaining({ strategy: 'sma', product: 'btcusd', state: null, position: '0.01', entry: '61000.5', trades: 0, won: 0 }),
  );
});

test('why takes an id, its number, or the last order; a word for several, or none, is said so', async () => {
  const path = written();
  expect(await kairos(path, 'why', '1')).toContain('order 1-1 is accepted');
  expect(await kairos(path, 'why', 'last')).toContain('order 2-1 is unknown');
  expect(JSON.parse(await kairos(path, 'why', '2', '--json'))).toMatchObject({ order: { order_id: '2-1' } });
  await expect(kairos(path, 'why', '3')).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('no order "3"') });
  const empty = join(folder(), 'kairos.db');
  begun(empty).close();
  await expect(kairos(empty, 'why', 'last')).rejects.toMatchObject({
    message: expect.stringMatching(/no order yet in .*: `kairos why-not` says what each strategy waits for$/),
  });
  const played = join(folder(), 'played.db');
  const journal = openJournal(played, { book: 'backtest' });
  journal.beginRun({ run: RUN, at: START, mode: 'backtest', version: '0.1.0', configHash: 'c0ffee', configJson: '{"strategies":[]}' });
  journal.close();
  await expect(kairos(played, 'why', 'last')).rejects.toMatchObject({
    message: expect.stringMatching(/no order yet in .*: `kairos why-not --at last` says what kept the last one back$/),
  });
});

test('where there is no journal yet, every command says so in one line', async () => {
  const path = join(folder(), 'none.db');
  for (const words of [
    ['status'],
    ['journal', 'tail'],
    ['journal', 'runs'],
    ['journal', 'verify'],
    ['journal', 'reasons'],
    ['journal', 'show', '1'],
  ]) {
    await expect(kairos(path, ...words)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringMatching(/there is no journal at .*none\.db/),
    });
  }
});

test('where a daemon beside it has another journal, a missing one names that', async () => {
  const dir = folder();
  const journal = begun(join(dir, 'dry.db'));
  await expect(kairos(join(dir, 'none.db'), 'status')).rejects.toThrow(
    `none.db yet: a daemon runs on ${dir}/dry.db: --set journal.path=${dir}/dry.db`,
  );
  journal.close();
  await expect(kairos(join(dir, 'none.db'), 'status')).rejects.toThrow('none.db yet: start a daemon, or check journal.path');
});

test('journal tail -f shows a decision that is made while it runs, and ends with the signal', async () => {
  const path = join(folder(), 'kairos.db');
  const journal = begun(path);
  journal.commit(permits(orderFacts(1)));
  const source = `
    import { programFor } from ${JSON.stringify(new URL('../../../src/cli/commands.ts', import.meta.url).href)};
    const program = await programFor(['journal']);
    await program.parseAsync(['journal', 'tail', '-f', '--json', '--set', ${JSON.stringify(`journal.path=${path}`)}], { from: 'user' });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? 'null');
  expect([await next(), await next()]).toMatchObject([{ kind: 'intent' }, { kind: 'approved' }]);
  journal.commit([accepted(orderFacts(1))]);
  expect(await next()).toMatchObject({ seq: 3, kind: 'accepted' });
  const gone = once(child, 'exit');
  child.kill('SIGINT');
  expect(await gone).toEqual([null, 'SIGINT']);
});

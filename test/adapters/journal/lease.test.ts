import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { backupJournal } from '#adapters/journal/backup.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { resolveOrder } from '#adapters/journal/resolve.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { statusReport } from '#adapters/journal/status-report.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { KairosError } from '#domain/errors.ts';
import { folder, openJournal, START } from './rows.ts';

const WRITER = fileURLToPath(new URL('./child-writer.ts', import.meta.url));

/** Starts a process that commits orders from `first` on; killed after the test at the latest. */
function writer(path: string, first: number) {
  const child = spawn(process.execPath, [WRITER, path, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const closed = once(reader, 'close');
  return { child, lines, reader, closed };
}

type Writer = ReturnType<typeof writer>;

async function until(w: Writer, count: number): Promise<void> {
  while (w.lines.length < count) {
    const [line] = await Promise.race([once(w.reader, 'line'), w.closed.then(() => [undefined])]);
    if (line === undefined) return;
  }
}

async function kill(w: Writer): Promise<void> {
  const gone = once(w.child, 'exit');
  w.child.kill('SIGKILL');
  await Promise.all([gone, w.closed]);
}

const doneBy = ({ lines }: Writer): number[] => lines.filter((line) => line.startsWith('done')).map((line) => Number(line.slice(5)));

function leasedBy(child: ChildProcess, open: () => unknown): void {
  try {
    open();
    expect.unreachable('the journal was opened twice');
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    expect(error.code).toBe('JOURNAL_LEASED');
    expect(error.exitCode).toBe(5);
    expect(error.message).toContain(`process ${child.pid}`);
  }
}

test('F49 I29 a second process is refused while the first lives, and let in at once after a SIGKILL', async () => {
  const path = join(folder(), 'kairos.db');
  const first = writer(path, 1);
  await until(first, 4);
  leasedBy(first.child, () => openJournal(path));
  leasedBy(first.child, () => resolveOrder({ path, orderId: '1-1', as: 'rejected', who: 'me', why: 'x', now: START }));
  const reader = JournalReader.open(path);
  expect(reader.holder()).toEqual({ pid: first.child.pid });
  for (let looks = 0; looks < 20; looks += 1) {
    const { orders, positions } = statusReport(reader);
    expect(Number(positions[0]?.size)).toBeCloseTo((orders.accepted ?? 0) * 0.01, 9);
  }
  const second = writer(path, 1);
  const [code] = await once(second.child, 'exit');
  await second.closed;
  expect([code, second.lines]).toEqual([5, ['refused JOURNAL_LEASED']]);
  const before = first.lines.length;
  await until(first, before + 2);
  await kill(first);
  expect(reader.holder()).toBeNull();
  reader.close();
  openJournal(path);
});

test('F45 after SIGKILLs at any instant of a commit nothing committed is missing, nothing is half there', async () => {
  const path = join(folder(), 'kairos.db');
  let next = 1;
  const done: number[] = [];
  for (let kills = 0; kills < 8; kills += 1) {
    const w = writer(path, next);
    await until(w, 5 + kills * 3);
    await kill(w);
    done.push(...doneBy(w));
    expect(verifyJournal(path)).toMatchObject({ ok: true });
    const reader = JournalReader.open(path);
    for (const n of done) expect(reader.story(`${n}-1`)?.order?.state).toBe('accepted');
    // At most one order was on its way.
    expect(reader.openOrders().length).toBeLessThanOrEqual(kills + 1);
    const known = reader.tail(1)[0]?.inbox_seq ?? 0;
    reader.close();
    const journal = SqliteJournal.open({ path, book: 'paper', beforeCommit: () => {} });
    const recovered = journal.recover(START);
    expect(recovered.books.books[0]?.entries ?? 0).toBeGreaterThanOrEqual(done.length);
    expect(recovered.lastInboxSeq).toBeGreaterThanOrEqual(known);
    journal.close();
    next = Math.max(next, ...w.lines.map((line) => Number(line.split(' ')[1]))) + 1;
  }
  expect(done.length).toBeGreaterThan(8);
});

test('F52 under load: every backup taken while another process commits is whole, and the writer never waits for it', async () => {
  const path = join(folder(), 'kairos.db');
  const w = writer(path, 1);
  await until(w, 40);
  const to = join(folder(), 'copy.db');
  const sizes: number[] = [];
  for (let n = 0; n < 5; n++) sizes.push((await backupJournal(path, to)).decisions);
  expect([...sizes].sort((a, b) => a - b)).toEqual(sizes);
  const before = doneBy(w).length;
  await until(w, w.lines.length + 4);
  expect(doneBy(w).length).toBeGreaterThan(before);
  await kill(w);
  expect(w.lines.filter((line) => line.startsWith('refused'))).toEqual([]);
  expect(verifyJournal(to)).toMatchObject({ ok: true });
});

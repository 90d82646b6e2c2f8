import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { PageThread } from '#daemon/page/page-thread.ts';
import { runId } from '#domain/names.ts';
import { accepted, orderFacts, permits, START } from '../../adapters/journal/order-rows.ts';
import { newFolder } from '../../support/folder.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

let folder: string;
let timers: VirtualTimers;
let thread: PageThread;

beforeEach(() => {
  folder = newFolder();
  timers = new VirtualTimers();
  const task = { journal: path.join(folder, 'kairos.db'), recordings: folder, reports: [folder], run: 'run-1', schedule: [] };
  thread = new PageThread(task, timers);
});
afterEach(async () => {
  await thread.close();
});

function journal(): void {
  const written = SqliteJournal.open({ path: path.join(folder, 'kairos.db'), book: 'paper', beforeCommit: () => {} });
  written.beginRun({ run: runId('run-1'), at: START, mode: 'paper', version: 'test', configHash: 'hash', configJson: '{}' });
  const order = orderFacts(1);
  written.commit([...permits(order), accepted(order)]);
  written.close();
}

test('it answers beside the journal, tells what it cannot read, and goes on', async () => {
  await expect(thread.ask({ kind: 'end' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  journal();
  const end = await thread.ask({ kind: 'end' });
  expect(end).toBe(3);
  expect((await thread.ask({ kind: 'feed', after: 1, limit: 9 })).map(({ seq }) => seq)).toEqual([2, 3]);
  await expect(thread.ask({ kind: 'history', ask: { kind: 'order', order: '9-9' } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const story = await thread.ask({ kind: 'history', ask: { kind: 'order', order: '1-1' } });
  expect(JSON.parse(story)).toMatchObject({ order: '1-1', state: 'accepted' });
});

test('left alone for five minutes it gives its memory back; asked again it begins anew', async () => {
  journal();
  expect(await thread.ask({ kind: 'end' })).toBe(3);
  expect(timers.pending).toBe(1);
  timers.advance(5 * 60_000);
  expect(timers.pending).toBe(0);
  expect(await thread.ask({ kind: 'end' })).toBe(3);
});

test('F74 too much asked at once is turned away, and a stop leaves no question without an answer', async () => {
  journal();
  const asked = Array.from({ length: 32 }, () => thread.ask({ kind: 'end' }));
  expect(() => thread.ask({ kind: 'end' })).toThrow(/too many requests/);
  const answers = Promise.allSettled(asked);
  await thread.close();
  for (const { status } of await answers) expect(['fulfilled', 'rejected']).toContain(status);
  expect(() => thread.ask({ kind: 'end' })).toThrow(/stopping/);
});

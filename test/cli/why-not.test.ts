import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isoTime } from '#domain/names.ts';
import { folder, openJournal, RUN, row, START } from '../adapters/journal/rows.ts';
import { printed } from '../support/printed.ts';

test('of several strategies those that cannot trade come first, each with what ends that, and the hint names the first of them', async () => {
  const path = join(folder(), 'kairos.db');
  const journal = openJournal(path);
  const strategies = ['calm', 'kept', 'quiet'].map((id) => ({ id, product: 'btcusd', amount: { base: '0.01' } }));
  const settings = { strategies, schedule: [], trading: { arming: { rearmAfterMs: null } } };
  const run = { run: RUN, at: START, mode: 'paper', version: '0.1.0', configHash: 'c0ffee' } as const;
  journal.beginRun({ ...run, configJson: JSON.stringify(settings) });
  const checks = [{ check: 'MAX_ORDER_VALUE', passed: false, figure: 2100, limit: 2000, currency: 'usd' }] as const;
  const detail = { on: true, state: 'REFUSED', figures: { checks }, since: isoTime(START), until: null, lastedMs: 30_000 } as const;
  journal.commit([row('blocked', detail, { strategy: 'kept', reason: 'MAX_ORDER_VALUE', n: 30 })]);
  const note = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const at = isoTime(START + 60_000);
  const set = [`journal.path=${path}`, `recording.dir=${join(path, '../recordings')}`].flatMap((one) => ['--set', one]);
  const lines = (await printed(['why-not', '--at', at, ...set])).split('\n');
  expect(lines[2]).toMatch(/^kept +it was REFUSED since 2026-11-21T03:00:00\.000Z: worth 2100 usd, over 2000 usd$/);
  expect(lines[3]).toBe('    then take a smaller amount, or raise risk.maxOrderValue');
  expect(lines.slice(4).map((line) => line.split(' ')[0])).toEqual(['calm', 'quiet', '']);
  expect(String(note.mock.calls)).toContain('--strategy kept says');
  note.mockRestore();
});

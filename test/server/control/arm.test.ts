import { expect, test } from 'vitest';
import { lastArmed } from '#adapters/journal/acts.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { performAct } from '#apps/operations/acts.ts';
import { differences, limitsIn } from '#config/arming.ts';
import { runId } from '#domain/names.ts';
import { configOf, folder, strategyYaml } from '../../config/support.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

test('F67 armed at rest: the next start knows the hash, the next arming what has changed', async () => {
  const cwd = folder();
  const first = configOf(strategyYaml(), { cwd });
  const { path } = first.settings.journal;
  const open = (): SqliteJournal => SqliteJournal.open({ path, book: 'paper', beforeCommit: () => {} });
  const journal = open();
  journal.beginRun({ run: runId('run-1'), at: NOW, mode: 'paper', version: 'test', configHash: first.hash, configJson: first.json });
  journal.end(runId('run-1'), 'stopped');
  journal.close();
  expect(lastArmed(path)).toBeNull();

  const act = { act: 'arm', who: 'ann', why: 'checked', configHash: first.hash, config: first.json, build: 'b1' } as const;
  await performAct(act, first.settings, { ...systemTimers, wallMs: () => NOW });
  expect(lastArmed(path)).toEqual({ at: '2026-01-01T12:00:00.000Z', who: 'ann', config: first.json });
  const again = open();
  expect(again.recover(NOW).risk.armed).toEqual({ configHash: first.hash, build: 'b1' });
  again.close();

  const loosened = configOf(`${strategyYaml()}risk: { maxOrderValue: { usd: 9000 }, maxSpreadPct: off }\n`, { cwd });
  expect(loosened.hash).not.toBe(first.hash);
  expect(differences(first.json, loosened.json)).toEqual([
    { key: 'risk.maxOrderValue.byCurrency.eur', before: '2000', after: null },
    { key: 'risk.maxOrderValue.byCurrency.sek', before: '20000', after: null },
    { key: 'risk.maxOrderValue.byCurrency.usd', before: '2000', after: '9000' },
    { key: 'risk.maxSpreadPct', before: '0.5', after: 'off' },
  ]);
  expect(Object.fromEntries(limitsIn(loosened.json))).toMatchObject({ 'risk.maxSpreadPct': 'off', 'trading.arming.arm': 'auto' });
});

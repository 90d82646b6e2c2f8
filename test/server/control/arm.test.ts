import { expect, test } from 'vitest';
import { lastArmed } from '#adapters/journal/acts.ts';
import { instanceOf } from '#adapters/journal/instance.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { linesOf } from '#cli/act.ts';
import { differences, limitsIn } from '#config/arming.ts';
import { KEYS } from '#config/keys.ts';
import { performAct } from '#daemon/operations/acts.ts';
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
  expect(lastArmed(path)).toMatchObject({ at: '2026-01-01T12:00:00.000Z', who: 'ann', config: first.json });
  const again = open();
  expect(again.recover(NOW).risk.armed).toEqual({ configHash: first.hash, build: 'b1', instance: instanceOf(path, NOW) });
  again.close();

  const loosened = configOf(`${strategyYaml()}risk: { maxOrderValue: { usd: 9000 }, maxSpreadPct: off }\n`, { cwd });
  expect(loosened.hash).not.toBe(first.hash);
  expect(differences(first.json, loosened.json)).toEqual([
    { key: 'risk.maxOrderValue.eur', before: '2000', after: null },
    { key: 'risk.maxOrderValue.sek', before: '20000', after: null },
    { key: 'risk.maxOrderValue.usd', before: '2000', after: '9000' },
    { key: 'risk.maxSpreadPct', before: '0.5', after: 'off' },
  ]);
  expect(Object.fromEntries(limitsIn(loosened.json))).toMatchObject({ 'risk.maxSpreadPct': 'off', 'trading.arm': 'auto' });
});

test('I09 what is armed already stays as it is, with the losses that count; behind a stop it is armed anew, and says what that forgets', async () => {
  const { settings, hash, json } = configOf(strategyYaml(), { cwd: folder() });
  const { path } = settings.journal;
  const journal = SqliteJournal.open({ path, book: 'paper', beforeCommit: () => {} });
  journal.beginRun({ run: runId('run-1'), at: NOW, mode: 'paper', version: 'test', configHash: hash, configJson: json });
  journal.end(runId('run-1'), 'stopped');
  journal.close();
  const arm = async (who: string, build = 'b1') => {
    const act = { act: 'arm', who, why: 'checked', configHash: hash, config: json, build } as const;
    return linesOf(await performAct(act, settings, { ...systemTimers, wallMs: () => NOW }));
  };
  const counted = 'losses and rejections are counted from here on, and cool-downs are over';
  expect(await arm('ann')).toEqual(['armed: this configuration trades', counted]);
  expect(await arm('bob')).toEqual(['armed already since 2026-01-01T12:00:00.000Z: nothing has changed']);
  expect(lastArmed(path)).toMatchObject({ who: 'ann' });
  expect(await arm('bob', 'b2')).toEqual(['armed: this configuration trades', counted]);
  await performAct({ act: 'halt', who: 'ann', why: 'to see' }, settings, { ...systemTimers, wallMs: () => NOW });
  expect(await arm('eve', 'b2')).toEqual([expect.stringMatching(/^armed, but still HALTED/), counted]);
  expect(lastArmed(path)).toMatchObject({ who: 'eve' });
});

test('limits and changes are named and written as in kairos.yaml; what is off is called off', () => {
  const given = `risk: { lossCooldown: 40s, maxDayLoss: { usd: 15 } }
trading: { rearmAfter: 90s, crashHalt: '3 in 10m', warmUpMaxGap: off, maxMemoryMb: off }
lanes: { staleAfter: { eurusd: 30s } }
alerts: { repeatAfter: 20m }
journal: { backup: { every: never } }
`;
  const [plain, written] = [configOf(strategyYaml()), configOf(`${strategyYaml()}${given}`)];
  const known = new Map(limitsIn(written.json));
  expect(Object.fromEntries(known)).toMatchObject({
    ...{ 'risk.lossCooldown': '40s', 'risk.maxDayLoss.usd': '15', 'trading.rearmAfter': '90s', 'trading.crashHalt': '3 in 10m' },
    ...{ 'trading.warmUpMaxGap': 'off', 'trading.maxMemoryMb': 'off', 'trading.maxStrategyMs': '250' },
  });
  const unset = new Map(limitsIn(plain.json));
  expect([unset.get('trading.rearmAfter'), unset.get('trading.crashHalt'), unset.get('risk.lossCooldown')]).toEqual(['never', 'off', '1m']);
  for (const name of [...known.keys(), ...unset.keys()]) expect(isSetting(name), name).toBe(true);
  const changed = differences(plain.json, written.json).filter(({ key }) => !key.startsWith('risk.'));
  expect(changed.map(({ key, before, after }) => `${key}: ${before} -> ${after}`)).toEqual([
    'alerts.repeatAfter: 10m -> 20m',
    'journal.backup.every: 1d -> never',
    'lanes.staleAfter.eurusd: null -> 30s',
    'trading.crashHalt: off -> 3 in 10m',
    'trading.maxMemoryMb: 400 -> off',
    'trading.rearmAfter: never -> 90s',
    'trading.warmUpMaxGap: 10m -> off',
  ]);
});

test('an entry of a list that is new, or gone, is one line with all that is set in it', () => {
  const line = '{ name: stop, cron: "0 22 * * 5", action: bot.halt }';
  const other = '{ name: on, cron: "0 8 * * 1", action: bot.resume, strategy: one }';
  const [none, two] = [configOf(strategyYaml()), configOf(`${strategyYaml()}schedule:\n  - ${line}\n  - ${other}\n`)];
  const added = differences(none.json, two.json);
  expect(added.map(({ key, before }) => [key, before])).toEqual([
    ['schedule[0]', null],
    ['schedule[1]', null],
  ]);
  for (const part of ['name: on', 'cron: 0 8 * * 1', 'action: bot.resume', 'timezone: UTC', 'strategy: one'])
    expect(added[1]?.after).toContain(part);
  expect(differences(two.json, none.json).map(({ key, after }) => [key, after])).toEqual([
    ['schedule[0]', null],
    ['schedule[1]', null],
  ]);
  const later = configOf(`${strategyYaml()}schedule:\n  - ${line.replace('22', '21')}\n  - ${other}\n`);
  expect(differences(two.json, later.json)).toEqual([{ key: 'schedule[0].cron', before: '0 22 * * 5', after: '0 21 * * 5' }]);
});

/** True for the name of a setting, or of a currency in one. */
function isSetting(name: string): boolean {
  let node: unknown = KEYS;
  for (const part of name.split('.')) {
    if (typeof node !== 'object' || node === null) return false;
    if ('kind' in node) return true;
    node = Object.entries(node).find(([one]) => one === part)?.[1];
  }
  return node !== undefined;
}

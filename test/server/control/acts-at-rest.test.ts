import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { controlFiles, readHalt, removeHalt, standingHalt } from '#adapters/journal/control-files.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { linesOf } from '#cli/act.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import { performAct } from '#daemon/operations/acts.ts';
import { HaltFile } from '#daemon/run/halt-file.ts';
import type { OperatorCommand } from '#domain/event.ts';
import { isoTime, runId, strategyId } from '#domain/names.ts';
import { configOf, folder, strategyYaml } from '../../config/support.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const timers = { ...systemTimers, wallMs: () => NOW };
const by = { who: 'ann', why: 'to see' };

function atRest(strategies = strategyYaml()) {
  const cwd = folder();
  const { settings } = configOf(strategies, { cwd });
  const begin = (id: string): SqliteJournal => {
    const journal = SqliteJournal.open({ path: settings.journal.path, book: 'paper', beforeCommit: () => {} });
    journal.beginRun({ run: runId(id), at: NOW, mode: 'paper', version: 'test', configHash: 'c', configJson: '{}' });
    return journal;
  };
  begin('run-1').close();
  const latches = (): string[] => {
    const journal = begin('run-2');
    try {
      return journal.recover(NOW).latches.map(({ kind, strategy, who, why }) => `${kind} ${strategy ?? 'all'} ${who}: ${why}`);
    } finally {
      journal.close();
    }
  };
  return {
    settings,
    begin,
    latches,
    perform: (act: OperatorCommand) => performAct(act, settings, timers),
    halt: controlFiles(settings.journal.path).halt,
  };
}

test.each<[string, readonly OperatorCommand[], readonly string[]]>([
  ['a halt stands', [{ act: 'halt', ...by }], ['halted all ann: to see']],
  [
    'a resumption ends it',
    [
      { act: 'halt', ...by },
      { act: 'resume', strategy: null, ...by },
    ],
    [],
  ],
  [
    'one strategy resumed leaves the halt',
    [
      { act: 'halt', ...by },
      { act: 'resume', strategy: 'one', ...by },
    ],
    ['halted all ann: to see'],
  ],
  ['a pause stands for its strategy', [{ act: 'pause', strategy: 'one', ...by }], ['paused one ann: to see']],
  [
    'and ends with it',
    [
      { act: 'pause', strategy: 'one', ...by },
      { act: 'resume', strategy: 'one', ...by },
    ],
    [],
  ],
])('an act with no daemon running is what the next start finds: %s', async (_what, acts, expected) => {
  const { perform, latches, settings } = atRest();
  for (const act of acts) await perform(act);
  expect(latches()).toEqual(expected);
  expect(verifyJournal(settings.journal.path)).toMatchObject({ ok: true });
});

test('I09 a resumption says what it ended, and whose it was', async () => {
  const { perform } = atRest();
  await perform({ act: 'halt', who: 'ann', why: 'prices look wrong' });
  expect(await perform({ act: 'resume', strategy: null, who: 'bob', why: 'they are fine' })).toMatchObject({
    ended: [{ kind: 'halted', strategy: null, since: NOW, who: 'ann', why: 'prices look wrong' }],
  });
});

test.each([
  ['arm', { act: 'arm', configHash: 'c', config: '{}', build: 'b', ...by }, 'halted', 'armed, but still HALTED', 'kairos resume'],
  ['resume', { act: 'resume', strategy: null, ...by }, 'disarmed', 'still DISARMED', 'kairos arm'],
] as const)('%s says what keeps orders from going out all the same', async (_name, act, kind, said, ends) => {
  const { begin, perform } = atRest();
  const journal = begin('run-2');
  const row = { at: NOW, inboxSeq: 1, strategy: null, product: null, quoteId: null, orderId: null, detail: by };
  journal.commit([
    { ...row, kind: 'halted', reason: 'BY_PERSON' },
    { ...row, kind: 'disarmed', reason: 'DISARMED' },
  ]);
  journal.close();
  const done = await perform(act);
  expect(done.standing).toMatchObject([{ kind, who: 'ann' }]);
  expect(linesOf(done)).toContain(`${said} since ${isoTime(NOW)} by ann (to see): no order goes out before ${ends}`);
});

test('a pause while trading is halted does not say that positions are closed', async () => {
  const { perform } = atRest();
  expect(linesOf(await perform({ act: 'pause', strategy: null, ...by })).join('\n')).toContain('positions are still closed');
  await perform({ act: 'halt', ...by });
  const lines = linesOf(await perform({ act: 'pause', strategy: null, ...by }));
  expect(lines).toEqual([
    'paused: all strategies',
    expect.stringMatching(/^still HALTED since .*: no order goes out before kairos resume$/),
  ]);
});

test('enable of a strategy that is not disabled writes nothing, and says so', async () => {
  const { begin, perform, settings } = atRest();
  const enable: OperatorCommand = { act: 'enable', strategy: 'one', ...by };
  expect((await perform(enable)).ended).toEqual([]);
  expect(verifyJournal(settings.journal.path)).toMatchObject({ ok: true, decisions: 0 });
  const journal = begin('run-2');
  journal.commit([
    {
      kind: 'disabled',
      at: NOW,
      inboxSeq: 1,
      strategy: strategyId('one'),
      product: null,
      reason: 'BY_PERSON',
      quoteId: null,
      orderId: null,
      detail: by,
    },
  ]);
  journal.close();
  expect((await perform(enable)).ended).toMatchObject([{ kind: 'disabled', strategy: 'one' }]);
});

test('a strategy that nobody knows is told with the nearest name, and nothing is written', async () => {
  const { perform, latches } = atRest();
  await expect(perform({ act: 'pause', strategy: 'onee', ...by })).rejects.toThrow('there is no strategy "onee"; the nearest is one');
  await expect(perform({ act: 'pause', strategy: 'nothing-like-it', ...by })).rejects.toThrow(
    /there is no strategy "nothing-like-it"; there (is|are) one/,
  );
  expect(latches()).toEqual([]);
});

test('I29 while another process holds the journal nothing is written', async () => {
  const { perform, begin } = atRest();
  const held = begin('run-3');
  try {
    await expect(perform({ act: 'pause', strategy: 'one', ...by })).rejects.toThrow(/is held by process \d+/);
  } finally {
    held.close();
  }
});

test('a halt by file alone, even written by hand and before any run, ends by a resumption as well', async () => {
  const cwd = folder();
  const { settings } = configOf(strategyYaml(), { cwd });
  const halt = path.join(cwd, 'var/HALT');
  mkdirSync(path.dirname(halt));
  writeFileSync(halt, 'the exchange is down\nsays the radio');
  const { ended, haltOfAll } = await performAct({ act: 'resume', strategy: null, ...by }, settings, timers);
  expect(ended).toEqual([{ kind: 'halted', strategy: null, since: expect.any(Number), who: 'file', why: 'the exchange is down' }]);
  // It stays for the others of the folder.
  expect([haltOfAll, existsSync(halt)]).toEqual([halt, true]);
  expect(standingHalt(controlFiles(settings.journal.path))).toBeUndefined();
  expect(standingHalt(controlFiles(path.join(cwd, 'var/other.db')))).toMatchObject({ file: halt, why: 'the exchange is down' });
});

test('a halt before any run leaves its file for the first start', async () => {
  const { settings } = configOf(strategyYaml());
  await performAct({ act: 'halt', ...by }, settings, timers);
  expect(readHalt(controlFiles(settings.journal.path).halt)).toEqual(by);
});

test('a halt that a resumption ends before it is journaled is told as ended', async () => {
  const { settings, begin } = atRest();
  const files = controlFiles(settings.journal.path);
  const watchdog = new HaltFile(files, new HaltLatch());
  const steps = [() => watchdog.inspect(() => {}), () => removeHalt(files)];
  let ms = 0;
  const after = (wait: number, run: () => void) => {
    ms += wait;
    steps.shift()?.();
    queueMicrotask(run);
    return () => {};
  };
  const held = begin('run-3');
  try {
    const halt = performAct({ act: 'halt', ...by }, settings, { wallMs: () => NOW, monotonicMs: () => ms, after });
    await expect(halt).rejects.toThrow('a resumption has ended it since');
  } finally {
    held.close();
  }
});

test('enable of a strategy that the settings leave out is refused with what lets it run, and writes nothing', async () => {
  const { perform, settings } = atRest(strategyYaml({ enabled: 'false' }));
  await expect(perform({ act: 'enable', strategy: 'one', ...by })).rejects.toThrow(
    'one has enabled: false: set enabled: true in its entry, then restart',
  );
  expect(verifyJournal(settings.journal.path)).toMatchObject({ ok: true, decisions: 0 });
});

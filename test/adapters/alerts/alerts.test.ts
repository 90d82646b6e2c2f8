import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { loadConfig } from '#config/load.ts';
import { Alerts } from '#daemon/run/threads/alerts.ts';
import type { Decision } from '#domain/decision.ts';
import type { InboxEvent } from '#domain/event.ts';
import { isoTime } from '#domain/names.ts';
import { type FillText, fillAsQuoted, fillText } from '#domain/order.ts';
import { newFolder } from '../../support/folder.ts';
import type { Rig } from '../../support/rig.ts';
import { rigsOfTests } from '../../support/rigs.ts';
import { eager } from '../../support/strategies.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { orderFacts, permits, row, START } from '../journal/order-rows.ts';
import { alert } from './support.ts';

const rig = rigsOfTests();

/** What the log of a daemon without channels says, turn by turn. */
async function logOf(turns: readonly ((alerts: Alerts) => void)[], set: readonly string[] = []) {
  const lines: string[] = [];
  const { settings } = loadConfig({ env: { KAIROS_PASSWORD: 'a-pass-word-of-mine' }, set, cwd: tmpdir() });
  const alerts = new Alerts({
    settings,
    mode: 'paper',
    timers: new VirtualTimers(),
    notice: (level, text) => lines.push(`${level}: ${text}`),
  });
  for (const turn of turns) {
    turn(alerts);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await alerts.close();
  return lines;
}

test('what a rule tells is told under its event; an action that cannot be read back only where the log calls it an error', async () => {
  const unverified = alert('missed', 'weekend: remote.pauseAll unverified', { onlyWithError: true });
  expect(
    await logOf([
      (alerts) => alerts.raise(alert('strategy', 'hold is disabled')),
      (alerts) => alerts.raise(unverified),
      (alerts) => {
        alerts.raise(unverified);
        alerts.notice('error', 'schedule weekend: unverified');
      },
    ]),
  ).toEqual([
    'warn: alert strategy: hold is disabled',
    'error: schedule weekend: unverified',
    'warn: alert missed: weekend: remote.pauseAll unverified',
  ]);
});

test('an error of the log goes with an alert of its turn that is told, not with one that is off', async () => {
  const folder = newFolder();
  const kept = `${folder}/kept`;
  await logOf(
    [
      (alerts) => {
        alerts.raise(alert('unknown', 'order 9-1'));
        alerts.raise(alert('strategy', 'hold failed'));
        alerts.notice('error', 'the token expires');
      },
    ],
    ['alerts.events.strategy=off', `alerts.command=[/bin/sh, -c, "cat >> ${kept}"]`],
  );
  expect(readFileSync(kept, 'utf8')).toContain('the token expires');
});

test('I15 no secret of the service gets into an alert', async () => {
  expect(await logOf([(alerts) => alerts.raise(alert('strategy', 'threw: a-pass-word-of-mine'))])).toEqual([
    'warn: alert strategy: threw: [set]',
  ]);
});

test('rows that wait for the next commit are told as those of a commit: a strategy that cannot trade, an exit that waits for a person', async () => {
  const kept: Decision[] = [];
  const keep = (rows: readonly Decision[]): void => void kept.push(...rows);
  const journal = { commit: keep, defer: keep, write: () => {}, flush: () => {}, end: () => {} };
  const blocked = {
    on: true,
    state: 'NO_QUOTES',
    since: isoTime(START),
    why: 'no lane is up',
    mend: 'kairos doctor',
    lastedMs: 30_000,
  } as const;
  const checks = [{ check: 'MAX_EXIT_VALUE', passed: false, figure: '40000', limit: '30000', currency: 'usd' } as const];
  const [intent] = permits(orderFacts(1));
  if (intent?.kind !== 'intent') throw new Error('an intent comes first');
  const lines = await logOf([
    (alerts) => alerts.watchJournal(journal, []).defer([row('blocked', blocked, { strategy: 's', reason: 'LANE_DOWN' })]),
    (alerts) => {
      const refused = row('refused', { intent: intent.detail, checks }, { order: orderFacts(1), reason: 'MAX_EXIT_VALUE' });
      alerts.watchJournal(journal, []).defer([refused]);
    },
    (alerts) => alerts.watchJournal(journal, []).commit([row('halted', { who: 'ann', why: 'out' }, { reason: 'BY_PERSON' })]),
  ]);
  expect(lines).toEqual([
    'warn: alert blocked: strategy s cannot trade: no lane is up',
    'warn: alert halt: sma: an exit in btcusd is worth 40000 usd, over risk.maxExitValue (30000 usd), and waits for the consent of a person',
    'warn: alert halt: HALTED by ann: out',
  ]);
  expect(kept).toHaveLength(3);
});

test('what ends one of two stops ends no alert; the end of the last does', async () => {
  const journal = { commit: () => {}, defer: () => {}, write: () => {}, flush: () => {}, end: () => {} };
  const by = (who: string) => ({ who, why: 'by hand' });
  const halted = { kind: 'halted', strategy: null, since: START, who: 'ann', why: 'out' } as const;
  const commit = (alerts: Alerts, ...rows: readonly Decision[]): void => alerts.watchJournal(journal, alerts.standing).commit(rows);
  const armed = row('armed', { ...by('bob'), configHash: '', config: '', build: '' }, { reason: 'BY_PERSON' });
  const disarmed = row('disarmed', { who: 'kairos', why: 'nothing was armed yet' }, { reason: 'DISARMED' });
  const resumed = row('resumed', by('bob'), { reason: 'BY_PERSON' });
  expect(
    await logOf([
      (alerts) => alerts.watchJournal(journal, [halted]).commit([disarmed]),
      (alerts) => commit(alerts, armed),
      (alerts) => commit(alerts, resumed),
      (alerts) => commit(alerts, disarmed),
      (alerts) => commit(alerts, row('halted', by('ann'), { reason: 'BY_PERSON' })),
      (alerts) => commit(alerts, resumed),
      (alerts) => commit(alerts, armed),
    ]),
  ).toEqual([
    `warn: alert halt: DISARMED: nothing was armed yet; also HALTED since ${isoTime(START)} by ann (out)`,
    `warn: alert halt: trading is armed by bob: by hand; still HALTED since ${isoTime(START)} by ann (out): no order goes out before kairos resume`,
    'info: alert halt over: resumed by bob: by hand',
    'warn: alert halt: DISARMED: nothing was armed yet',
    `warn: alert halt: HALTED by ann: by hand; also DISARMED since ${isoTime(disarmed.at)} by kairos (nothing was armed yet)`,
    `warn: alert halt: resumed by bob: by hand; still DISARMED since ${isoTime(disarmed.at)} by kairos (nothing was armed yet): no order goes out before kairos arm`,
    'info: alert halt over: trading is armed by bob: by hand',
  ]);
});

test('I33 a halt within ten minutes of REDUCING, or of what a start was left with, is told at once', async () => {
  const journal = { commit: () => {}, defer: () => {}, write: () => {}, flush: () => {}, end: () => {} };
  const halted = row('halted', { who: 'kairos', why: 'more unknown orders than risk.maxUnknown' }, { reason: 'MAX_UNKNOWN' });
  const told = 'warn: alert halt: HALTED by kairos: more unknown orders than risk.maxUnknown';
  for (const before of [
    row('reducing', { who: 'kairos', why: '2 orders of unknown outcome' }, { reason: 'START_UNSURE' }),
    row('halted', { who: 'ann', why: 'a first look' }, { reason: 'BY_PERSON' }),
  ])
    expect((await logOf([(alerts) => alerts.watchJournal(journal, []).commit([before, halted])]))[1]).toBe(told);
  const left = alert('halt', 'started REDUCING, as the previous run left it', { subject: 'trading' });
  expect(await logOf([(alerts) => alerts.raise(left), (alerts) => alerts.watchJournal(journal, []).commit([halted])])).toEqual([
    'warn: alert halt: started REDUCING, as the previous run left it',
    told,
  ]);
});

test('F46 an end by an error is told after REDUCING too where no row could be written, and once where it could', async () => {
  const journal = { commit: () => {}, defer: () => {}, write: () => {}, flush: () => {}, end: () => {} };
  const reducing = row('reducing', { who: 'kairos', why: 'the run before crashed' }, { reason: 'START_UNSURE' });
  const halted = row('halted', { who: 'kairos', why: 'a bug' }, { reason: 'UNCAUGHT' });
  const toldAfter = async (...rows: readonly Decision[]) =>
    (await logOf([(alerts) => alerts.watchJournal(journal, []).commit(rows), (alerts) => alerts.failed(new Error('a bug'))])).slice(1);
  expect(await toldAfter(reducing)).toEqual(['warn: alert halt: HALTED, and the process ends: a bug']);
  expect(await toldAfter(reducing, halted)).toEqual(['warn: alert halt: HALTED by kairos: a bug']);
});

test.each<readonly [string, (r: Rig) => void]>([
  ['executed, by a late answer', (r) => r.answer(r.last, { late: true })],
  ['rejected, by a late answer', (r) => r.answer(r.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422, late: true })],
  ['executed, as the service says', (r) => r.report(r.last, { type: 'found', executed: true, figures: {}, body: '{}' })],
  ['not executed, as the service says', (r) => r.report(r.last, { type: 'found', executed: false, figures: {}, body: '[]' })],
  ['executed, as a person says', (r) => r.give(settled(r, fillText(fillAsQuoted(r.last))))],
  ['not executed, as a person says', (r) => r.give(settled(r, null))],
])('F03 the alert of an unknown order ends with it: %s', async (_, end) => {
  let r: Rig | undefined;
  const lines = await logOf([
    (alerts) => {
      r = rig({ strategies: { h: eager }, wrapJournal: (journal) => alerts.watchJournal(journal, []) });
      r.price();
      r.answer(r.last, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null, awaited: true });
    },
    () => r && end(r),
  ]);
  expect(lines).toEqual([
    expect.stringMatching(/^warn: alert unknown: outcome of order \S+ unknown/),
    expect.stringMatching(/^info: alert unknown over: order \S+ (was|is settled)/),
  ]);
});

const settled = (r: Rig, fill: FillText | null): InboxEvent => ({
  kind: 'command',
  command: { act: 'resolve', who: 'ann', why: 'asked the broker', order: r.last.id, fill },
});

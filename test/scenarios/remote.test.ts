import { expect, test } from 'vitest';
import { hold, mid, strategy } from '#core/strategy/index.ts';
import type { ActionAnswer } from '#domain/event.ts';
import type { RemoteAsk } from '#domain/remote.ts';
import type { Rig } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const idle = strategy({ name: 'idle', signals: ({ quotes$ }) => quotes$.pipe(mid()), decide: () => hold('idle') });

const rig = rigsOfTests({ strategies: { s: idle } });

const by = { who: 'ann', why: 'to see' };
const CREATE: RemoteAsk = { action: 'create', fields: { strategyType: 'AI', productCode: 'btcusd' } };
const PAUSE: RemoteAsk = { action: 'pause', strategyId: 'a1' };

function ask(r: Rig, asked: RemoteAsk) {
  r.give({ kind: 'command', command: { act: 'remote', ...by, asked } });
  const task = r.engine.remote.task();
  if (!task) throw new Error('nothing was begun');
  return task;
}

function answer(r: Rig, actionId: string, said: Partial<ActionAnswer>): void {
  r.give({ kind: 'action', answer: { actionId, status: 'asked', httpStatus: 202, response: '', ...said } });
}

const rows = (r: Rig) =>
  r.rows().flatMap(({ kind, reason, detail }) => (kind === 'action' ? [`${detail.action} ${detail.status} ${reason} ${detail.who}`] : []));

test('F17 what a person asks is journaled before it is asked, as answered, and as read back', () => {
  const r = rig();
  const { id } = ask(r, PAUSE);
  expect(r.asked).toEqual([`${id} remote.pause`]);
  answer(r, id, { more: true });
  expect(r.engine.remote.task(id)).toMatchObject({ status: 'asked', httpStatus: 202, ended: false });
  answer(r, id, { status: 'confirmed' });
  expect(r.engine.remote.task(id)).toMatchObject({ status: 'confirmed', ended: true });
  expect(rows(r)).toEqual(['asked', 'asked', 'confirmed'].map((status) => `remote.pause ${status} BY_PERSON ann`));
});

test('F16 a create whose answer was lost is never asked for again, and holds up every other until a person settles it', () => {
  const r = rig();
  const { id } = ask(r, CREATE);
  expect(ask(r, CREATE).refused).toContain('wait for its answer');
  answer(r, id, { status: 'unknown', httpStatus: null, response: 'nothing within 5000 ms' });
  expect(r.notices.join('\n')).toContain('an idle strategy may exist');
  expect(ask(r, CREATE).refused).toContain(`kairos remote settle ${id}`);
  // Everything else goes on.
  expect(ask(r, PAUSE).refused).toBeNull();
  r.moveBy(86_400_000);
  expect(ask(r, CREATE).refused).not.toBeNull();
  r.give({ kind: 'command', command: { act: 'settle-create', ...by, actionId: id, strategyId: null } });
  expect(r.engine.remote.task()).toMatchObject({ id, status: 'failed', response: 'nothing was created' });
  expect(ask(r, CREATE).refused).toBeNull();
  expect(r.asked.filter((line) => line.endsWith('create'))).toHaveLength(2);
});

test.each<[string, Partial<ActionAnswer> | null]>([
  ['lost', { status: 'unknown', httpStatus: 502 }],
  ['on its way when the process ended', null],
])('F16 I32 a create that was %s holds up others after a restart too', (_what, said) => {
  const first = rig();
  const { id } = ask(first, CREATE);
  if (said) answer(first, id, said);
  first.close();
  const second = rig({ folder: first.folder });
  expect(ask(second, CREATE).refused).toContain(id);
  expect(rows(second).at(-1)).toBe('remote.create unknown CREATE_UNKNOWN ann');
  second.give({ kind: 'command', command: { act: 'settle-create', ...by, actionId: id, strategyId: 'a7' } });
  expect(second.engine.remote.task()).toMatchObject({ status: 'confirmed', response: '{"strategyId":"a7"}' });
  expect(ask(second, CREATE).refused).toBeNull();
});

test('settling what is not open is refused, and an answer to nothing changes nothing', () => {
  const r = rig();
  r.give({ kind: 'command', command: { act: 'settle-create', ...by, actionId: '1-r1', strategyId: null } });
  expect(r.engine.remote.task()?.refused).toContain('no create 1-r1');
  answer(r, '1-r1', {});
  expect(rows(r)).toEqual([]);
});

test.each<[string, boolean, readonly string[]]>([
  ['reduces only, where a halt is to be passed on', true, ['reducing TOKEN_GONE']],
  ['goes on, where it is not', false, []],
])('F18 trading without a token for a minute %s', (_what, escalateHalt, story) => {
  const r = rig({ escalateHalt });
  r.give({ kind: 'condition', name: 'token', on: true, figure: 60_000 });
  expect(r.story()).toEqual(story);
  expect(r.engine.snapshot(r.clock.now()).trading).toBe(escalateHalt ? 'REDUCING' : 'ACTIVE');
});

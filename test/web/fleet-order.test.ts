import { expect, test } from 'vitest';
import type { DaemonReport, DaemonView } from '#server/fleet/view.ts';
import { alarmFigure, byUrgency } from '../../web/fleet/alarms.ts';

const said = (parts: Partial<DaemonReport>): DaemonReport => ({
  ...{ at: '2026-01-05T10:00:00.000Z', mode: 'paper', trading: 'ACTIVE', currency: 'usd', equity: 1, profitIn: [], profitOfDayIn: [] },
  ...{ run: 'run', version: '0.1.0', pid: 1, profitOfDay: 0, profit: 0, leftOut: [], alarms: [], waits: [], strategies: [] },
  ...parts,
});
const daemon = (name: string, parts: Partial<DaemonView>): DaemonView => ({
  ...{ name, place: name, url: null, reach: 'answers', why: null, heardAt: null, silentSince: null, tookMs: null, access: 'token' },
  ...{ said: said({}), newestAlarm: null },
  ...parts,
});

test('who needs somebody stands on top: the silent, alarms, halted; others stay as they were named', () => {
  const fleet = [
    daemon('calm', {}),
    daemon('halted', { said: said({ trading: 'HALTED' }) }),
    daemon('asking', { reach: 'asking', said: null }),
    daemon('refused', { said: said({ waits: ['hold REFUSED'] }) }),
    daemon('wrong', { access: 'wrong token' }),
    daemon('dead', { reach: 'silent', said: null, why: 'nothing listens there' }),
    daemon('unknown', { said: said({ alarms: ['2 unknown orders'] }) }),
  ];
  expect(byUrgency(fleet).map(({ name }) => name)).toEqual(['dead', 'wrong', 'unknown', 'halted', 'refused', 'calm', 'asking']);
});

test('alarms are none in green where each strategy trades or waits for its time; one that is refused is no good news', () => {
  const strategy = (state: string, enabled = true) => ({
    ...{ id: state, enabled, product: 'btcusd', state, why: '', position: '0', unrealised: 0, quoteCcy: 'usd', legs: [] },
  });
  const fleet = (...states: readonly string[]) => [daemon('one', { said: said({ strategies: states.map((state) => strategy(state)) }) })];
  expect(alarmFigure(fleet('RUNNING', 'WARMING_UP', 'OUTSIDE_WINDOW'))).toEqual({ tone: 'good', says: 'none' });
  expect(alarmFigure(fleet('RUNNING', 'PAUSED')), 'a pause is what a person wanted').toEqual({ tone: 'good', says: 'none' });
  expect(alarmFigure(fleet('RUNNING', 'REFUSED'))).toEqual({ tone: 'warn', says: 'none, 1 of 2 refused' });
  expect(alarmFigure(fleet('NO_FUNDS', 'REFUSED'))).toEqual({ tone: 'bad', says: 'none, 2 of 2 blocked' });
  const leftOut = [strategy('RUNNING'), strategy('DISABLED', false)];
  expect(alarmFigure([daemon('one', { said: said({ strategies: leftOut }) })]), 'left out by the settings').toEqual({
    tone: 'good',
    says: 'none',
  });
  expect(alarmFigure([daemon('one', { said: said({ alarms: ['2 unknown orders'] }) })])).toEqual({ tone: 'bad', says: '1' });
});

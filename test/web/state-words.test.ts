import { expect, test } from 'vitest';
import { STRATEGY_STATES } from '#domain/strategy-state.ts';
import { blockPhrase, toneOfState } from '../../web/words/state-words.ts';
import { sumsOf } from '../../web/words/sums.ts';

const AT = Date.parse('2026-01-05T10:00:00.000Z');

test('each state has a colour by what it asks for: green trades, grey waits for its time, red needs somebody', () => {
  const of = (tone: string) => Object.keys(STRATEGY_STATES).filter((name) => toneOfState(name) === tone);
  expect(of('good')).toEqual(['RUNNING']);
  expect(of('even')).toEqual(['OUTSIDE_WINDOW', 'WARMING_UP']);
  expect(of('warn')).toEqual(['PAUSED', 'REDUCING', 'NO_TIME', 'NO_QUOTES', 'WAITING', 'COOLING_DOWN']);
  expect(of('bad')).toEqual(['DISABLED', 'HALTED', 'DISARMED', 'FROZEN', 'NO_RATE', 'NO_FUNDS', 'REFUSED', 'NO_SIGNAL']);
  expect(toneOfState('OF_A_LATER_VERSION')).toBe('warn');
});

test('why a strategy does not trade is a phrase, with the time that is left', () => {
  const until = '2026-01-05T10:00:40.000Z';
  expect(blockPhrase({ name: 'RUNNING', why: 'it trades when its rule says so', until: null }, AT)).toBeNull();
  expect(blockPhrase({ name: 'REFUSED', why: 'worth 7899.48 usd, over 6000 usd (risk.maxOrderValue)', until: null }, AT)).toBe(
    'worth 7899.48 usd, over 6000 usd',
  );
  expect(blockPhrase({ name: 'COOLING_DOWN', why: '3 closes in a row lost', until }, AT)).toBe('3 closes in a row lost, ends in 40 s');
});

test('sums of profit that are the same are said once', () => {
  const namesOf = (profitOfDay: number | null, profitOfRun: number | null, profit: number | null) =>
    sumsOf({ profitOfDay, profitOfRun, profit, currency: 'usd' }).map(({ name }) => name);
  expect(namesOf(1.5, 1.5, 1.5)).toEqual(['profit, all today']);
  expect(namesOf(1.5, 1.5, 4)).toEqual(['profit today', 'profit of all runs']);
  expect(namesOf(1.5, 2, 4)).toEqual(['profit today', 'profit of all runs', 'this run']);
  expect(namesOf(null, null, null)).toEqual(['profit today', 'profit of all runs']);
});

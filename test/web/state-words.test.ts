import { expect, test } from 'vitest';
import { toneOfState } from '#domain/state-tone.ts';
import { STRATEGY_STATES } from '#domain/strategy-state.ts';
import { labelOf, toneOf } from '../../web/words/kinds.ts';
import { blockedCount, blockPhrase } from '../../web/words/state-words.ts';
import { sumsOf } from '../../web/words/sums.ts';

const AT = Date.parse('2026-01-05T10:00:00.000Z');

test('each state has a colour by what it asks for: green trades, grey waits for its time or was paused, amber goes on by itself, red needs somebody', () => {
  const of = (tone: string) => Object.keys(STRATEGY_STATES).filter((name) => toneOfState(name) === tone);
  expect(of('good')).toEqual(['RUNNING']);
  expect(of('even')).toEqual(['PAUSED', 'OUTSIDE_WINDOW', 'WARMING_UP']);
  expect(of('warn')).toEqual(['REDUCING', 'NO_TIME', 'NO_QUOTES', 'WAITING', 'COOLING_DOWN', 'REFUSED']);
  expect(of('bad')).toEqual(['DISABLED', 'HALTED', 'DISARMED', 'FROZEN', 'NO_RATE', 'NO_FUNDS', 'NO_SIGNAL']);
  expect(toneOfState('OF_A_LATER_VERSION')).toBe('warn');
});

test('the feed calls a state by its name, in its colour, and not by the kind of its row', () => {
  const row = (words: string, kind = 'blocked') => [labelOf({ kind, words }), toneOf({ kind, words })];
  expect(row('NO_QUOTES for 30 s: lane btcusd is lost')).toEqual(['no quotes', 'warn']);
  expect(row('REFUSED for 30 s: worth 2100 usd, over 2000 usd')).toEqual(['refused', 'warn']);
  expect(row('RUNNING again after 2 min')).toEqual(['running', 'good']);
  expect(row('ann: lunch', 'paused')).toEqual(['paused', 'even']);
  expect(row('ann: news', 'halted')).toEqual(['halted', 'bad']);
});

test('strategies that do not trade are counted beside the state of trading, in the worst of their colours', () => {
  expect(blockedCount(['RUNNING', 'PAUSED', 'WARMING_UP'])).toBeNull();
  expect(blockedCount(['RUNNING', 'REFUSED', 'RUNNING'])).toEqual({ says: '1 of 3 refused', tone: 'warn' });
  expect(blockedCount(['NO_QUOTES', 'NO_QUOTES'])).toEqual({ says: '2 of 2 no quotes', tone: 'warn' });
  expect(blockedCount(['FROZEN', 'REFUSED'])).toEqual({ says: '2 of 2 blocked', tone: 'bad' });
});

test('why a strategy does not trade is a phrase, with since when, what ends it, and the time that is left', () => {
  const state = { since: null, mend: '', until: null };
  expect(blockPhrase({ ...state, name: 'RUNNING', why: 'it trades when its rule says so' }, AT)).toBeNull();
  const refused = {
    name: 'REFUSED',
    why: 'worth 7899.48 usd, over 6000 usd (risk.maxOrderValue)',
    mend: 'raise risk.maxOrderValue',
  } as const;
  expect(blockPhrase({ ...state, ...refused, since: '2026-01-05T09:50:00.000Z' }, AT)).toBe(
    'since 09:50:00: worth 7899.48 usd, over 6000 usd; raise risk.maxOrderValue',
  );
  const until = '2026-01-05T10:00:40.000Z';
  expect(blockPhrase({ ...state, name: 'COOLING_DOWN', why: '3 closes in a row lost', until }, AT)).toBe(
    '3 closes in a row lost, ends in 40 s',
  );
});

test('sums of profit that are the same are said once', () => {
  const namesOf = (profitOfDay: number | null, profitOfRun: number | null, profit: number | null) =>
    sumsOf({ profitOfDay, profitOfRun, profit, currency: 'usd' }).map(({ name }) => name);
  expect(namesOf(1.5, 1.5, 1.5)).toEqual(['profit, all today']);
  expect(namesOf(1.5, 1.5, 4)).toEqual(['profit today', 'profit of all runs']);
  expect(namesOf(1.5, 2, 4)).toEqual(['profit today', 'profit of all runs', 'this run']);
  expect(namesOf(null, null, null)).toEqual(['profit today', 'profit of all runs']);
});

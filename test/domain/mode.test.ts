import { expect, test } from 'vitest';
import { isBacktest, isUndeclared, MODE_NAMES, type Mode, modeAsked, modeFacts, modeFactsNamed } from '#domain/mode.ts';

test('only live spends real money, a dry run sends no order, and neither is a place for trials', () => {
  const those = (is: 'sendsOrders' | 'isRealMoney' | 'isForTrials') => MODE_NAMES.filter((mode) => modeFacts(mode)[is]);
  expect([those('isRealMoney'), those('sendsOrders'), those('isForTrials')]).toEqual([['live'], ['paper', 'live'], ['paper']]);
});

const [NONE, VENUE, OTHER] = [
  { baseUrl: null, isVenue: false },
  { baseUrl: 'http://127.0.0.1:8090', isVenue: true },
  { baseUrl: 'http://127.0.0.1:9443', isVenue: false },
];

test.each([
  ['no service', null, NONE, false, 'paper', null],
  ['a Kairos venue', null, VENUE, false, 'paper', null],
  ['any other service, on loopback too', null, OTHER, false, 'dry', null],
  ['paper at a Kairos venue', 'paper', VENUE, false, 'paper', null],
  ['paper without a service', 'paper', NONE, false, 'paper', null],
  ['paper at any other', 'paper', OTHER, false, 'paper', /has not proved to be one/],
  ['dry at a Kairos venue', 'dry', VENUE, false, 'dry', null],
  ['dry without a service', 'dry', NONE, false, 'dry', /needs service\.baseUrl/],
  ['live with both keys', 'live', OTHER, true, 'live', null],
  ['live with the setting alone', 'live', OTHER, false, 'live', /needs a word at the start .*nothing was sent/],
  ['live with the word alone', null, OTHER, true, 'dry', /do not say `mode: live`.*nothing was sent/],
  ['live with the word against the setting', 'dry', OTHER, true, 'dry', /do not say `mode: live`/],
  ['live without a service', 'live', NONE, true, 'live', /needs service\.baseUrl/],
  ['a command that starts nothing, on live settings', 'live', OTHER, undefined, 'live', null],
] as const)('%s', (_what, declared, service, live, mode, refusal) => {
  expect(modeAsked({ declared, ...service, live })).toEqual({ mode, refusal: refusal && expect.stringMatching(refusal) });
});

test('a mode is known by its name, and that of a backtest is none', () => {
  expect([modeFactsNamed('live'), modeFactsNamed('backtest'), modeFactsNamed(null), modeFactsNamed('toString')]).toEqual([
    modeFacts('live'),
    ...[undefined, undefined, undefined],
  ]);
});

test('of all that a journal may have as a mode, a backtest is that alone', () => {
  expect(['backtest', 'paper', 'live', '', null, undefined].map(isBacktest)).toEqual([true, false, false, false, false, false]);
});

test('settings that name no mode leave it to the service', () => {
  expect([null, 'paper', 'dry', 'live'].map((mode) => isUndeclared(mode as Mode | null))).toEqual([true, false, false, false]);
});

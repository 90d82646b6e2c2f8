import { describe, expect, test } from 'vitest';
import { LIMIT_REASONS } from '#domain/limits.ts';
import { isoTime, laneIdOf, productCode } from '#domain/names.ts';
import { blockedText } from '#domain/no-order-line.ts';
import { refusalMend, stateLine, stateWords } from '#domain/no-order-words.ts';
import { REASONS, type Reason } from '#domain/reasons.ts';
import { type JournaledState, latchedState, STRATEGY_STATES, type TradingBlock } from '#domain/strategy-state.ts';

const AT = Date.UTC(2026, 0, 1);
const product = productCode('btcusd');
const lane = laneIdOf('btcusd@base:0.01');
const ann = { who: 'ann', why: 'news', since: AT } as const;
const halted = { kind: 'halted', strategy: null, ...ann } as const;
const reducing = { kind: 'reducing', strategy: null, ...ann, until: AT + 1000 } as const;
const ITSELF = 'it ends by itself';
const SEE = 'see what comes: kairos quotes btcusd --basic; kairos doctor looks at the connection';
const checks = [{ check: 'MAX_SPREAD', passed: false, figure: 0.4, limit: 0.2 }] as const;

/** Every kind of cause, with its words: why, and what a person does. */
const WORDS: readonly (readonly [TradingBlock, Reason | null, string, string])[] = [
  [{ state: 'HALTED', figures: { standing: [halted] } }, 'HALTED', 'halted by ann: news', 'kairos resume ends it'],
  [
    { state: 'HALTED', figures: { standing: [halted, reducing] } },
    'HALTED',
    `halted by ann: news; also REDUCING since ${isoTime(AT)} by ann (news)`,
    `kairos resume ends both; REDUCING ends by itself at ${isoTime(AT + 1000)}`,
  ],
  [
    { state: 'DISABLED', figures: { standing: [{ kind: 'disabled', strategy: 's', who: null, since: null, why: 'it threw' }] } },
    'DISABLED',
    'disabled: it threw',
    'kairos enable s ends it',
  ],
  [
    { state: 'NO_TIME', figures: {} },
    'LAG',
    'this machine does not keep up: the event loop is late',
    'give the process more CPU time, or fewer lanes',
  ],
  [{ state: 'NO_QUOTES', figures: { product } }, null, 'the service does not list btcusd', 'kairos products shows what it lists'],
  [
    { state: 'NO_QUOTES', figures: { product } },
    'PRODUCT_QUARANTINED',
    'btcusd: a lane of the product brings bad prices: nothing is opened in it',
    'ten good prices in a row end it; kairos quotes shows what comes',
  ],
  [
    { state: 'NO_QUOTES', figures: { product, lane, phase: 'lost', why: 'closed' } },
    'LANE_DOWN',
    `lane ${lane} is lost: closed`,
    'check the connection to the service: kairos doctor',
  ],
  [
    { state: 'NO_QUOTES', figures: { product, lane } },
    'LANE_QUARANTINED',
    `lane ${lane}: ${REASONS.LANE_QUARANTINED}`,
    'ten good prices in a row end it; kairos quotes shows what comes',
  ],
  [
    { state: 'NO_QUOTES', figures: { product, lane } },
    'QUOTE_WITHOUT_ID',
    `quotes of lane ${lane} are anonymous`,
    'set service.userId (KAIROS_USER_ID)',
  ],
  [
    { state: 'NO_QUOTES', figures: { product, lane, phase: 'refused', why: 'no such size' } },
    'LANE_DOWN',
    `lane ${lane} is refused: no such size`,
    'check product and amount; the service is asked again',
  ],
  [
    { state: 'NO_QUOTES', figures: { product, lane, phase: 'opening', why: 'too much' } },
    'LANE_DISABLED',
    `the service refuses lane ${lane}: too much`,
    'change product or amount, then start again',
  ],
  [
    { state: 'NO_QUOTES', figures: { product, lane, quoteAt: AT } },
    'LANE_STALE',
    `lane ${lane} has no new quotes: the last came at ${isoTime(AT)}`,
    SEE,
  ],
  [{ state: 'NO_QUOTES', figures: { product, lane } }, 'LANE_STALE', `lane ${lane} is open and no quote came`, SEE],
  [
    { state: 'NO_QUOTES', figures: { product, lane, refused: 7 } },
    'QUOTE_CROSSED',
    `quotes of lane ${lane} are not used: 7 refused so far, the quote buys below the price at which it sells`,
    SEE,
  ],
  [
    { state: 'FROZEN', figures: { order: '12-1', product } },
    'PRODUCT_FROZEN',
    'order 12-1 in btcusd has an unknown outcome',
    'look into the account; `kairos journal resolve 12-1 --as accepted` or `--as rejected` settles it',
  ],
  [{ state: 'WAITING', figures: {} }, 'SERVICE_WAIT', 'the service answered 429', ITSELF],
  [
    { state: 'NO_RATE', figures: { setting: 'risk.maxOrderValue', has: ['eur'], lacks: 'usd' } },
    'NO_RATE',
    'risk.maxOrderValue is in eur, and there is no live rate from usd',
    'give the limit in usd as well, as {usd: N}',
  ],
  [
    { state: 'NO_FUNDS', figures: { cost: '600.00', currency: 'usd', accountLeft: '100.00', limits: [] } },
    'INSUFFICIENT_FUNDS',
    'an order costs some 600.00 usd, and the account has 100.00 to spend',
    'a smaller amount, or more in the account (book what came in: kairos ledger add)',
  ],
  [
    {
      state: 'NO_FUNDS',
      figures: {
        cost: '600.00',
        currency: 'usd',
        budgetLeft: '10.00',
        limits: [{ setting: 'risk.maxOrderValue', limit: '500', currency: 'usd' }],
      },
    },
    'BUDGET',
    'an order costs some 600.00 usd, and 10.00 of its budget is left, risk.maxOrderValue is 500 usd',
    'a smaller amount, or all of: a larger budget, in its entry; larger limits',
  ],
  [{ state: 'OUTSIDE_WINDOW', figures: { why: 'closed on 2026-12-25' } }, 'OUTSIDE_WINDOW', 'closed on 2026-12-25', ITSELF],
  [{ state: 'COOLING_DOWN', figures: { losses: 3 } }, 'LOSS_COOLDOWN', '3 closes in a row lost', `${ITSELF}, or by kairos resume`],
  [{ state: 'WARMING_UP', figures: { seen: 2, quotes: 5, spanMs: 0 } }, 'WARMING_UP', '2 of 5 quotes seen', ITSELF],
  [{ state: 'WARMING_UP', figures: { seen: 2, quotes: 0, spanMs: 5000 } }, 'WARMING_UP', 'it sees 5 s of quotes first', ITSELF],
  [{ state: 'REFUSED', figures: { checks } }, 'MAX_SPREAD', 'spread 0.4 % over 0.2 %', refusalMend('MAX_SPREAD')],
  [
    { state: 'REFUSED', figures: { checks: [], answer: { ms: 2900, leastMs: 250 } } },
    'TIME_LEFT',
    'the quote has too little time left: an opening needs 3150 ms, risk.minTimeLeftMs (250 ms) and the 2900 ms that an answer of the service took',
    'that answer counts for ten minutes; quotes with more time left pass',
  ],
  [{ state: 'NO_SIGNAL', figures: { why: 'the signal is NaN' } }, 'SIGNAL_NAN', 'the signal is NaN', 'fix the calculation of its signals'],
  [{ state: 'RUNNING', figures: {} }, null, STRATEGY_STATES.RUNNING, ''],
];

test.each(WORDS)('%j of %s in words', (blocked, reason, why, mend) => {
  expect(stateWords({ ...blocked, reason })).toEqual({ why, mend });
});

describe('a backtest', () => {
  test('advises nothing that a person does while a daemon runs', () => {
    for (const [blocked, reason] of WORDS)
      expect(stateWords({ ...blocked, reason }, true).mend).not.toMatch(/kairos (resume|arm|enable|doctor|quotes|journal)/);
  });

  test.each<[TradingBlock, Reason, RegExp]>([
    [{ state: 'NO_QUOTES', figures: { product, lane, quoteAt: AT } }, 'LANE_STALE', /^the data has no quotes then, .*kairos data gaps/],
    [{ state: 'HALTED', figures: { standing: [halted] } }, 'HALTED', /^nobody ends it in a backtest: .*--limits off$/],
    [{ state: 'WARMING_UP', figures: { seen: 1, quotes: 5, spanMs: 0 } }, 'WARMING_UP', /^play a longer time, or let warmup\(\)/],
    [{ state: 'REFUSED', figures: { checks } }, 'MAX_SPREAD', /^raise the limit, or play with --limits off$/],
  ])('%j of %s', (blocked, reason, mend) => {
    expect(stateWords({ ...blocked, reason }, true).mend).toMatch(mend);
  });
});

test('what earlier versions kept is shown in its words of then', () => {
  const kept: JournaledState = { state: 'NO_QUOTES', reason: 'LANE_STALE', why: 'quotes stopped', mend: 'look', since: AT, until: null };
  expect(stateWords(kept)).toEqual({ why: 'quotes stopped', mend: 'look' });
  expect(stateLine(kept, AT)).toBe(`NO_QUOTES since ${isoTime(AT)}: quotes stopped`);
  expect(stateWords({ ...kept, state: 'HALTED', why: '', mend: '' }).why).toBe(STRATEGY_STATES.HALTED);
});

test('a state in one line has its beginning and what is left of it', () => {
  const state = { state: 'COOLING_DOWN', figures: { losses: 3 }, reason: 'LOSS_COOLDOWN', since: null, until: AT + 65_000 } as const;
  expect(stateLine(state, AT)).toBe('COOLING_DOWN, 1 min 5 s left: 3 closes in a row lost');
});

test.each([
  [['reducing', 'halted'], 'HALTED'],
  [['reducing', 'paused'], 'PAUSED'],
  [['disarmed', 'reducing', 'disabled'], 'DISABLED'],
] as const)('of latches %j that which must end first is the state', (kinds, state) => {
  const latches = kinds.map((kind) => ({ kind, strategy: null, ...ann }));
  expect(latchedState(latches)).toMatchObject({ state, since: AT, figures: { standing: expect.arrayContaining(latches) } });
});

test('a stop says the rule that made it; what a person did is the state', () => {
  const reasonOf = (kind: 'halted' | 'paused') => latchedState([{ kind, strategy: null, ...ann, reason: 'CRASH_LOOP' }])?.reason;
  expect([reasonOf('halted'), reasonOf('paused')]).toEqual(['CRASH_LOOP', 'PAUSED']);
});

test.each<[Reason | null, RegExp, RegExp]>([
  ['MAX_ORDERS_PER_MINUTE_OF_PRODUCT', /passes within a minute, or raise risk\.max/, /passes within a minute/],
  ['MAX_SPREAD', /wait for a quote that passes.*risk\.maxSpreadPct/, /--limits off/],
  ['MAX_DAY_VALUE', /next day.*risk\.maxDayValue/, /--limits off/],
  ['MAX_ORDER_VALUE', /smaller amount.*risk\.maxOrderValue/, /--limits off/],
  ['BUDGET', /larger budget/, /--limits off/],
  ['LANE_POOL_EMPTY', /raise lanes\.reserve/, /raise lanes\.reserve/],
  ['LANE_WAIT', /wait for the next quote/, /wait for the next quote/],
  [null, /wait for the next quote/, /wait for the next quote/],
])('what lets an order pass that was refused by %s', (reason, live, played) => {
  expect(refusalMend(reason)).toMatch(live);
  expect(refusalMend(reason, true)).toMatch(played);
});

test('what lets an order pass names the setting of the limit, whichever it is', () => {
  for (const reason of Object.keys(LIMIT_REASONS)) expect(refusalMend(reason), reason).toMatch(/\brisk\.\w+/);
});

test('since when, why and what ends it stand once each, and nothing for what is not known', () => {
  const state = { since: '2026-01-01T00:00:00.000Z', why: 'worth 2100 usd, over 2000 usd', mend: refusalMend('MAX_ORDER_VALUE') };
  expect(blockedText(state)).toBe(
    'since 2026-01-01T00:00:00.000Z: worth 2100 usd, over 2000 usd; take a smaller amount, or raise risk.maxOrderValue',
  );
  expect(blockedText({ ...state, since: null, mend: '' })).toBe('worth 2100 usd, over 2000 usd');
});

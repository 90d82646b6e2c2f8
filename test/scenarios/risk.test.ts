import { afterEach, describe, expect, test } from 'vitest';
import { writeAct } from '#adapters/journal/acts.ts';
import { buy, type MarkedStrategy, sell, strategy } from '#core/strategy/index.ts';
import { decimalOf, ZERO } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import type { AnswerReport } from '#domain/execution-report.ts';
import { isoTime } from '#domain/names.ts';
import { guardedJournal } from '../support/guarded-journal.ts';
import { usd } from '../support/limits.ts';
import { quote, quoteSide } from '../support/market-data.ts';
import { type Rig, type RigOptions, START } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

/** What the strategy wants at each quote; tests set it. */
let wish: 'buy' | 'sell' | 'short' | 'nothing' = 'nothing';

const willing = (): MarkedStrategy =>
  strategy({
    name: 'willing',
    signals: ({ quotes$ }) => quotes$,
    decide: (_, { amount }) => {
      if (wish === 'buy') return buy(amount, 'in');
      if (wish === 'short') return sell(amount, 'under');
      return wish === 'sell' ? sell('position', 'out') : undefined;
    },
  });

const newRig = rigsOfTests();
function rig(options: Omit<RigOptions, 'strategies'> & { readonly names?: readonly string[] } = {}): Rig {
  const { names = ['w'], ...rest } = options;
  return newRig({ strategies: Object.fromEntries(names.map((name) => [name, willing()])), ...rest });
}
afterEach(() => {
  wish = 'nothing';
});

interface Tick {
  readonly sell?: number;
  readonly afterMs?: number;
  readonly validMs?: number;
}

/** The next quote, half a second later, and what the strategy wants on it. Returns the last row's kind and reason. */
function tick(r: Rig, want: typeof wish, price = 60_000, { sell: bid = price, afterMs = 500, validMs = 3000 }: Tick = {}): string {
  r.moveBy(afterMs);
  wish = want;
  r.quote(quote({ buy: price, sell: bid, validUntil: r.clock.now() + validMs }));
  wish = 'nothing';
  return r.story().at(-1) ?? '';
}

/** The same, and the service executes what is sent. */
function trade(r: Rig, want: Exclude<typeof wish, 'nothing'>, price = 60_000, answer: Partial<AnswerReport> = {}): string {
  const before = r.broker.submitted.length;
  const story = tick(r, want, price);
  if (r.broker.submitted.length > before) r.answer(r.last, answer);
  return story;
}

const again = (r: Rig, options: Omit<RigOptions, 'strategies'> = {}): Rig =>
  rig({ folder: r.folder, startAt: r.clock.now() + 1000, ...options });

const latched = (r: Rig, kind: string) => r.rows().filter((row) => row.kind === kind);

describe('losses', () => {
  test('I07b day loss at executable prices: at the limit only exits pass, until a person resumes', () => {
    const r = rig({ limits: { maxDayLoss: usd(50) } });
    trade(r, 'buy');
    // 0.01 bought at 60,000 with a fee of 0.6: the sell side at 55,060 loses 49.4 and the fee.
    tick(r, 'nothing', 55_061);
    expect(latched(r, 'reducing')).toEqual([]);
    tick(r, 'nothing', 60_000, { sell: 55_060 });
    expect(latched(r, 'reducing')).toMatchObject([{ reason: 'MAX_DAY_LOSS', detail: { who: 'kairos' } }]);
    expect(tick(r, 'buy')).toBe('refused REDUCING');
    expect(trade(r, 'sell', 55_000)).toBe('approved');
    expect(tick(r, 'buy')).toBe('refused REDUCING');
    r.give({ kind: 'command', command: { act: 'resume', strategy: null, who: 'ann', why: 'seen' } });
    expect(tick(r, 'buy')).toBe('approved');
  });

  test('row 5: a limit that trips while another process holds the journal acts at once, and its row follows, once', () => {
    let isHeld = false;
    const commit = (): void => {
      if (isHeld) throw new KairosError('JOURNAL_BUSY', 'held');
    };
    const r = rig({ limits: { maxDayLoss: usd(50) }, wrapJournal: (journal) => guardedJournal(journal, { commit }) });
    trade(r, 'buy');
    isHeld = true;
    tick(r, 'nothing', 60_000, { sell: 55_060 });
    expect(r.engine.snapshot(r.clock.now()).trading).toBe('REDUCING');
    isHeld = false;
    expect(tick(r, 'buy')).toBe('refused REDUCING');
    expect(latched(r, 'reducing')).toMatchObject([{ reason: 'MAX_DAY_LOSS' }]);
    expect(trade(r, 'sell', 55_000)).toBe('approved');
  });

  test('drawdown counts from the peak, not from the start', () => {
    const r = rig({ limits: { maxDrawdownPct: 2 } });
    trade(r, 'buy');
    tick(r, 'nothing', 90_000);
    // The peak is 10,299.4 in all: 2 % of it are 205.99.
    tick(r, 'nothing', 69_410);
    expect(latched(r, 'reducing')).toEqual([]);
    tick(r, 'nothing', 69_390);
    expect(latched(r, 'reducing')).toMatchObject([{ reason: 'MAX_DRAWDOWN' }]);
  });

  test('I32 a position held over a restart and midnight keeps its peak, also before its first quote of the day', () => {
    const limits = { maxDrawdownPct: 2, maxDayLoss: usd(100) };
    const first = rig({ limits });
    trade(first, 'buy');
    tick(first, 'nothing', 90_000);
    tick(first, 'nothing', 70_000, { afterMs: 60_000 });
    first.crash();
    const second = again(first, { limits, startAt: START + 24 * 3_600_000 });
    // Of the day nothing is lost at its first price; 195.5 are below the peak of the day before, 206 are 2 % of it.
    tick(second, 'nothing', 70_000);
    expect(latched(second, 'reducing')).toEqual([]);
    tick(second, 'nothing', 69_390);
    expect(latched(second, 'reducing')).toMatchObject([{ reason: 'MAX_DRAWDOWN' }]);
  });

  test('I32 what was lost today survives a restart; a new day begins anew, once', () => {
    const first = rig({ limits: { maxDayLoss: usd(50) } });
    trade(first, 'buy');
    tick(first, 'nothing', 58_000);
    trade(first, 'sell', 58_000);
    trade(first, 'buy', 58_000);
    first.crash();
    const second = again(first, { limits: { maxDayLoss: usd(50) } });
    tick(second, 'nothing', 55_600);
    expect(latched(second, 'reducing')).toEqual([]);
    tick(second, 'nothing', 55_100);
    expect(latched(second, 'reducing')).toHaveLength(1);
    second.crash();
    const third = rig({ folder: first.folder, run: 'run-9', startAt: START + 86_400_000 + 60_000, limits: { maxDayLoss: usd(50) } });
    tick(third, 'nothing', 55_200);
    tick(third, 'nothing', 55_000);
    expect(latched(third, 'reducing')).toHaveLength(1);
  });

  test('closes in a row that lost: the strategy waits, then goes on', () => {
    const r = rig({ limits: { maxLossStreak: 2, lossCooldown: 10_000 } });
    for (let n = 0; n < 2; n++) {
      expect(trade(r, 'buy')).toBe('approved');
      expect(trade(r, 'sell', 59_900)).toBe('approved');
    }
    const until = isoTime(r.clock.now() + 10_000);
    expect(tick(r, 'buy')).toBe('refused LOSS_COOLDOWN');
    const said = `buy refused: LOSS_COOLDOWN, openings wait after closes in a row that lost: 2 lost, until ${until}`;
    expect(r.notices).toContainEqual(expect.stringContaining(said));
    while (r.clock.now() < START + 12_000) tick(r, 'nothing');
    expect(trade(r, 'buy')).toBe('approved');
  });

  test('closes in a row that lost, of all strategies together: REDUCING until a person has seen it, and not again for the same ones', () => {
    const limits = { maxLossStreakOfAll: 3 };
    const r = rig({ limits });
    const lose = (on: Rig): string => {
      trade(on, 'buy');
      return trade(on, 'sell', 59_900);
    };
    const win = (): string => {
      trade(r, 'buy');
      return trade(r, 'sell', 60_500);
    };
    for (const close of [lose, lose, win, lose, lose]) close(r);
    expect(latched(r, 'reducing')).toEqual([]);
    lose(r);
    expect(latched(r, 'reducing')).toMatchObject([{ reason: 'LOSS_STREAK', detail: { who: 'kairos' } }]);
    expect(tick(r, 'buy')).toBe('refused REDUCING');
    r.give({ kind: 'command', command: { act: 'resume', strategy: null, who: 'ann', why: 'seen' } });
    r.crash();
    const second = again(r, { limits });
    expect(latched(second, 'reducing')).toHaveLength(1);
    for (let n = 0; n < 3; n++) lose(second);
    expect(latched(second, 'reducing')).toHaveLength(2);
  });

  test('I32 parts of a position that are closed before another entry are one close, over a restart too, and their sum decides', () => {
    const limits = { maxLossStreak: 2, lossCooldown: 60_000, maxLossStreakOfAll: 3 };
    const sold = (on: Rig, prices: readonly number[]): void => {
      for (const price of prices) expect(trade(on, 'short', price)).toBe('approved');
    };
    const bought = (on: Rig, times: number): void => {
      for (let n = 0; n < times; n++) expect(trade(on, 'buy')).toBe('approved');
    };
    const first = rig({ limits });
    bought(first, 3);
    sold(first, [59_900, 59_900]);
    first.crash();
    const second = again(first, { limits });
    sold(second, [59_900]);
    // What parts won ends no row where all of them have lost, and what they lost counts for nothing where all have won.
    bought(second, 2);
    sold(second, [59_900, 60_500]);
    bought(second, 3);
    sold(second, [59_900]);
    expect(trade(second, 'buy')).toBe('approved');
    sold(second, [60_200, 59_000]);
    expect(tick(second, 'buy'), 'not flat').toBe('approved');
    second.answer(second.last);
    expect(tick(second, 'buy')).toBe('refused LOSS_COOLDOWN');
    sold(second, [59_900, 59_900]);
    expect(latched(second, 'reducing')).toMatchObject([{ reason: 'LOSS_STREAK', detail: { who: 'kairos' } }]);
  });

  const anew = { act: 'resume', strategy: null, who: 'ann', why: 'seen' } as const;

  test.each<[string, (r: Rig) => void]>([
    ['resumed while it ran', (r) => r.give({ kind: 'command', command: anew })],
    [
      'armed while it ran',
      (r) => r.give({ kind: 'command', command: { act: 'arm', who: 'ann', why: 'seen', configHash: 'c', config: '{}', build: 'b' } }),
    ],
    [
      'resumed while none ran',
      (r) => {
        r.crash();
        writeAct(r.path, anew, r.clock.now());
      },
    ],
  ])('I32 after a person has %s, losses and rejections are counted from there, also by the run that starts next', (_, note) => {
    const limits = { maxLossStreak: 3, lossCooldown: 60_000, maxLossStreakOfAll: 4, maxRejectionStreak: 3, maxDayLoss: usd(7) };
    const lose = (on: Rig): string => {
      trade(on, 'buy');
      return trade(on, 'sell', 59_900);
    };
    const first = rig({ limits });
    const refuse = (on: Rig) => trade(on, 'buy', 60_000, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 });
    for (let n = 0; n < 2; n++) lose(first);
    for (let n = 0; n < 2; n++) refuse(first);
    note(first);
    first.crash();
    const second = again(first, { limits });
    refuse(second);
    tick(second, 'nothing', 60_000, { afterMs: 31_000 });
    for (let n = 0; n < 2; n++) lose(second);
    expect([latched(second, 'reducing'), tick(second, 'buy')]).toEqual([[], 'approved']);
    second.answer(second.last);
    trade(second, 'sell', 59_900);
    expect(tick(second, 'buy')).toBe('refused LOSS_COOLDOWN');
  });

  test('openings leave a share of the order rate to exits, which no rate stops', () => {
    const r = rig({ reserve: 1, limits: { maxOrdersPerMinute: 5, reducingOrderSharePct: 20, duplicateWindowMs: null } });
    for (let n = 0; n < 4; n++) expect(trade(r, 'buy')).toBe('approved');
    expect(tick(r, 'buy')).toBe('refused MAX_ORDERS_PER_MINUTE');
    expect(r.rows().at(-1)?.detail.checks).toContainEqual({ check: 'MAX_ORDERS_PER_MINUTE', passed: false, figure: 5, limit: 4 });
    const close = (): string => {
      r.moveBy(500);
      wish = 'sell';
      r.quote(quote({ size: 0.01, validUntil: r.clock.now() + 3000 }));
      wish = 'nothing';
      return r.story().at(-1) ?? '';
    };
    close();
    const lane = r.lent.at(-1);
    expect(lane).toMatchObject({ product: 'btcusd' });
    if (lane) r.ack(lane);
    r.quote(quote({ size: 0.04, validUntil: r.clock.now() + 3000, ...(lane && { lane: lane.id }) }));
    expect(r.story().at(-1)).toBe('approved');
  });
});

describe('an exit has bounds as well', () => {
  test('rejected ones are spaced by 1, 2, 4 .. 30 s, and one that is executed ends that', () => {
    const r = rig();
    trade(r, 'buy');
    const spaces: number[] = [];
    let last = r.clock.now();
    for (let round = 0; round < 7; round += 1) {
      while (tick(r, 'sell') !== 'approved') expect(r.story().at(-1)).toBe('refused EXIT_PAUSE');
      spaces.push((r.clock.now() - last) / 1000);
      last = r.clock.now();
      r.answer(r.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 });
    }
    expect(spaces.slice(1)).toEqual([1, 2, 4, 8, 16, 30]);
    r.moveBy(30_000);
    expect([tick(r, 'sell'), tick(r, 'sell')]).toEqual(['refused LANE_STALE', 'approved']);
    r.answer(r.last);
    expect(r.query('SELECT state FROM orders')).toEqual(['accepted', ...Array(7).fill('rejected'), 'accepted'].map((state) => ({ state })));
  });

  const rich = { limits: { maxExitValue: usd(700), collarPct: null, reducingCollarPct: null } };

  test('one worth more than risk.maxExitValue waits for a person, in REDUCING too; a smaller one does not', () => {
    const r = rig(rich);
    trade(r, 'buy');
    expect(tick(r, 'sell', 71_000)).toBe('refused MAX_EXIT_VALUE');
    expect(tick(r, 'sell', 71_000)).toBe('refused MAX_EXIT_VALUE');
    expect(r.notices.filter((text) => text.includes(': kairos close w --product btcusd --up-to-value'))).toHaveLength(1);
    expect(r.engine.inspect(({ manual }) => manual.waitingExits())).toMatchObject([
      { strategy: 'w', product: 'btcusd', worth: '710', currency: 'usd', command: 'kairos close w --product btcusd --up-to-value 781' },
    ]);
    r.give({ kind: 'command', command: { act: 'flatten', resume: false, who: 'ann', why: 'out' } });
    tick(r, 'nothing', 71_000);
    expect(r.broker.submitted).toHaveLength(1);
    expect(tick(r, 'nothing', 69_000)).toBe('approved');
    r.answer(r.last);
    expect(r.engine.inspect(({ manual }) => manual.waitingExits())).toEqual([]);
  });

  test('`close` alone does not pass; with the worth that a person allows it does, journaled with who, until the position is closed', () => {
    const r = rig(rich);
    trade(r, 'buy');
    const close = { act: 'close', strategy: 'w', product: null, pct: 100, who: 'ann', why: 'it has risen' } as const;
    tick(r, 'nothing', 71_000);
    r.give({ kind: 'command', command: close });
    tick(r, 'nothing', 71_000);
    r.give({ kind: 'command', command: { ...close, upTo: '705' } });
    tick(r, 'nothing', 71_000);
    expect(r.broker.submitted).toHaveLength(1);
    expect(r.story()).toContain('refused MAX_EXIT_VALUE');
    r.give({ kind: 'command', command: { ...close, upTo: '800' } });
    expect(JSON.stringify(r.rows().findLast(({ kind }) => kind === 'by_hand')?.detail)).toMatch(/"who":"ann".*"upTo":"800"/);
    if (r.broker.submitted.length === 1) tick(r, 'nothing', 71_000);
    expect(r.broker.submitted).toHaveLength(2);
    r.answer(r.last);
    trade(r, 'buy', 61_000);
    expect(tick(r, 'sell', 72_000)).toBe('refused MAX_EXIT_VALUE');
  });

  test('a worth in a currency without a rate stops no exit', () => {
    const r = rig({ limits: { ...rich.limits, maxExitValue: new Map([['sek', decimalOf(1)]]) } });
    trade(r, 'buy');
    expect(tick(r, 'sell', 71_000)).toBe('approved');
  });
});

describe('counts', () => {
  test('F65 I32 the minute and the day are counted over a restart', () => {
    const limits = { maxOrdersPerMinuteOfStrategy: 2, maxDayValue: usd(1800) };
    const first = rig({ limits });
    trade(first, 'buy');
    trade(first, 'buy');
    expect(tick(first, 'buy')).toBe('refused MAX_ORDERS_PER_MINUTE_OF_STRATEGY');
    first.crash();
    const second = again(first, { limits });
    expect(tick(second, 'buy')).toBe('refused MAX_ORDERS_PER_MINUTE_OF_STRATEGY');
    second.moveBy(60_000);
    tick(second, 'nothing');
    expect(trade(second, 'buy')).toBe('approved');
    expect(tick(second, 'buy')).toBe('refused MAX_DAY_VALUE');
    second.moveBy(86_400_000);
    tick(second, 'nothing');
    expect(tick(second, 'buy')).toBe('approved');
  });

  test('what never left gives its value back, and may be asked for again at once', () => {
    const r = rig({ limits: { maxDayValue: usd(600), duplicateWindowMs: 10_000 } });
    expect(tick(r, 'buy')).toBe('approved');
    r.report(r.last, { type: 'not_sent', reason: 'NOT_CONNECTED', why: 'refused' });
    expect(trade(r, 'buy')).toBe('approved');
    expect(tick(r, 'buy')).toBe('refused MAX_DAY_VALUE');
  });

  test('the same order again: refused inside the window, approved at its end', () => {
    const r = rig({ limits: { duplicateWindowMs: 1000 } });
    trade(r, 'buy');
    expect(tick(r, 'buy', 60_000, { afterMs: 999 })).toBe('refused DUPLICATE');
    expect(tick(r, 'buy', 60_000, { afterMs: 1 })).toBe('approved');
  });

  test('a turn from long to short of the same size is no duplicate of the exit before it; the opening again is', () => {
    const r = rig({ limits: { duplicateWindowMs: 1000 }, canShort: true });
    trade(r, 'buy');
    const steps: readonly (readonly [want: typeof wish, story: string])[] = [
      ['short', 'approved'],
      ['short', 'approved'],
      ['short', 'refused DUPLICATE'],
      ['buy', 'approved'],
      ['buy', 'approved'],
      ['buy', 'refused DUPLICATE'],
    ];
    for (const [want, story] of steps) {
      const before = r.broker.submitted.length;
      expect(tick(r, want, 60_000, { afterMs: 50 }), want).toBe(story);
      if (r.broker.submitted.length > before) r.answer(r.last, {});
    }
  });

  test('F71 a strategy that goes on asking is throttled in two rows, then disabled until a person enables it', () => {
    const r = rig({ limits: { maxOrdersPerMinute: 1, maxThrottledPerMinute: 9_000 } });
    trade(r, 'buy');
    wish = 'buy';
    for (let n = 0; n < 10_000; n++) {
      if (n % 10 === 0) r.moveBy(1);
      r.quote(quote({ validUntil: r.clock.now() + 3000 }));
    }
    expect(latched(r, 'disabled')).toMatchObject([{ strategy: 'w', reason: 'RUNAWAY' }]);
    expect(latched(r, 'refused').length).toBeLessThanOrEqual(2);
    expect(r.broker.submitted).toHaveLength(1);
    expect(trade(r, 'sell')).not.toBe('approved');
    r.moveBy(60_000);
    r.give({ kind: 'command', command: { act: 'enable', strategy: 'w', who: 'ann', why: 'mended' } });
    tick(r, 'nothing');
    expect(tick(r, 'buy')).toBe('approved');
  });

  test('orders rejected in a row leave only exits; one that is accepted starts the count anew', () => {
    const r = rig({ limits: { maxRejectionStreak: 2 } });
    const rejected = { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 } as const;
    trade(r, 'buy', 60_000, rejected);
    trade(r, 'buy');
    trade(r, 'buy', 60_000, rejected);
    expect(latched(r, 'reducing')).toEqual([]);
    trade(r, 'buy', 60_000, rejected);
    expect(latched(r, 'reducing')).toMatchObject([{ reason: 'REJECTION_STREAK' }]);
    expect(tick(r, 'buy')).toBe('refused REDUCING');
    expect(trade(r, 'sell')).toBe('approved');
  });
});

describe('the quote itself', () => {
  test('F33 an opening is refused at a price a tenth too high, an exit at a fifth, and neither at the next good one', () => {
    const r = rig({ limits: { collarPct: 3, reducingCollarPct: 15, maxOrderValue: null, maxPositionValue: null } });
    for (let n = 0; n < 5; n++) tick(r, 'nothing');
    expect(tick(r, 'buy', 66_000)).toBe('refused COLLAR');
    expect(trade(r, 'buy')).toBe('approved');
    tick(r, 'nothing', 54_000);
    expect(tick(r, 'sell', 48_000)).toBe('refused COLLAR');
    expect(trade(r, 'sell', 54_000)).toBe('approved');
  });

  test('time left: an opening needs the round trip of answers besides, an exit does not', () => {
    const r = rig({ limits: { minTimeLeftMs: 250 } });
    trade(r, 'buy', 60_000, { roundTripMs: 99.5 });
    expect(tick(r, 'buy', 60_000, { validMs: 349 })).toBe('refused TIME_LEFT');
    expect(tick(r, 'buy', 60_000, { validMs: 350 })).toBe('approved');
    r.answer(r.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422, roundTripMs: 10 });
    expect(tick(r, 'sell', 60_000, { validMs: 250 })).toBe('approved');
  });

  test('slippage of the very side that is used', () => {
    const r = rig({ limits: { maxSlippagePct: 0.2 } });
    r.moveBy(500);
    wish = 'buy';
    const slipping = { ...quoteSide(60_000), slippagePercentage: 0.3 };
    r.quote({ ...quote({ validUntil: r.clock.now() + 3000 }), buy: slipping });
    expect(r.story().at(-1)).toBe('refused MAX_SLIPPAGE');
    r.moveBy(500);
    r.quote({ ...quote({ validUntil: r.clock.now() + 3000 }), sell: slipping });
    expect(r.story().at(-1)).toBe('approved');
  });
});

describe('exposure', () => {
  test('I05 an unknown counts at its worse end, for the strategy and in total, and freezes its product', () => {
    const r = rig({ names: ['w', 'v'], limits: { maxPositionValue: usd(1200) } });
    tick(r, 'buy');
    r.answer(r.last, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
    expect(tick(r, 'buy')).toBe('refused PRODUCT_FROZEN');
    r.answer(r.last, { late: true });
    trade(r, 'buy');
    expect(tick(r, 'buy')).toBe('refused MAX_POSITION_VALUE');
  });

  test('a second order of unknown outcome halts', () => {
    const r = rig({ names: ['w', 'v'], limits: { maxUnknown: 1 } });
    tick(r, 'buy');
    const first = r.last;
    tick(r, 'buy');
    const second = r.last;
    expect(second.strategy).not.toBe(first.strategy);
    const unknown = { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null } as const;
    r.answer(first, unknown);
    expect(r.latch.isSet).toBe(false);
    r.answer(second, unknown);
    expect(r.latch.isSet).toBe(true);
    expect(latched(r, 'halted')).toMatchObject([{ reason: 'MAX_UNKNOWN' }]);
    r.crash();
    expect(again(r).latch.isSet).toBe(true);
  });
});

test('the account as a whole covers what is bought: open orders, fills and deposits count, over restarts as well', () => {
  const opening = new Map([['usd', decimalOf(1300)]]);
  const r = rig({ names: ['w', 'v', 'x'], opening });
  tick(r, 'buy');
  tick(r, 'buy');
  expect(r.broker.submitted).toHaveLength(2);
  expect(tick(r, 'buy')).toBe('refused INSUFFICIENT_FUNDS');
  for (const order of r.broker.submitted) r.answer(order);
  expect(tick(r, 'buy')).toBe('refused INSUFFICIENT_FUNDS');
  r.crash();
  const second = again(r, { opening });
  expect(tick(second, 'buy')).toBe('refused INSUFFICIENT_FUNDS');
  const entries = [{ book: 'treasury', kind: 'deposit', currency: 'usd', amount: '600' }] as const;
  second.give({ kind: 'command', command: { act: 'book', who: 'ann', why: 'came in', entries } });
  expect(tick(second, 'buy')).toBe('approved');
});

test('an account that names no usd has none to spend, though it has other money: a short is opened and closed, and a deposit is spent', () => {
  const opening = new Map([['eur', decimalOf(50_000)]]);
  const r = rig({ opening, isOpeningWhole: true, canShort: true });
  expect(tick(r, 'buy')).toBe('refused INSUFFICIENT_FUNDS');
  trade(r, 'sell');
  trade(r, 'buy', 61_000);
  expect(tick(r, 'buy')).toBe('refused INSUFFICIENT_FUNDS');
  const entries = [{ book: 'treasury', kind: 'deposit', currency: 'usd', amount: '1300' }] as const;
  r.give({ kind: 'command', command: { act: 'book', who: 'ann', why: 'came in', entries } });
  expect(tick(r, 'buy')).toBe('approved');
});

test('what a default says of the account is not all of it: a currency that it does not name is not refused', () => {
  const r = rig({ opening: new Map([['eur', decimalOf(50_000)]]) });
  expect(tick(r, 'buy')).toBe('approved');
});

test('every limit off: nothing but state, quote and size is asked', () => {
  const off = { maxOrderValue: null, maxPositionValue: null, maxSpreadPct: null, maxOrdersPerMinute: null, minTimeLeftMs: null };
  const r = rig({ limits: off });
  expect(tick(r, 'buy', 90_000, { sell: 10, validMs: 1 })).toBe('approved');
  expect(r.last.figures.value.gt(ZERO)).toBe(true);
});

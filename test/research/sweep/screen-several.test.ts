import { describe, expect, test } from 'vitest';
import { sweep } from '#research/sweep/sweep.ts';
import { benchOf, type Case, OPTIONS, screened, screening, screenOf } from './screening.ts';
import { playing, studyOf } from './study.ts';

const SECOND = 'id: two, use: ema-cross, product: btcusd, amount: { base: 0.01 }';
const LARGER = SECOND.replace('0.01', '0.02');
const OTHER = SECOND.replace('btcusd', 'ethusd').replace('0.01', '0.1');
const TWO_AMOUNTS: Case = { second: LARGER, recording: { lanes: ['btcusd 0.01', 'btcusd 0.02'] } };
const TWO_PRODUCTS: Case = { second: OTHER, recording: { lanes: ['btcusd 0.01', 'ethusd 0.1'] } };
const DAYS = { stretch: 240, validityMs: 300_000, silent: [0, 0] } as const;
const STALE = 'lanes: { staleAfter: { btcusd: 300s, ethusd: 300s } }\n';
const VARY = ['one.fast=2,5', 'one.slow=12,34', 'two.fast=2,3', 'two.slow=15,21'];

describe('a screened trial of several strategies is the engine’s, fill by fill and figure by figure', () => {
  const cases: Readonly<Record<string, Case>> = {
    'on one lane': { second: SECOND },
    'on one lane, both ways': { second: SECOND, more: 'account: { allowShort: [btcusd] }\n' },
    'on two amounts of a product': TWO_AMOUNTS,
    'on two products': TWO_PRODUCTS,
    'with drawn latency': { ...TWO_PRODUCTS, latency: '[50, 900], limits: off' },
    'answered at once': { ...TWO_AMOUNTS, latency: 0 },
    'with exits': { second: `${SECOND}, exits: { stopLossPct: 0.02 }`, exits: '{ takeProfitPct: 0.01 }' },
    'with openings that wait after losses': { second: SECOND, losses: 'maxLossStreak: 2, lossCooldown: 20s' },
    'over days that end': { second: OTHER, recording: { ...TWO_PRODUCTS.recording, ...DAYS }, more: STALE },
  };
  for (const [name, of] of Object.entries(cases))
    test(name, async () => {
      const { study, screen } = await screenOf(of);
      const settings = [2, 5].flatMap((fast) => [12, 34].map((slow) => ({ one: { fast, slow }, two: { fast: 3, slow: slow + fast } })));
      const played = [];
      for (const params of settings) {
        const { result, unequal } = await screen.replay(study.job(params));
        expect([params, unequal]).toEqual([params, null]);
        played.push(result);
      }
      expect(played.map(({ unscreened }) => unscreened)).toEqual(played.map(() => undefined));
      expect(Math.max(...played.map(({ fills }) => fills))).toBeGreaterThan(20);
    });
});

const unscreenedOf = async (of: Case, vary: readonly string[] = VARY): Promise<readonly string[]> => {
  const study = await studyOf(benchOf(of), { players: screening(), screen: true });
  const { screen } = await sweep(study, { ...OPTIONS, vary }, playing());
  return screen?.unscreened.map(({ why }) => why) ?? [];
};

describe('a sweep of several strategies', () => {
  test('is screened, of whichever its parameters are', async () => {
    const { result } = await screened(TWO_PRODUCTS, { vary: VARY });
    expect(result.summary).toMatch(/; 16 trials screened, 11 replayed, all equal$/);
  });

  test('is screened with the others that nothing varies', async () => {
    const { result } = await screened({ second: SECOND });
    expect(result.summary).toMatch(/; 20 trials screened, \d+ replayed, all equal$/);
  });

  test('says how often a strategy found its quote taken', async () => {
    const alike = SECOND.replace('ema-cross', 'sma-cross');
    const { screen, study } = await screenOf({ second: alike });
    const params = { one: { fast: 2, slow: 12 }, two: { fast: 2, slow: 12 } };
    await screen.play(study.job({ ...params, two: { fast: 3, slow: 12 } }));
    const { refusals, unscreened } = await screen.play(study.job(params));
    const { result } = await screen.replay(study.job(params));
    expect(unscreened).toBeUndefined();
    expect(refusals).toEqual(result.refusals.map(({ reason, count }) => ({ reason, count })));
  });

  test.each<readonly [why: string, of: Case]>([
    [
      'risk.maxPositionValue, which may have held an order back',
      { second: SECOND, losses: 'maxLossStreak: off, maxOrderValue: { usd: 900 }, maxPositionValue: { usd: 900 }' },
    ],
    ['risk.spending, which may have held an order back', { second: SECOND, more: 'account: { opening: { usd: 900 } }\n' }],
    ['backtest.atEnd: close, with several strategies', { second: SECOND, latency: '250, atEnd: close' }],
    [
      'products in several quote currencies: usd and sek',
      { ...TWO_PRODUCTS, second: OTHER.replace('ethusd', 'ethsek'), recording: { lanes: ['btcusd 0.01', 'ethsek 0.1'] } },
    ],
    ['the strategy two, which never trades', { second: `${SECOND}, params: { slow: 100000 }` }],
  ])('names why the engine plays a trial: %s', async (why, of) => {
    expect(await unscreenedOf(of, ['one.fast=2,3', 'one.slow=12,34'])).toContain(why);
  });
});

import { describe, expect, test } from 'vitest';
import { trialTable as tableOnPage } from '#report/page/tables.ts';
import type { TrialResult } from '#research/replay/trial.ts';
import { viewOfSweep } from '#research/sweep/search-view.ts';
import { orderText, ranked } from '#research/sweep/sweep-ranking.ts';
import { trialTable } from '#research/sweep/sweep-table.ts';

/** What its round trips made, and what is open; null where it is not known. */
interface Made {
  readonly closed: number | null;
  readonly open: number | null;
  readonly trades?: number | null;
}

/** A trial that made `netProfit`. */
const trial = (id: string, netProfit: number, { closed: tradeProfit, open, trades = 11 }: Made): TrialResult => ({
  ...{ id, setup: id, params: { mine: { fast: id } }, from: 0, to: null, days: [], fills: 23, exact: 0, halted: null, failed: null },
  ...{ headlines: [], refusals: [], currency: 'eur' },
  figures: {
    ...{ netProfit, tradeProfit, trades, open },
    ...{ totalReturn: netProfit / 13_000, profitOverDrawdown: netProfit < 0 ? netProfit / 100 : 2 },
  },
});

describe('what of a profit is a position that is still open', () => {
  const verdict = { significant: false, text: 'too short to tell' };
  const judged = { verdict, trials: 1, sharpe: 0, deflated: 0, returnOfPaths: null, spa: 0.4, overfitting: 0.5, plateau: 0.9 };
  const summary = (one: TrialResult): string => {
    const first = { trial: one, ...judged };
    return viewOfSweep({ ranking: ranked([one], undefined), pruned: [], first, best: first }).summary;
  };

  test.each<[string, number, Made, string]>([
    [
      'a part of it',
      88.95,
      { closed: 26.96, open: 61.99 },
      'mine.fast=a made 0.68 % in 11 trades, 61.99 of 88.95 eur of it open; too short to tell',
    ],
    [
      'more than all',
      28,
      { closed: -33.99, open: 61.99 },
      'mine.fast=a made 0.22 % in 11 trades, all of it open: the closed ones lost 33.99 eur; too short to tell',
    ],
    [
      'more than all, and what the closed ones lost is worth more at their rates',
      28,
      { closed: -34.5, open: 61.99 },
      'mine.fast=a made 0.22 % in 11 trades, all of it open: the closed ones lost 34.50 eur; too short to tell',
    ],
    ['all, nothing was closed', 28, { closed: null, open: 28, trades: 0 }, 'mine.fast=a made 0.22 % in 0 trades, all of it open'],
    ['nothing', 26.96, { closed: 26.96, open: 0 }, 'mine.fast=a made 0.21 % in 11 trades; too short to tell'],
    [
      'nothing, whatever the closed ones are worth at their rates',
      26.96,
      { closed: 20, open: 0 },
      'mine.fast=a made 0.21 % in 11 trades; too short to tell',
    ],
    ['less than nothing', 20, { closed: 26.96, open: -6.96 }, 'mine.fast=a made 0.15 % in 11 trades; too short to tell'],
    ['a cent of it', 26.97, { closed: 26.96, open: 0.01 }, 'mine.fast=a made 0.21 % in 11 trades; too short to tell'],
    ['nobody knows what', 26.97, { closed: null, open: null, trades: null }, 'mine.fast=a made 0.21 % in 0 trades'],
  ])('%s stands in the sentence', (_, netProfit, made, words) => {
    expect(summary(trial('a', netProfit, made)).endsWith(words)).toBe(true);
  });

  test('stands in the table beside the net profit, both with their currency', () => {
    const trials = [
      trial('a', 88.95, { closed: 26.96, open: 61.99 }),
      trial('b', 28, { closed: -33.99, open: 61.99 }),
      trial('c', 0.3, { closed: 0.2, open: 0 }),
      trial('d', 5, { closed: null, open: 5, trades: 0 }),
      trial('e', -4, { closed: null, open: null }),
    ];
    const table = trialTable(ranked(trials, 'netProfit'));
    const { head, rows } = table;
    const at = head.indexOf('net profit eur');
    expect(head.slice(at, at + 2)).toEqual(['net profit eur', 'open eur']);
    expect(rows.map((row) => row.slice(at, at + 2))).toEqual([
      ['88.95', '61.99'],
      ['28.00', '61.99'],
      ['5.00', '5.00'],
      ['0.30', '0.00'],
      ['\u22124.00', 'n/a'],
    ]);
    const page = tableOnPage({ trials: table });
    for (const words of [
      'Ranked by net profit (as asked).',
      '<td class="n">61.99</td>',
      'open: what positions that are held at the end have won or lost, at the last quotes',
    ])
      expect(page).toContain(words);
  });
});

describe('the line above the table', () => {
  const made = (id: string, closed: number): TrialResult => trial(id, closed, { closed, open: 0 });
  const [won, lostMore, lostLess] = [made('won', 10), made('more', -40), made('less', -39)];

  test('says that those that lost go by net profit, wherever one did', () => {
    expect(trialTable(ranked([won], undefined)).above).toBe('ranked by net profit / equity drawdown (0 whole days: Sharpe from 30 on)');
    const ranking = ranked([lostMore, lostLess, won], undefined);
    expect(ranking.trials.map(({ id }) => id)).toEqual(['won', 'less', 'more']);
    expect(orderText(ranking)).toBe(
      'ranked by net profit / equity drawdown (0 whole days: Sharpe from 30 on); behind them those that lost, by net profit',
    );
  });

  test('has nothing to add where net profit ranks all, and says where it decides alone', () => {
    expect(orderText(ranked([won, lostMore], 'netProfit'))).toBe('ranked by net profit (as asked)');
    expect(orderText(ranked([lostLess, lostMore], 'sharpe'))).toBe(
      'ranked by net profit, since no trial made one; profits would go by Sharpe',
    );
    expect(orderText(ranked([won, { ...lostMore, failed: 'boom' }], 'netProfit', ['netProfit', 'totalReturn']))).toBe(
      'ranked by net profit (as asked)',
    );
  });
});

test.each([undefined, 'netProfit'] as const)(
  'trials whose figures differ in the last digits alone keep the order of the sweep, by %s',
  (by) => {
    const [exact, screened] = [trial('exact', 0.3, { closed: 0.3, open: 0 }), trial('screened', 0.1 + 0.2, { closed: 0.3, open: 0 })];
    expect(screened.figures.netProfit).toBeGreaterThan(exact.figures.netProfit ?? 0);
    expect(ranked([exact, screened], by).trials.map(({ id }) => id)).toEqual(['exact', 'screened']);
  },
);

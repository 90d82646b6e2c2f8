import { describe, expect, test } from 'vitest';
import type { TrialResult } from '#apps/backtest/replay/trial.ts';
import { viewOfSweep } from '#apps/backtest/sweep/search-view.ts';
import { orderText, ranked } from '#apps/backtest/sweep/sweep-ranking.ts';
import { trialTable } from '#apps/backtest/sweep/sweep-table.ts';
import { trialTable as tableOnPage } from '#report/page/tables.ts';

/** A trial that made `netProfit`, of which its round trips made `tradeProfit`. */
const trial = (id: string, netProfit: number, tradeProfit: number | null, trades: number | null = 11): TrialResult => ({
  ...{ id, setup: id, params: { mine: { fast: id } }, from: 0, to: null, days: [], fills: 23, exact: 0, halted: null, failed: null },
  ...{ headlines: [], refusals: [] },
  figures: { netProfit, tradeProfit, trades, totalReturn: netProfit / 13_000, profitOverDrawdown: netProfit < 0 ? netProfit / 100 : 2 },
});

describe('what of a profit is a position that is still open', () => {
  const verdict = { significant: false, text: 'too short to tell' };
  const judged = { verdict, trials: 1, sharpe: 0, deflated: 0, totalReturn: null, spa: 0.4, overfitting: 0.5, plateau: 0.9 };
  const summary = (one: TrialResult): string => {
    const first = { trial: one, ...judged };
    return viewOfSweep({ ranking: ranked([one], undefined), pruned: [], first, best: first }).summary;
  };

  test.each([
    ['a part of it', 88.95, 26.96, 11, 'mine.fast=a made 0.68 % in 11 trades, 61.99 of 88.95 of it open; too short to tell'],
    [
      'more than all',
      28,
      -33.99,
      11,
      'mine.fast=a made 0.22 % in 11 trades, all of it open: the closed ones lost 33.99; too short to tell',
    ],
    ['all, nothing was closed', 28, null, 0, 'mine.fast=a made 0.22 % in 0 trades, all of it open'],
    ['nothing', 26.96, 26.96, 11, 'mine.fast=a made 0.21 % in 11 trades; too short to tell'],
    ['less than nothing', 20, 26.96, 11, 'mine.fast=a made 0.15 % in 11 trades; too short to tell'],
    ['a cent of it', 26.97, 26.96, 11, 'mine.fast=a made 0.21 % in 11 trades; too short to tell'],
    ['nobody knows what', 26.97, null, null, 'mine.fast=a made 0.21 % in 0 trades'],
  ])('%s stands in the sentence', (_, netProfit, tradeProfit, trades, words) => {
    expect(summary(trial('a', netProfit, tradeProfit, trades)).endsWith(words)).toBe(true);
  });

  test('stands in the table beside the net profit', () => {
    const trials = [
      trial('a', 88.95, 26.96),
      trial('b', 28, -33.99),
      trial('c', 0.1 + 0.2, 0.3),
      trial('d', 5, null, 0),
      trial('e', -4, null),
    ];
    const table = trialTable(ranked(trials, 'netProfit'));
    const { head, rows } = table;
    const at = head.indexOf('net profit');
    expect(head.slice(at, at + 2)).toEqual(['net profit', 'open']);
    expect(rows.map((row) => row.slice(at, at + 2))).toEqual([
      ['88.95', '61.99'],
      ['28.00', '61.99'],
      ['5.00', '5.00'],
      ['0.300', '0.00'],
      ['-4.00', 'n/a'],
    ]);
    const page = tableOnPage({ trials: table });
    for (const words of [
      'Ranked by net profit (as asked).',
      '<td class="n">61.99</td>',
      'open: what of the net profit no round trip closed',
    ])
      expect(page).toContain(words);
  });
});

describe('the line above the table', () => {
  const [won, lostMore, lostLess] = [trial('won', 10, 10), trial('more', -40, -40), trial('less', -39, -39)];

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

import { type Figure, figure, type Section } from '#report/figures.ts';
import type { Cost, Costs } from '#report/metrics/costs.ts';
import { isKnown, type Metric, ratio } from '#report/metrics/metric.ts';

const BEYOND = 'a part of the spread, not added: by backtest.slippagePct, from the recorded price to the price of the amount';

/** What trading cost, in money and against the volume. `average` is the value of the books over the run. */
export function costSection(costs: Costs, average: Metric): Section {
  const lines = (id: string, label: string, { money, bps }: Cost, note?: string): readonly Figure[] => [
    figure(id, label, 'money', money, note),
    figure(`${id}Bps`, `${label} of the volume`, 'bps', bps),
  ];
  const turnover =
    isKnown(costs.volume) && isKnown(average)
      ? ratio(costs.volume, average, 'there was no capital')
      : isKnown(average)
        ? costs.volume
        : average;
  return {
    title: 'Costs',
    figures: [
      figure('fills', 'fills', 'count', costs.fills),
      figure('volume', 'volume', 'money', costs.volume),
      figure('turnover', 'turnover', 'ratio', turnover, 'volume over average value'),
      ...lines('spreadCost', 'spread', costs.spread, 'from the mid of the quote to the price of the side that was used'),
      ...lines('beyondCost', 'spread modelled for amounts above the recorded ones', costs.beyond, BEYOND),
      ...lines('feeCost', 'fees', costs.fee),
      ...lines('slippageCost', 'slippage', costs.slippage, 'from the price of the quote to the price of the fill'),
      ...lines('totalCost', 'all costs', costs.total),
      figure(
        'financing',
        'financing',
        'money',
        costs.financing,
        'of positions held over a roll; negative: paid; included in the net profit',
      ),
    ],
  };
}

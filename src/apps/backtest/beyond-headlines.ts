import { type BeyondRecorded, beyondRecorded } from '#report/beyond-recorded.ts';
import { type Headline, headline } from '#report/headline.ts';
import { type DecisionsSeen, decisionsSeen } from '#report/orders-seen.ts';
import type { BacktestRun } from './backtest.ts';
import { modelledOrders } from './outcome.ts';
import type { BacktestSession } from './session.ts';

/** Fills of amounts above the recorded or imported ones, one headline for each strategy and product. */
export function beyondHeadlines(
  { columns, config }: BacktestSession,
  { decisions }: BacktestRun,
  seen?: Pick<DecisionsSeen, 'orders'>,
): readonly Headline[] {
  const modelled = modelledOrders(decisions);
  if (modelled.size === 0) return [];
  const { orders } = seen ?? decisionsSeen(decisions);
  const beyond = [...beyondRecorded(orders, columns, modelled).values()];
  const { slippagePct } = config.settings.backtest;
  return [...Map.groupBy(beyond, ({ order }) => `${order.strategy} ${order.product}`).values()].flatMap((own) => {
    const most = own.reduce((worst, one) => (ratioOf(one) > ratioOf(worst) ? one : worst));
    const { strategy, product } = most.order;
    const all = orders.filter(({ order, fill }) => fill !== null && order.strategy === strategy && order.product === product).length;
    return headline('BEYOND_RECORDED', beyondText(most, { count: own.length, all, slippagePct }), { strategy });
  });
}

const ratioOf = ({ size, recorded }: BeyondRecorded): number => size / recorded;

function beyondText(
  most: BeyondRecorded,
  { count, all, slippagePct }: { readonly count: number; readonly all: number; readonly slippagePct: number },
): string {
  const { order, size, recorded, baseCcy } = most;
  const amount = Number(size.toPrecision(6));
  const known = Number(recorded.toPrecision(6));
  const worse = slippagePct * Math.log2(ratioOf(most));
  const what = `${count} of ${all} fills of strategy ${order.strategy} in ${order.product} are of an amount beyond what was recorded or imported`;
  const rule = `modelled, ${slippagePct} % worse a side for each doubling (backtest.slippagePct), here ${Number(worse.toPrecision(3))} %`;
  return `${what} (${amount} ${baseCcy}, recorded ${known}): ${rule}; record or import that amount (data import --size), or set backtest.slippagePct`;
}

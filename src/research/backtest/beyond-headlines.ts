import { sameAmount } from '#domain/lane.ts';
import { beyondRecorded, type OversizedFill } from '#report/beyond-recorded.ts';
import { type Headline, headline } from '#report/headline.ts';
import { sizeOf } from '../replay/quote-sources.ts';
import type { BacktestRun } from './backtest.ts';
import { modelledOrders, summaryOf } from './outcome.ts';
import type { BacktestSession } from './session.ts';

/**
 * Amounts above the recorded or imported ones, one headline for each strategy and product: of its fills, or where it has none of the amount
 * itself, whose modelled spread may be why.
 */
export function beyondHeadlines(session: BacktestSession, { decisions }: BacktestRun): readonly Headline[] {
  const { columns, config } = session;
  const modelled = modelledOrders(decisions);
  const { orders } = modelled.size === 0 ? { orders: [] } : summaryOf(decisions);
  const beyond = [...beyondRecorded(orders, columns, modelled).values()];
  const { slippagePct } = config.settings.backtest;
  const ofFills = [...Map.groupBy(beyond, ({ order }) => `${order.strategy} ${order.product}`).values()].flatMap((own) => {
    const most = own.reduce((worst, one) => (ratioOf(one) > ratioOf(worst) ? one : worst));
    const { strategy, product } = most.order;
    const all = orders.filter(({ order, fill }) => fill !== null && order.strategy === strategy && order.product === product).length;
    return headline('BEYOND_RECORDED', beyondText(most, { count: own.length, all, slippagePct }), { strategy });
  });
  return [...ofFills, ...unfilledHeadlines(session, new Set(ofFills.map(({ strategy }) => strategy)))];
}

/** Of strategies without a fill beyond it: that their amount is, by the first recorded quote. */
function unfilledHeadlines({ config, lanes }: BacktestSession, told: ReadonlySet<string | null>): readonly Headline[] {
  const { strategies, backtest } = config.settings;
  return strategies.flatMap(({ id, enabled, product, amount }) => {
    const own =
      enabled && !told.has(id) ? lanes.find(({ lane }) => lane.product === product && sameAmount(lane.amount, amount)) : undefined;
    const [largest] = [...(own?.columns ?? [])].sort((a, b) => (b.buy.size[0] ?? 0) - (a.buy.size[0] ?? 0));
    // Its own recording has the size that the service gave it.
    if (!own || !largest || own.columns.some((columns) => columns.lane === own.lane.id)) return [];
    const recorded = largest.buy.size[0] ?? 0;
    const size = sizeOf(amount, largest);
    if (!(recorded > 0 && size > recorded)) return [];
    const worse = backtest.slippagePct * Math.log2(size / recorded);
    const { baseCcy } = largest;
    const what = `strategy ${id} trades ${shortFigure(size)} ${baseCcy} of ${product}, beyond the recorded or imported ${shortFigure(recorded)} ${baseCcy}`;
    const rule = `its quotes are ${ruleText(backtest.slippagePct, worse)}, and ${shortFigure(2 * worse, 3)} % of the price in their spread`;
    return headline('BEYOND_RECORDED', `${what}: ${rule}; ${MEND}`, { strategy: id });
  });
}

const ratioOf = ({ size, recorded }: OversizedFill): number => size / recorded;

function beyondText(
  most: OversizedFill,
  { count, all, slippagePct }: { readonly count: number; readonly all: number; readonly slippagePct: number },
): string {
  const { order, size, recorded, baseCcy } = most;
  const worse = slippagePct * Math.log2(ratioOf(most));
  const what = `${count} of ${all} fills of strategy ${order.strategy} in ${order.product} are of an amount beyond what was recorded or imported`;
  return `${what} (${shortFigure(size)} ${baseCcy}, recorded ${shortFigure(recorded)}): ${ruleText(slippagePct, worse)}; ${MEND}`;
}

const MEND = 'record or import that amount (data import --size), or set backtest.slippagePct';

const ruleText = (slippagePct: number, worse: number): string =>
  `modelled, ${slippagePct} % worse a side for each doubling (backtest.slippagePct), here ${shortFigure(worse, 3)} %`;

const shortFigure = (value: number, digits = 6): number => Number(value.toPrecision(digits));

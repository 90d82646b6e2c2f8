import { PRODUCTS } from '#lab/simulator/service/products.ts';
import type { Draws } from '#lab/simulator/world/draws.ts';
import { drawHours } from './draw-hours.ts';
import { CALM_MS, type PlannedAmount, type PlannedStrategy, type Trouble } from './plan.ts';
import { MORNING } from './zones.ts';

/** The simulator's own strategies. The first of a plan is one of them, so that each history has trades. */
const TRADERS = ['eager', 'pyramid', 'rover', 'scaler', 'shifter', 'turner'] as const;

type Params = Readonly<Record<string, number | boolean>>;

/** The packaged strategies, with parameters quick enough for an hour. */
export const SHIPPED: Readonly<Record<string, (draws: Draws) => Params>> = {
  'book-imbalance': (draws) => ({ depth: 3, books: draws.whole(2, 6), enter: draws.pick([0.02, 0.1]) }),
  'buy-and-hold': () => ({}),
  'coin-flip': (draws) => ({ seed: draws.whole(1, 1000), everySeconds: draws.pick([20, 60]) }),
  'deposit-dca': (draws) => ({ sharePct: 100, everySeconds: draws.pick([60, 300]) }),
  'ema-cross': (draws) => ({ fast: draws.whole(2, 5), slow: draws.whole(6, 20) }),
  grid: (draws) => ({ stepPct: draws.pick([0.02, 0.1]), levels: draws.whole(2, 5), follow: draws.chance(0.5) }),
  pair: (draws) => ({ quotes: draws.whole(5, 30), enter: draws.pick([0.8, 1.5]), exit: draws.pick([0.1, 0.4]) }),
  'rsi-reversion': (draws) => ({ barSeconds: draws.pick([5, 15]), bars: draws.whole(2, 5), oversold: 45, overbought: 55 }),
  'sma-cross': (draws) => ({ fast: draws.whole(2, 5), slow: draws.whole(6, 20) }),
};
const SHIPPED_NAMES = Object.keys(SHIPPED);

interface StrategyScope {
  readonly products: readonly string[];
  readonly troubles: readonly Trouble[];
  readonly startsAt: number;
  readonly lengthMs: number;
}

/** Draws the strategies, their products, and their misbehaviour. */
export function drawStrategies(draws: Draws, { products, troubles, startsAt, lengthMs }: StrategyScope): readonly PlannedStrategy[] {
  const during = (fault: Trouble['fault'], index: number, name: string): Params => {
    const found = troubles.find((one) => one.fault === fault);
    const mine = found && index === found.id % 2 ? found : undefined;
    const second = (ms: number | undefined) => Math.round(((ms ?? -startsAt) + startsAt) / 1000);
    return { [`${name}From`]: second(mine?.from), [`${name}To`]: second(mine?.to) };
  };
  return Array.from({ length: draws.whole(1, 4) }, (_, index) => {
    const product = draws.pick(products);
    const use = index === 0 || draws.chance(0.5) ? draws.pick(TRADERS) : draws.pick(SHIPPED_NAMES);
    const most = use === 'shifter' ? 600 : 1_500;
    const amount = amountOf(draws, product, use === 'grid' ? 0 : 0.3, most);
    const shipped = SHIPPED[use];
    const trouble = { ...during('F68', index, 'throw'), ...during('F71', index, 'flood') };
    const own: Params = { pace: draws.pick([8, 20, 60]), scalePct: draws.pick([25, 50, 70]), ...trouble };
    const times = draws.fork(`times of ${index}`);
    const hedge = draws.pick(PRODUCTS.map(({ code }) => code).filter((code) => code !== product));
    return {
      id: `s${index}`,
      use,
      product,
      amount,
      ...(use === 'pair' && { inputs: { hedge: { product: hedge, amount: amountOf(draws, hedge, 0) } } }),
      params: shipped ? shipped(draws) : own,
      exits: draws.chance(0.4) ? drawExits(draws) : null,
      budget: draws.pick([50_000, 50_000, 6_000, 2_000]),
      // The first one trades whenever it can.
      ...(index > 0 && startsAt === MORNING && times.chance(0.3) && { hours: drawHours(times, lengthMs + CALM_MS) }),
      ...(index > 0 && times.chance(0.1) && { enabled: false as const }),
    };
  });
}

function drawExits(draws: Draws): NonNullable<PlannedStrategy['exits']> {
  const trailing = { trailingPct: draws.pick([0.05, 0.2]), ...(draws.chance(0.5) && { activateAtPct: draws.pick([0.02, 0.1]) }) };
  return {
    stopLossPct: draws.pick([0.1, 0.5, 2]),
    takeProfitPct: draws.pick([0.2, 1]),
    maxHoldSeconds: draws.pick([60, 600]),
    ...(draws.chance(0.4) && trailing),
    ...(draws.chance(0.2) && { net: true }),
  };
}

/** The strategy that does what signals from outside say. */
export function drawFollower(draws: Draws, products: readonly string[]): PlannedStrategy {
  const product = draws.pick(products);
  return { id: 'model', use: 'follower', product, amount: amountOf(draws, product, 0.3), params: {}, exits: null };
}

function amountOf(draws: Draws, product: string, inQuote: number, most = 1_500): PlannedAmount {
  const { anchor, sizePlaces } = PRODUCTS.find(({ code }) => code === product) ?? { anchor: 1, sizePlaces: 2 };
  const value = Math.min(most, draws.pick([40, 150, 600, 1_500]));
  return draws.chance(inQuote) ? { quote: String(value) } : { base: (value / anchor).toFixed(sizePlaces) };
}

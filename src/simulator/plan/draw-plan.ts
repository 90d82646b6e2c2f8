import { allReadings, meetingOf } from '#adapters/service/dialect/dialect.ts';
import { PRODUCTS } from '#simulator/service/products.ts';
import { Draws } from '#simulator/world/draws.ts';
import { EPOCH } from '#simulator/world/machine.ts';
import { FAULT_NAMES, type FaultName, kindOf } from './faults.ts';
import { CALM_MS, type Plan, type PlannedAct, type PlannedStrategy, type Trouble } from './plan.ts';

/** Places of the interface that the simulated service reads as its dialect has them; elsewhere it is the paper venue's own. */
const READ_PLACES = new Set([
  ...['currencies', 'products', 'figures', 'display', 'spread', 'quoteFees', 'validity', 'acks'],
  ...[
    'sides',
    'answerStatus',
    'answerForm',
    'answerWrap',
    'word',
    'wordField',
    'flags',
    'figuresTold',
    'feeTaken',
    'feeTold',
    'errorBodies',
  ],
  ...['brand', 'productList', 'limits', 'notified'],
]);
const LISTS = new Set(['product-list-in-data']);
const USES = ['eager', 'pyramid', 'rover'] as const;
/** Quotes of all lanes together in a minute, about: what a seed may cost. */
const QUOTES_A_MINUTE = 50;

/** Draws everything that a seed decides. The same text gives the same plan. */
export function drawPlan(seed: string, hours: number): Plan {
  const draws = new Draws(`plan ${seed}`);
  const lengthMs = hours * 3_600_000;
  const troubles = drawTroubles(draws.fork('troubles'), lengthMs);
  const products = draws.shuffled(PRODUCTS.map(({ code }) => code)).slice(0, draws.whole(1, 3));
  const strategies = drawStrategies(draws.fork('strategies'), products, troubles);
  const lanes = new Set(strategies.map(({ product, amount }) => `${product} ${JSON.stringify(amount)}`)).size;
  const validityMs = draws.whole(2_000, 8_000);
  const fastest = Math.max(500, (lanes * 60_000) / QUOTES_A_MINUTE);
  return {
    seed,
    hours,
    cadenceMs: Math.round(fastest * draws.between(1, 1.6)),
    validityMs,
    latencyMs: [draws.whole(1, 20), draws.whole(20, 90)],
    answerMs: [draws.whole(1, 30), draws.whole(30, 400)],
    market: {
      volatility: draws.between(1e-5, 4e-4),
      spreadPct: draws.pick([0, 0.01, 0.05, 0.2]),
      feePct: draws.pick([0, 0.05, 0.1, 0.25]),
      jumps: draws.pick([0, 1e-4, 1e-3]),
    },
    products,
    strategies,
    settings: drawSettings(draws.fork('settings'), products),
    dialect: drawDialect(draws.fork('dialect')),
    depositsEveryMs: draws.chance(0.6) || troubles.some(({ fault }) => NEEDS_DEPOSITS.has(fault)) ? draws.whole(60_000, 600_000) : 0,
    schedule: [],
    acts: drawActs(draws.fork('acts'), lengthMs),
    troubles,
  };
}

const NEEDS_DEPOSITS: ReadonlySet<FaultName> = new Set<FaultName>(['F38', 'F39', 'F40', 'F42']);

function drawTroubles(draws: Draws, lengthMs: number): readonly Trouble[] {
  const end = lengthMs - 2 * CALM_MS;
  const count = draws.chance(0.08) ? 0 : draws.whole(2, 14);
  const weighted = FAULT_NAMES.flatMap((name) => Array.from({ length: kindOf(name).weight ?? 1 }, () => name));
  return Array.from({ length: count }, (_, id) => {
    const own = draws.fork(String(id));
    const fault = own.pick(weighted);
    const { how, share = [1, 1], lastsMs = [1, 1], figure = [0, 1] } = kindOf(fault);
    const from = Math.round(own.between(30_000, end));
    const to = how === 'moment' ? from + 1 : Math.min(end, Math.round(from + own.between(...lastsMs)));
    const drawn = own.between(...figure);
    // A suspended machine is on again before faults end.
    return { id, fault, from, to, share: own.between(...share), figure: fault === 'F57' ? Math.min(drawn, end - from) : drawn };
  });
}

function drawStrategies(draws: Draws, products: readonly string[], troubles: readonly Trouble[]): readonly PlannedStrategy[] {
  const throwing = troubles.find(({ fault }) => fault === 'F68');
  const flooding = troubles.find(({ fault }) => fault === 'F71');
  const second = (ms: number | undefined) => Math.round(((ms ?? -EPOCH) + EPOCH) / 1000);
  return Array.from({ length: draws.whole(1, 4) }, (_, index) => {
    const product = draws.pick(products);
    const { anchor, sizePlaces } = PRODUCTS.find(({ code }) => code === product) ?? PRODUCTS[0] ?? { anchor: 1, sizePlaces: 2 };
    const value = draws.pick([40, 150, 600, 1_500]);
    const amount = draws.chance(0.3) ? { quote: String(value) } : { base: (value / anchor).toFixed(sizePlaces) };
    const throws = throwing && index === throwing.id % 2 ? throwing : undefined;
    const floods = flooding && index === flooding.id % 2 ? flooding : undefined;
    return {
      id: `s${index}`,
      use: draws.pick(USES),
      product,
      amount,
      params: {
        pace: draws.pick([8, 20, 60]),
        throwFrom: second(throws?.from),
        throwTo: second(throws?.to),
        floodFrom: second(floods?.from),
        floodTo: second(floods?.to),
      },
      exits: draws.chance(0.4)
        ? { stopLossPct: draws.pick([0.1, 0.5, 2]), takeProfitPct: draws.pick([0.2, 1]), maxHoldSeconds: draws.pick([60, 600]) }
        : null,
    };
  });
}

function drawSettings(draws: Draws, products: readonly string[]): readonly string[] {
  return [
    `trading.arm=${draws.pick(['auto', 'manual', 'manual'])}`,
    `trading.rearmAfter=${draws.pick(['never', 'never', '2m'])}`,
    `lanes.reserve=${draws.pick([1, 2, 3])}`,
    `risk.maxUnknown=${draws.pick([1, 1, 2, 5])}`,
    ...(draws.chance(0.5) ? [`account.allowShort=${JSON.stringify([draws.pick(products)])}`] : []),
    ...(draws.chance(0.3) ? ['service.answerMs=1500'] : []),
  ];
}

function drawDialect(draws: Draws): readonly string[] {
  const others = allReadings().filter(
    ({ own, point, client, name }) => !own && READ_PLACES.has(point) && client !== 'stands' && (point !== 'productList' || LISTS.has(name)),
  );
  // A fee in base currency leaves sizes that are no multiple of a step: worth more than one draw in a hundred.
  const names: string[] = draws.chance(0.25) ? [draws.pick(['fee-in-base', 'fee-as-received'])] : [];
  const places = new Set(names.length > 0 ? ['feeTaken'] : []);
  for (let left = draws.whole(0, 5); left > 0; left -= 1) {
    const reading = draws.pick(others);
    if (places.has(reading.point)) continue;
    places.add(reading.point);
    names.push(reading.name);
  }
  return meetingOf(names).client === 'stands' ? [] : names;
}

function drawActs(draws: Draws, lengthMs: number): readonly PlannedAct[] {
  const acts = ['halt', 'close', 'flatten', 'pause', 'stop-file'] as const;
  return Array.from({ length: draws.chance(0.5) ? draws.whole(1, 3) : 0 }, () => ({
    at: Math.round(draws.between(60_000, lengthMs - 3 * CALM_MS)),
    act: draws.pick(acts),
    figure: draws.pick([100, 50, 33]),
  }));
}

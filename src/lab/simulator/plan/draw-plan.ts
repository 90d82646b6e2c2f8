import { allReadings, meetingOf } from '#adapters/service-client/dialect/dialect.ts';
import { PRODUCTS, quotedIn } from '#lab/simulator/service/products.ts';
import { Draws } from '#lab/simulator/world/draws.ts';
import { drawActs, drawMeetings, drawSchedule } from './draw-acts.ts';
import { drawFollower, drawStrategies } from './draw-strategies.ts';
import { FAULT_NAMES, kindOf, type SimulatedFault } from './faults.ts';
import { CALM_MS, type PlannedStrategy, type SimulationPlan, type Trouble } from './plan.ts';
import { EVENING, localTime, MORNING, UTC } from './zones.ts';

/** Open points for which the simulated service has its dialect's reading; for others it has the paper venue's. */
const READ_PLACES = new Set([
  ...['currencies', 'levels', 'products', 'figures', 'display', 'spread', 'quoteFees', 'validity', 'acks'],
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
/** Approximate quotes of all lanes in a minute, which limits the cost of a seed. */
const QUOTES_A_MINUTE = 50;
const MINUTE = 60_000;

/** Draws everything that a seed decides. The same text gives the same plan. */
export function drawPlan(seed: string, hours: number): SimulationPlan {
  const draws = new Draws(`plan ${seed}`);
  const lengthMs = hours * 3_600_000;
  const startsAt = draws.fork('start').chance(0.3) ? EVENING : MORNING;
  const troubles = drawTroubles(draws.fork('troubles'), lengthMs);
  const products = draws.shuffled(PRODUCTS.map(({ code }) => code)).slice(0, draws.whole(1, 3));
  const sent = draws.fork('signals');
  const signalsEveryMs = sent.chance(0.4) ? sent.whole(1_000, 20_000) : 0;
  const own = drawStrategies(draws.fork('strategies'), { products, troubles, startsAt, lengthMs });
  const strategies = signalsEveryMs > 0 ? [...own, drawFollower(sent, products)] : own;
  const remote = draws.fork('remote').chance(0.25) || troubles.some(({ fault }) => NEEDS_REMOTE.has(fault));
  const drawn = { startsAt, lengthMs, strategies, products, remote, troubles };
  const schedule = drawSchedule(draws.fork('schedule'), drawn);
  const meetings = drawMeetings(draws.fork('meetings'), { ...drawn, schedule });
  const validityMs = draws.whole(2_000, 8_000);
  const fastest = Math.max(500, (lanesOf(strategies) * 60_000) / QUOTES_A_MINUTE);
  return {
    seed,
    hours,
    startsAt,
    cadenceMs: Math.round(fastest * draws.between(1, 1.6)),
    validityMs,
    turnMs: draws.fork('turn').pick([0, 5, 60, 250]),
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
    settings: drawSettings(draws.fork('settings'), { strategies, troubles, startsAt, remote }),
    remote,
    dialect: drawDialect(draws.fork('dialect')),
    depositsEveryMs: draws.chance(0.6) || troubles.some(({ fault }) => NEEDS_DEPOSITS.has(fault)) ? draws.whole(60_000, 600_000) : 0,
    ...(signalsEveryMs > 0 && { signalsEveryMs }),
    schedule: [...schedule, ...meetings.lines],
    acts: [...drawActs(draws.fork('acts'), drawn), ...meetings.acts],
    troubles,
  };
}

/** Lanes and display inputs, each once. */
function lanesOf(strategies: readonly PlannedStrategy[]): number {
  const seen = strategies.flatMap(({ use, product, amount, inputs = {} }) => [
    `${product} ${JSON.stringify(amount)}`,
    ...Object.values(inputs).map((input) => `${input.product} ${JSON.stringify(input.amount)}`),
    ...(use === 'book-imbalance' ? [`${product} book`] : []),
  ]);
  return new Set(seen).size;
}

const NEEDS_REMOTE: ReadonlySet<SimulatedFault> = new Set<SimulatedFault>(['F16', 'F17', 'F18']);
const NEEDS_DEPOSITS: ReadonlySet<SimulatedFault> = new Set<SimulatedFault>(['F38', 'F38b', 'F39', 'F40', 'F42']);

function drawTroubles(draws: Draws, lengthMs: number): readonly Trouble[] {
  const end = lengthMs - 2 * CALM_MS;
  const count = draws.chance(0.08) ? 0 : draws.whole(2, 14);
  const weighted = FAULT_NAMES.flatMap((name) => Array.from({ length: kindOf(name).weight ?? 1 }, () => name));
  return Array.from({ length: count }, (_, id) => {
    const own = draws.fork(String(id));
    const fault = own.pick(weighted);
    const { how, share = [1, 1], lastsMs = [1, 1], figure = [0, 1] } = kindOf(fault);
    const free = Math.round(own.between(30_000, end));
    // About a minute, when a line of the schedule may be due.
    const from = fault === 'F55' && own.chance(0.5) ? Math.round(Math.ceil(free / MINUTE) * MINUTE + own.between(-8_000, 8_000)) : free;
    const to = how === 'moment' ? from + 1 : Math.min(end, Math.round(from + own.between(...lastsMs)));
    const drawn = own.between(...figure);
    // A suspended machine resumes before faults end.
    return { id, fault, from, to, share: own.between(...share), figure: fault === 'F57' ? Math.min(drawn, end - from) : drawn };
  });
}

interface PlanParts {
  readonly strategies: readonly PlannedStrategy[];
  readonly troubles: readonly Trouble[];
  readonly startsAt: number;
  readonly remote: boolean;
}

function drawSettings(draws: Draws, { strategies, troubles, startsAt, remote }: PlanParts): readonly string[] {
  const products = [
    ...new Set(strategies.flatMap(({ product, inputs = {} }) => [product, ...Object.values(inputs).map((one) => one.product)])),
  ];
  const isFinanced = draws.chance(0.3);
  const rates = [
    { currency: 'usd', long: draws.pick([-8, -2.5, 0]), short: draws.pick([-3, 1]) },
    { product: draws.pick(products), long: -0.05, short: 0.02, per: 'day' },
  ];

  return [
    `trading.arm=${draws.pick(['auto', 'manual', 'manual'])}`,
    `trading.rearmAfter=${draws.pick(['never', 'never', '2m'])}`,
    `lanes.reserve=${draws.pick([1, 2, 3])}`,
    `risk.maxUnknown=${draws.pick([1, 1, 2, 5])}`,
    ...(draws.chance(0.5) ? [`account.allowShort=${JSON.stringify(draws.chance(0.4) ? products : [draws.pick(products)])}`] : []),
    ...(draws.chance(0.3)
      ? [`service.capabilities=${JSON.stringify(draws.pick([['order-query'], ['balances'], ['order-query', 'balances']]))}`]
      : []),
    ...(remote && (draws.chance(0.6) || troubles.some(({ fault }) => fault === 'F18')) ? ['halt.escalate=pauseAll'] : []),
    ...(isFinanced
      ? [
          `account.financing.rates=${JSON.stringify(rates)}`,
          `account.financing.time=${JSON.stringify(
            localTime(draws.whole(3, 39) * MINUTE, UTC, startsAt)
              .toISOString()
              .slice(11, 16),
          )}`,
          'account.financing.timezone=UTC',
          `account.financing.triple=${draws.pick(['none', 'tue', 'wed'])}`,
        ]
      : []),
    ...(draws.chance(0.3) ? ['service.answerMs=1500'] : []),
    ...drawLimits(
      draws.fork('limits'),
      products.some((one) => quotedIn(one) !== 'usd'),
    ),
  ];
}

/** Limits on losses and on a day's orders in half of the plans; of the worth of an exit, and tight ones of any kind, in some. */
function drawLimits(draws: Draws, isInTwo: boolean): readonly string[] {
  const value = (limit: number): string => (isInTwo ? JSON.stringify({ usd: limit, eur: limit }) : String(limit));
  const drawn = [
    `risk.maxDayLoss=${value(draws.pick([5, 20, 60]))}`,
    `risk.maxDrawdownPct=${draws.pick([0.02, 0.1, 0.3])}`,
    `risk.maxDayValue=${value(draws.pick([3_000, 20_000, 60_000]))}`,
    `risk.maxLossStreak=${draws.pick([2, 3, 5])}`,
    `risk.maxLossStreakOfAll=${draws.pick([3, 6])}`,
  ].filter(() => draws.chance(0.6));
  const tight = [
    `risk.maxStrategyValue=${value(draws.pick([2_000, 5_000]))}`,
    `risk.maxTotalValue=${value(draws.pick([3_000, 8_000]))}`,
    `risk.maxOrdersPerMinuteOfStrategy=${draws.pick([3, 6])}`,
    `risk.maxOrdersPerMinuteOfProduct=${draws.pick([4, 8])}`,
    `risk.duplicateWindowMs=${draws.pick([5_000, 20_000])}`,
    `risk.maxRejectionStreak=${draws.pick([2, 3])}`,
  ].filter(() => draws.chance(0.15));
  return [
    ...(draws.chance(0.5) ? [...drawn, `risk.lossCooldown=${draws.pick(['1m', '3m'])}`] : []),
    ...(draws.chance(0.2) ? [`risk.maxExitValue=${value(draws.pick([100, 400]))}`] : []),
    ...tight,
  ];
}

function drawDialect(draws: Draws): readonly string[] {
  const others = allReadings().filter(
    ({ own, point, client, name }) => !own && READ_PLACES.has(point) && client !== 'stands' && (point !== 'productList' || LISTS.has(name)),
  );
  // A fee in base currency leaves sizes off the step, which deserves more than one draw in a hundred.
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

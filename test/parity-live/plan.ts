import { stringify } from 'yaml';
import { SHIPPED } from '#lab/simulator/plan/draw-strategies.ts';
import { Draws } from '#lab/simulator/world/draws.ts';

/** How a run ends: as a service manager asks for it, or in the middle of whatever it does. */
type End = 'SIGTERM' | 'SIGKILL';

/** A person's command while a run goes on, as typed. */
interface Act {
  readonly atMs: number;
  readonly args: readonly string[];
}

interface PlannedRun {
  readonly ms: number;
  readonly end: End;
  readonly acts: readonly Act[];
}

/** One journal: its configuration, and the runs that follow each other on it. */
export interface History {
  readonly seed: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly runs: readonly PlannedRun[];
}

/** The paper venue's products with what about 40 dollars of them are. */
const PRODUCTS = { btcusd: '0.0007', ethusd: '0.02', eurusd: '40' } as const;
const CODES = Object.keys(PRODUCTS);

/** Draws a history. The same seed gives the same one. */
export function drawHistory(seed: string, { runs, ms }: { readonly runs: number; readonly ms: readonly [number, number] }): History {
  const draws = new Draws(`parity ${seed}`);
  const strategies = drawStrategies(draws.fork('strategies'));
  return {
    seed,
    config: drawConfig(draws.fork('settings'), seed, strategies),
    runs: Array.from({ length: runs }, (_, index) => {
      const own = draws.fork(`run ${index}`);
      const lasts = Math.round(own.between(...ms));
      return { ms: lasts, end: own.pick(['SIGTERM', 'SIGKILL'] as const), acts: drawActs(own, lasts, strategies) };
    }),
  };
}

interface Configured {
  readonly id: string;
  readonly product: string;
  readonly [key: string]: unknown;
}

/** Two to four shipped strategies and one that acts on timers alone, so that a dozen histories have all of them. */
function drawStrategies(draws: Draws): readonly Configured[] {
  const uses = draws.shuffled(Object.keys(SHIPPED)).slice(0, draws.whole(2, 4));
  return [...uses, './clockwork.ts'].map((use, index) => {
    const product = draws.pick(CODES);
    const hedge = draws.pick(CODES.filter((code) => code !== product));
    const timers = { everySeconds: draws.whole(1, 4), flatEverySeconds: draws.pick([5, 10, 20]) };
    const isLimited = draws.chance(0.2);
    return {
      id: `s${index}`,
      use,
      product,
      amount: draws.chance(0.3) && use !== 'grid' ? { quote: 40 } : amountOf(product),
      params: SHIPPED[use]?.(draws) ?? timers,
      ...(use === 'pair' && { inputs: { hedge: { product: hedge, amount: amountOf(hedge) } } }),
      ...(use === 'deposit-dca' && { budget: { usd: 5_000 } }),
      ...(draws.chance(0.4) && {
        exits: { stopLossPct: draws.pick([0.05, 0.2, 1]), takeProfitPct: draws.pick([0.1, 0.5]), maxHoldSeconds: draws.pick([5, 20]) },
      }),
      ...(isLimited && { windows: { closed: ['2026-01-01'] } }),
    };
  });
}

const amountOf = (code: string) => ({ base: Object.entries(PRODUCTS).find(([name]) => name === code)?.[1] ?? '1' });

function drawConfig(draws: Draws, seed: string, strategies: readonly Configured[]): Readonly<Record<string, unknown>> {
  const second = draws.whole(5, 25);
  const lines = [
    { name: 'pause', cron: `${second} * * * * *`, action: 'bot.pause', strategy: draws.pick(strategies).id },
    { name: 'resume', cron: `${second + 8} * * * * *`, action: 'bot.resume' },
    { name: 'flatten', cron: `${second + 20} * * * * *`, action: 'bot.flatten' },
    { name: 'after', cron: `${second + 25} * * * * *`, action: 'bot.resume' },
  ];
  return {
    strategies,
    schedule: draws.chance(0.5) ? lines : [],
    account: {
      allowShort: draws.chance(0.5) ? [draws.pick(CODES)] : [],
      ...(draws.chance(0.4) && { financing: { rates: [{ currency: 'usd', long: -8, short: -3 }] } }),
    },
    service: {
      answerMs: draws.pick([120, 2_000]),
      capabilities: draws.pick([['order-query', 'balances'], ['order-query'], []]),
    },
    trading: { sendMarginMs: draws.pick([20, 200]) },
    lanes: { reserve: draws.whole(1, 3) },
    risk: {
      ...{ maxOrdersPerMinute: 'off', maxOrdersPerMinuteOfStrategy: draws.pick(['off', 20]), maxOrdersPerMinuteOfProduct: 'off' },
      ...{ maxLossStreak: draws.pick(['off', 5]), maxLossStreakOfAll: 'off', maxRejectionStreak: 'off', maxUnknown: 'off' },
      ...{ minTimeLeftMs: draws.pick(['off', 250]), duplicateWindowMs: 'off', maxDayLoss: 'off', maxDrawdownPct: 'off' },
    },
    venue: {
      seed: `parity ${seed}`,
      quotesPerSecond: draws.pick([5, 20, 60]),
      validityMs: draws.pick([
        [200, 3_000],
        [1_000, 3_000],
      ]),
      answerDelayMs: draws.pick([
        [0, 140],
        [5, 40],
      ]),
      feePercentage: draws.pick([0, 0.1]),
      faults: draws.pick([
        [],
        [],
        ['dropped-feed=1%'],
        ['lost-answers=5%', 'rejections=5%'],
        ['late-quotes=10%', 'repeated-quotes=10%'],
        ['all=5%'],
      ]),
    },
    log: { level: 'error' },
  };
}

/** What a person types meanwhile. */
function drawActs(draws: Draws, ms: number, strategies: readonly Configured[]): readonly Act[] {
  const { id } = draws.pick(strategies);
  const product = draws.pick(CODES);
  const kinds: readonly (readonly (readonly string[])[])[] = [
    [['ledger', 'add', '--currency', 'usd', '--amount', '500', '--reason', 'drawn']],
    [['pause', id], ['resume']],
    [['close', id, '--no-wait']],
    [
      ['order', product, 'buy', '--value', '60', '--no-wait'],
      ['close', 'manual', '--no-wait'],
    ],
    [['halt'], ['resume']],
  ];
  const chosen = draws.shuffled(kinds).slice(0, draws.whole(0, 2)).flat();
  return chosen.map((args, index) => ({ atMs: Math.round((ms * (index + 1)) / (chosen.length + 1)), args }));
}

/** The configuration as the text of `kairos.yaml`. */
export const configText = ({ config }: History): string => stringify(config);

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { seeded } from '#domain/seeded.ts';
import type { ParamValue } from '#research/replay/trial.ts';
import { Screen, type Unequal } from '#research/sweep/screen.ts';
import { Study, type StudyBase } from '#research/sweep/study.ts';
import { syntheticRecording } from '../../../support/synthetic-recording.ts';
import { OWN, writeOwn } from './own.ts';

export type Draw = (below: number) => number;
export type Values = Readonly<Record<string, ParamValue>>;

/** Every shipped strategy that trades without further inputs, with drawn parameters. */
const PARAMS: Readonly<Record<string, (draw: Draw) => Values>> = {
  'sma-cross': (draw) => ({ fast: 1 + draw(12), slow: 13 + draw(60) }),
  'ema-cross': (draw) => ({ fast: 1 + draw(12), slow: 13 + draw(60) }),
  'rsi-reversion': (draw) => ({ barSeconds: 1 + draw(90), bars: 2 + draw(12), oversold: 20 + draw(25), overbought: 55 + draw(25) }),
  grid: (draw) => ({ stepPct: 0.01 * (1 + draw(20)), levels: 1 + draw(4), follow: draw(2) === 0 }),
  'buy-and-hold': () => ({}),
  'coin-flip': (draw) => ({ seed: draw(1_000), everySeconds: 1 + draw(120) }),
  'deposit-dca': (draw) => ({ sharePct: 1 + draw(100), everySeconds: 1 + draw(120) }),
};
export const SHIPPED_ALONE = Object.keys(PARAMS);
/** In place of a strategy's name: two or three drawn ones together. */
export const SEVERAL = 'several';
const ALL = [...SHIPPED_ALONE, ...Object.keys(OWN)];

/** A lane that strategies trade on; its prices are those of a bitcoin times `level`. */
interface DrawnLane {
  readonly product: 'btcusd' | 'ethusd';
  readonly amount: string;
  readonly level: number;
}
const LANE: DrawnLane = { product: 'btcusd', amount: '0.01', level: 1 };
const LANES = [LANE, { ...LANE, amount: '0.02' }, { product: 'ethusd', amount: '0.1', level: 0.05 }] as const;

/** A strategy of drawn settings. */
interface Drawn {
  readonly id: string;
  readonly use: string;
  readonly lane: DrawnLane;
  readonly draw: Draw;
}

/** Trials of one drawn strategy on drawn quotes, each played by the screen and by the engine. */
export interface Compared {
  /** In words, for whoever reads of a difference. */
  readonly what: string;
  readonly use: string;
  readonly trials: number;
  readonly fills: number;
  readonly screened: number;
  readonly unscreened: readonly string[];
  readonly unequal: readonly Unequal[];
}

/** Plays so many drawn settings of what a seed draws, in an empty folder. */
export async function compared(
  seed: number,
  { cwd, trials, use }: { readonly cwd: string; readonly trials: number; readonly use?: string },
): Promise<Compared> {
  const draw = drawFrom(`screen/${seed}`);
  const oneOf = <const T>(values: readonly [T, ...T[]]): T => values[draw(values.length)] ?? values[0];
  const drawn = use ?? (seed % 2 === 0 ? SEVERAL : (ALL[(seed >> 1) % ALL.length] ?? ''));
  const strategies = drawn === SEVERAL ? severalOf(seed) : [{ id: 'one', use: drawn, lane: LANE, draw }];
  const products = [...new Set(strategies.map(({ lane }) => lane.product))];
  const data = oneOf(['ticks', 'ticks', 'bars', 'recorded'] as const);
  writeOwn(cwd);
  const lanes = [...new Set(strategies.map(({ lane }) => lane))].map((lane, n) => ({
    ...lane,
    draw: n === 0 ? draw : drawFrom(`${seed}/${n}`),
  }));
  const kept = await QUOTES[data](cwd, lanes, `${seed}`);
  const settings: Readonly<Record<string, unknown>> = {
    strategies: strategies.map(({ id, use, lane: { product, amount }, draw: own }) => ({
      ...{ id, use, product, amount: { base: Number(amount) } },
      ...(own(4) === 0 && { exits: exitsOf(own) }),
    })),
    'account.allowShort': draw(2) === 0 ? products : [],
    'backtest.latency': oneOf<number | number[]>([0, 0, 20, 250, 333, 450, 700, [5, 900]]),
    'backtest.limits': oneOf(['risk', 'off']),
    'backtest.atEnd': draw(16) === 0 ? 'close' : 'keep',
    'risk.maxLossStreak': oneOf<unknown>(['off', 3, 5]),
    'risk.lossCooldown': oneOf(['20s', '10m']),
    'risk.maxLossStreakOfAll': oneOf<unknown>(['off', 'off', 10]),
    'risk.maxDayLoss': oneOf<unknown>(['off', { usd: 5_000 }, { usd: 20 }]),
    'risk.maxDrawdownPct': oneOf<unknown>(['off', 60, 0.5]),
    'risk.maxSpreadPct': oneOf<unknown>(['off', 1, 0.05]),
    'lanes.staleAfter': staleAfter(products, oneOf([undefined, '60s', '2s'])),
    ...(draw(8) === 0 && { 'account.opening': { usd: oneOf([400, 5_000]), btc: 1 } }),
    'risk.collarPct': seeded(`screen/${seed}/collar`).next() < 0.5 ? 3 : 0.1,
    'journal.path': path.join(cwd, 'kairos.db'),
    'recording.dir': kept,
  };
  const set = Object.entries(settings).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const config = loadConfig({ files: null, set, env: {}, cwd });
  let base: StudyBase | undefined;
  const study = await Study.open({
    config,
    folders: { cwd, packaged: PACKAGED_STRATEGIES },
    ...{ data: kept, from: undefined, to: undefined },
    players: (given) => {
      base = given;
      return Promise.resolve({ play: () => Promise.resolve(), close: () => {} });
    },
  });
  try {
    if (base === undefined) throw new Error('a study opens its players');
    const screen = new Screen(base);
    const unscreened: string[] = [];
    const unequal: Unequal[] = [];
    let [screened, fills] = [0, 0];
    for (let n = 0; n < trials; n++) {
      const varied = strategies.map(({ id, use, draw: own }) => [id, { ...(PARAMS[use] ?? OWN[use]?.params)?.(own), ...variedExits(own) }]);
      const replayed = await screen.replay(study.job(Object.fromEntries(varied)));
      if (replayed.result.unscreened === undefined) screened += 1;
      else unscreened.push(replayed.result.unscreened);
      if (replayed.result.unscreened === undefined) fills += replayed.result.fills;
      if (replayed.unequal) unequal.push(replayed.unequal);
    }
    const what = strategies.map(({ use, lane }) => `${use} ${lane.product} ${lane.amount}`).join(', ');
    return { what: `${what} on ${data}: ${set.slice(1, -2).join(' ')}`, use: drawn, trials, fills, screened, unscreened, unequal };
  } finally {
    await study.close();
  }
}

function drawFrom(seed: string): Draw {
  const numbers = seeded(seed);
  return (below) => Math.floor(numbers.next() * below);
}

/** On one lane, on two of a product, or on two products: as often with one of them twice. */
function severalOf(seed: number): readonly Drawn[] {
  const draw = drawFrom(`several/${seed}`);
  const names = ALL.filter((name) => name !== 'deposit-dca');
  const on = LANES.filter(() => draw(2) === 0);
  return ['one', 'two', ...(draw(3) === 0 ? ['three'] : [])].map((id) => ({
    ...{ id, use: names[draw(names.length)] ?? '', lane: on[draw(on.length)] ?? LANE },
    draw: drawFrom(`several/${seed}/${id}`),
  }));
}

const staleAfter = (products: readonly string[], age: string | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(age === undefined ? [] : products.map((product) => [product, age]));

/** A sweep varies exits as it does parameters. */
const variedExits = (draw: Draw): Values =>
  draw(3) === 0 ? { 'exits.stopLossPct': draw(4) === 0 ? 'none' : (1 + draw(40)) / 100, 'exits.trailingPct': (1 + draw(40)) / 100 } : {};

function exitsOf(draw: Draw): Readonly<Record<string, number | boolean>> {
  const pct = (): number => (1 + draw(60)) / 100;
  const rules = {
    ...(draw(2) === 0 && { takeProfitPct: pct() }),
    ...(draw(2) === 0 && { trailingPct: pct(), ...(draw(2) === 0 && { activateAtPct: pct() }) }),
    ...(draw(2) === 0 && { maxHoldSeconds: 5 + draw(120) }),
  };
  return { net: draw(2) === 0, ...(draw(2) === 0 || Object.keys(rules).length === 0 ? { stopLossPct: pct() } : {}), ...rules };
}

const FROM = Date.UTC(2026, 0, 5, 22);

type LaneToDraw = DrawnLane & { readonly draw: Draw };

/** Folders of quotes: imported ticks at uneven times, imported bars, and a recording of the paper market. */
const QUOTES: Readonly<
  Record<'ticks' | 'bars' | 'recorded', (cwd: string, lanes: readonly LaneToDraw[], seed: string) => Promise<string>>
> = {
  ticks: async (cwd, lanes) => {
    let times: number[] = [];
    for (const lane of lanes) {
      const { draw, level } = lane;
      const stepMs = [100, 1_000, 15_000][draw(3)] ?? 1_000;
      const walk = [4, 10, 30][draw(3)] ?? 4;
      let [at, price] = [FROM, 60_000];
      const before = times;
      // Quotes of a further lane come now and then at the times of the one before.
      const isAlike = lane !== lanes[0] && draw(2) === 0;
      times = [];
      const rows = Array.from({ length: 700 }, (_, n) => {
        // Some share a time, and now and then none comes for long.
        at += draw(150) === 0 ? draw(100_000) : draw(2 * stepMs);
        price += draw(2 * walk + 1) - walk;
        times.push((isAlike ? before[n] : undefined) ?? at);
        return `${times.at(-1)},${priceText(level * price)},${priceText(level * (price + 1 + draw(12)))}`;
      });
      await imported(cwd, lane, { rows: ['time,bid,ask', ...rows], feePercentage: [0, 0.1][draw(2)] ?? 0 });
    }
    return path.join(cwd, 'imported');
  },
  bars: async (cwd, lanes) => {
    const [first] = lanes;
    const widthMs = [60_000, 3_600_000][first?.draw(2) ?? 0] ?? 60_000;
    for (const lane of lanes) {
      const { draw, level } = lane;
      const hasRange = draw(2) === 0;
      let [at, price] = [FROM, 60_000];
      const rows = Array.from({ length: 500 }, () => {
        const open = price;
        at += widthMs * (draw(60) === 0 ? draw(30) : 1);
        price += draw(201) - 100;
        const range = [open, Math.max(open, price) + 20, Math.min(open, price) - 20, price].map((one) => priceText(level * one));
        return hasRange ? [at, ...range].join(',') : `${at},${priceText(level * price)}`;
      });
      await imported(cwd, lane, {
        rows: [hasRange ? 'time,open,high,low,close' : 'time,close', ...rows],
        feePercentage: [0, 0.1][draw(2)] ?? 0,
        spreadBps: 2,
      });
    }
    return path.join(cwd, 'imported');
  },
  recorded: (cwd, lanes, seed) => {
    const dir = path.join(cwd, 'quotes');
    const draw = lanes[0]?.draw ?? (() => 0);
    const silent = draw(2) === 0 ? ([200, 200 + draw(40)] as const) : undefined;
    const names = lanes.map(({ product, amount }) => `${product} ${amount}`);
    syntheticRecording({ ...{ dir, seed, lanes: names, seconds: 350, volatility: 3 }, ...(silent && { silent }) });
    return Promise.resolve(dir);
  },
};

const priceText = (price: number): string => String(Math.round(price * 100) / 100);

interface ImportedRows {
  readonly rows: readonly string[];
  readonly feePercentage: number;
  readonly spreadBps?: number;
}

async function imported(cwd: string, { product, amount }: DrawnLane, { rows, feePercentage, spreadBps }: ImportedRows): Promise<void> {
  mkdirSync(cwd, { recursive: true });
  const file = path.join(cwd, `${product}-${amount}.csv`);
  writeFileSync(file, `${rows.join('\n')}\n`);
  const lane = laneFor(productCode(product), amountOf({ base: amount }));
  const names = { lane, baseCcy: currency(product.slice(0, 3)), quoteCcy: currency('usd') };
  const ticks = { ...names, size: Number(amount), feePercentage, validMs: 3_000, afterMs: 0, crossed: 'drop' } as const;
  await importFile({ file, map: { unit: 'auto' }, ticks, spreadBps, out: path.join(cwd, 'imported') });
}

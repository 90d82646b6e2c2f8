import { EngineScheduler } from '#core/engine/scheduler.ts';
import type { MarkedStrategy, PositionView, View } from '#core/strategy/contract.ts';
import { type HostResult, StrategyHost, type StrategyInstance } from '#core/strategy/host.ts';
import { buy, mid, sell, strategy } from '#core/strategy/index.ts';
import type { CronNext } from '#core/strategy/market-streams.ts';
import { readParams } from '#core/strategy/params.ts';
import { strategyId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { btcLane } from './quotes.ts';

/** Buys whenever it is flat. */
export const eager = strategy({
  name: 'eager',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (_price, { position, amount }) => (position.isFlat ? buy(amount, 'go') : undefined),
});

/** A strategy bound to the lane that test quotes come from. */
export function instanceOf(definition: MarkedStrategy, parts: Partial<StrategyInstance> = {}): StrategyInstance {
  const { values } = readParams(definition.params ?? {}, parts.params ?? {});
  const { id, product, amount } = { ...btcLane, id: strategyId(definition.name) };
  return { id, definition, lane: btcLane.id, product, amount, seed: 'test', ...parts, params: values };
}

export function positionOf(size: number): PositionView {
  return {
    size,
    low: size,
    high: size,
    average: size === 0 ? undefined : 1,
    openedAt: undefined,
    entries: size === 0 ? 0 : 1,
    unrealised: undefined,
    isFlat: size === 0,
    isLong: size > 0,
    isShort: size < 0,
  };
}

function viewWith(instance: StrategyInstance, parts: Partial<View> = {}): View {
  const product = { code: instance.product, minSize: 0.001, minNotionalValue: 1, sizeIncrement: 0.001, priceIncrement: 0.01 };
  return {
    now: 0,
    quote: undefined,
    quotes: {},
    lanes: {},
    position: positionOf(0),
    inFlight: [],
    last: undefined,
    equity: undefined,
    budgetLeft: 10_000,
    product,
    canShort: false,
    amount: instance.amount,
    inputs: {},
    state: undefined,
    random: () => 0.5,
    ...parts,
  };
}

/** A host with its scheduler, what it emitted, and switches for what the engine would say. */
export class HostRig {
  readonly scheduler = new EngineScheduler();
  readonly results: HostResult[] = [];
  readonly busy = new Set<string>();
  readonly views = new Map<string, Partial<View>>();
  viewsBuilt = 0;
  /** Whose code runs. */
  inside: string | null = null;
  onResult: (result: HostResult) => void = () => undefined;
  readonly host: StrategyHost;

  constructor(instances: readonly StrategyInstance[], cronNext?: CronNext) {
    this.host = new StrategyHost({
      instances,
      scheduler: this.scheduler,
      ...(cronNext && { cronNext }),
      disabled: new Map(),
      busy: (instance) => this.busy.has(instance.id),
      viewOf: (instance, random) => {
        this.viewsBuilt += 1;
        return viewWith(instance, { random, now: this.scheduler.now(), ...this.views.get(instance.id) });
      },
      onInside: (id) => {
        this.inside = id;
      },
      emit: (result) => {
        this.results.push(result);
        this.onResult(result);
      },
    });
  }

  /** Moves engine time to `at`, then gives the quote. */
  quoteAt(at: number, quote: Quote): void {
    this.host.runTimers(at);
    this.host.deliver(quote);
  }

  /** What was emitted since it was asked last, in short: `id kind word`. */
  said(): string[] {
    return this.results.splice(0).map((result) => `${result.instance.id} ${wordsOf(result)}`);
  }
}

function wordsOf(result: HostResult): string {
  switch (result.kind) {
    case 'intents':
      return result.intents.map(({ side, size, reason }) => `${side ?? size.kind} ${reason}`).join(', ');
    case 'hold':
      return `hold ${result.reason}`;
    case 'threw':
      return `threw ${result.thrown.error} ${result.inARow}`;
    case 'bad_intent':
      return `bad ${result.why}`;
    case 'nan':
    case 'warming':
      return result.why;
    case 'state':
      return `state ${result.text}`;
    case 'disabled':
      return `disabled ${result.reason}`;
  }
}

/** Long at and above 60,000, flat below. */
export const threshold = strategy({
  name: 'threshold',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { position, amount }) => {
    if (price >= 60_000 && position.isFlat) return buy(amount, 'high');
    if (price < 60_000 && position.isLong) return sell('position', 'low');
    return undefined;
  },
});

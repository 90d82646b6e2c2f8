import type { FeeCurrency } from '#core/execution/sizing.ts';
import type { Millis } from '#domain/names.ts';
import { type AccountOf, accountOf, type ScreenResult } from './account.ts';
import { ScreenRefusal } from './screen-refusal.ts';
import type { LaneStream } from './stream.ts';
import { Trader, type TraderOf, type TrialFill } from './trader.ts';

/** What all trials on a stream have in common. */
export interface Conditions extends AccountOf {
  readonly feeIn: FeeCurrency;
  /** Milliseconds to the service and back, of one order of a trial after the other. */
  readonly delays: () => () => { readonly thereMs: Millis; readonly backMs: Millis };
  /** Whether what is open is closed as the data ends. */
  readonly closesAtEnd: boolean;
  /** How long trading lasts, in milliseconds. */
  readonly tradedMs: Millis;
}

interface Over {
  readonly stream: LaneStream;
  /** What orders need of each lane, row by row. */
  readonly records: readonly Float64Array[];
  readonly conditions: Conditions;
}

/**
 * Plays one trial: of its strategies the one whose next order comes first sends it. Undefined where none wants anything, so that all trials
 * like it come to the same. Throws ScreenRefusal where the engine might do otherwise.
 */
export function playTrial(strategies: readonly TraderOf[], { stream, records, conditions }: Over): ScreenResult | undefined {
  const traders = tradersOf(strategies, { stream, records, conditions });
  const orders = ordersOf(traders, stream);
  const [only, another] = traders;
  if (conditions.closesAtEnd && traders.some(({ size }) => size !== 0)) {
    if (!only || another) throw new ScreenRefusal('backtest.atEnd: close, with several strategies');
    orders.push(only.closeAtEnd());
  }
  if (traders.every(({ isSilent }) => isSilent)) return undefined;
  if (orders.length === 0) throw new ScreenRefusal('a trial whose orders were all refused');
  const idle = traders.find(({ last }) => last === undefined);
  if (idle) throw new ScreenRefusal(`the strategy ${idle.of.instance.id}, which never trades`);
  return accountOf({ ...conditions, stream, traders, orders });
}

function tradersOf(strategies: readonly TraderOf[], { stream, records, conditions }: Over): readonly Trader[] {
  const { limits, feeIn, delays } = conditions;
  const delay = delays();
  const common = stream.lanes.map((rows, lane) => ({
    ...{ rows, limits, feeIn, delay },
    records: records[lane] ?? new Float64Array(),
    taken: strategies.filter((one) => one.lane === lane).length > 1 ? new Set<number>() : undefined,
  }));
  return strategies.flatMap((of, place) => {
    const trading = common[of.lane];
    return trading ? new Trader(of, place, trading) : [];
  });
}

/** Their orders, as they go out. */
function ordersOf(traders: readonly Trader[], stream: LaneStream): TrialFill[] {
  const orders: TrialFill[] = [];
  for (let first = firstOf(traders, stream); first; first = firstOf(traders, stream)) orders.push(first.send());
  return orders;
}

/** Whose order goes out first: on one quote exits come before what strategies want, each in the order of the settings. */
function firstOf(traders: readonly Trader[], stream: LaneStream): Trader | undefined {
  let first: Trader | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const trader of traders) {
    const { due } = trader;
    const turn = due ? 2 * stream.placeOf(trader.of.lane, due.row) + (due.isExit ? 0 : 1) : least;
    if (turn >= least) continue;
    least = turn;
    first = trader;
  }
  return first;
}

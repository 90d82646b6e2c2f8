import type { Limits } from '#core/risk/limits.ts';
import type { Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { Course, type DayEnd } from './course.ts';
import { couldHaveBound, DOUBT } from './limits.ts';
import { ScreenRefusal } from './screen-refusal.ts';
import type { LaneStream } from './stream.ts';
import type { Trader, TrialFill } from './trader.ts';

/** What the account of a trial begins with, what it may not do, and the time that it is told of. */
export interface AccountOf {
  readonly limits: Limits;
  /** What the account holds of the quote currency. */
  readonly opening: number;
  readonly days: readonly DayEnd[];
}

/** Round trips, by columns: what each brought net of fees, the value of its entry, and how long it was held. */
interface Trips {
  readonly profits: readonly number[];
  readonly stakes: readonly number[];
  readonly held: readonly Millis[];
}

/** What came of a trial. Money is in quote currency. */
export interface ScreenResult {
  /** Orders in the order of their answers. */
  readonly fills: readonly TrialFill[];
  readonly capital: number;
  /** When its last quote came, or the answer to an order that was on its way then. */
  readonly endedAt: Millis;
  /** What all is worth at the end. */
  readonly final: number;
  readonly fall: number;
  readonly fallShare: number;
  readonly endsOfDays: readonly number[];
  readonly trips: Trips;
  /** What is held at the end has won or lost, the fees of its entries taken off. */
  readonly open: number;
  readonly inMarketMs: Millis;
  readonly refusals: readonly { readonly reason: string; readonly count: number }[];
}

interface Of extends AccountOf {
  readonly stream: LaneStream;
  readonly traders: readonly Trader[];
  /** As they went out. */
  readonly orders: readonly TrialFill[];
}

/** What orders came to on the account that all traders share. Throws ScreenRefusal where it might have refused one. */
export function accountOf(of: Of): ScreenResult {
  const { stream, traders, orders } = of;
  const fills = traders.length === 1 ? orders : orders.toSorted((a, b) => a.at - b.at);
  const endedAt = Math.max(stream.lastAt, fills.at(-1)?.at ?? 0);
  if (endedAt > stream.lastAt && Math.floor(endedAt / DAY_MS) !== Math.floor(stream.lastAt / DAY_MS))
    throw new ScreenRefusal('an order on its way at midnight as the data ends');
  const capital = traders.reduce((sum, trader) => sum + trader.of.budget, 0);
  const course = along(fills, { ...of, capital, isReported: true });
  if (!(course.least > 0)) throw new ScreenRefusal('capital that is lost');
  const { worth: final, fall, fallShare, endsOfDays } = course;
  judge({ ...of, fills, capital, course });
  return {
    ...{ fills, capital, endedAt, final, fall, fallShare, endsOfDays },
    trips: tripsOf(fills),
    open: traders.reduce((sum, trader, place) => sum + (trader.size === 0 ? 0 : openOf(trader, course.closingPrice(place))), 0),
    inMarketMs: inMarketOf(fills, traders.length, endedAt),
    refusals: refusalsOf(traders),
  };
}

function tripsOf(fills: readonly TrialFill[]): Trips {
  const trips: { profits: number[]; stakes: number[]; held: Millis[] } = { profits: [], stakes: [], held: [] };
  for (const { trip } of fills) {
    if (!trip) continue;
    trips.profits.push(trip.profit);
    trips.stakes.push(trip.stake);
    trips.held.push(trip.held);
  }
  return trips;
}

/** The value along all quotes. To a report what is executed at one time is one change of it. */
function along(
  fills: readonly TrialFill[],
  { stream, traders, days, capital, isReported }: Of & { readonly capital: number; readonly isReported: boolean },
): Course {
  const course = new Course({ stream, traded: traders.map((trader) => trader.of.lane), capital, days, isReported });
  for (const [n, { trader, sign, worth, fee, size, at, next }] of fills.entries()) {
    course.to(stream.lanes.length === 1 ? next : stream.placeAfter(at), at);
    course.filled(trader, size, -sign * worth - fee);
    if (!isReported || fills[n + 1]?.at !== at) course.see();
  }
  course.to(stream.length, Number.POSITIVE_INFINITY);
  return course;
}

/** Won or lost by a position that would be closed at a price. */
function openOf({ size, last }: Trader, price: number): number {
  return size * price - (last ? last.sign * last.worth + last.fee : 0);
}

/** How long anything was held. */
function inMarketOf(fills: readonly TrialFill[], count: number, endedAt: Millis): Millis {
  const sizes: number[] = new Array(count).fill(0);
  let [held, since, inMarketMs] = [0, 0, 0];
  for (const { trader, size, at } of fills) {
    if (held === 0) since = at;
    held += (size === 0 ? 0 : 1) - (sizes[trader] === 0 ? 0 : 1);
    sizes[trader] = size;
    if (held === 0) inMarketMs += at - since;
  }
  return inMarketMs + (held === 0 ? 0 : endedAt - since);
}

function refusalsOf(traders: readonly Trader[]): ScreenResult['refusals'] {
  const counts = (['QUOTE_TAKEN', 'LOSS_COOLDOWN'] as const).map((reason) => ({
    reason,
    count: traders.reduce((sum, { refused }) => sum + refused[reason], 0),
  }));
  return counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
}

function judge(of: Of & { readonly fills: readonly TrialFill[]; readonly capital: number; readonly course: Course }): void {
  const { stream, traders, fills, limits, capital, course } = of;
  const worths = traders.filter(({ last }) => last !== undefined).map((trader) => mostWorthOf(trader, stream));
  const isPlayedSo = traders.length === 1 || (!stream.isTied && fills.every(({ at }, n) => at !== fills[n + 1]?.at));
  const { fall } = isPlayedSo ? course : along(fills, { ...of, isReported: false });
  const bound = couldHaveBound(limits, {
    quoteCcy: stream.lanes[0]?.quotes.quoteCcy ?? '',
    mostWorth: Math.max(0, ...worths),
    mostTogether: worths.reduce((sum, worth) => sum + worth, 0),
    mostDayWorth: mostDayWorthOf(of.orders),
    deepestFall: fall,
    capital,
    lossStreak: longestLossOf(fills),
    isShortOfMoney: isShortOf(of, fills),
  });
  if (bound !== undefined) throw new ScreenRefusal(`risk.${bound}, which may have held an order back`);
}

/** The most that a position was worth, by whichever lane of its product it was valued. */
function mostWorthOf({ of, amount }: Trader, { lanes }: LaneStream): number {
  const product = lanes[of.lane]?.product.code;
  const highest = lanes.filter((lane) => lane.product.code === product).map((lane) => lane.highest);
  return amount * Math.max(...highest) * 1.05;
}

/** The most that the orders of a day are worth together. */
function mostDayWorthOf(orders: readonly TrialFill[]): number {
  let [day, worthOfDay, most] = [Number.NaN, 0, 0];
  for (const { sentAt, worth, fee } of orders) {
    const today = Math.floor(sentAt / DAY_MS);
    worthOfDay = (today === day ? worthOfDay : 0) + worth + fee;
    day = today;
    most = Math.max(most, worthOfDay);
  }
  return most;
}

/** Most closes in a row, of all traders, that brought no profit. */
function longestLossOf(fills: readonly TrialFill[]): number {
  let [row, longest] = [0, 0];
  for (const { trip } of fills) {
    if (trip) row = trip.profit > DOUBT ? 0 : row + 1;
    longest = Math.max(longest, row);
  }
  return longest;
}

/** True where an opening cost more than was certainly left of its budget, or of the account: purchases count from their commit, sales from their answer. */
function isShortOf({ traders, orders, opening }: Of, fills: readonly TrialFill[]): boolean {
  const left = traders.map(({ of }) => of.budget);
  let [free, answered] = [opening, 0];
  for (const { trader, sign, sentAt, worth, fee, size } of orders) {
    for (let fill = fills[answered]; fill && fill.at < sentAt; fill = fills[answered]) {
      if (fill.sign === -1) free += fill.worth - fill.fee;
      answered += 1;
    }
    const own = left[trader] ?? 0;
    if (sign === 1 && size > 0 && worth + fee > Math.min(own, free) * (1 - DOUBT)) return true;
    left[trader] = own - sign * worth - fee;
    if (sign === 1) free -= worth + fee;
  }
  return false;
}

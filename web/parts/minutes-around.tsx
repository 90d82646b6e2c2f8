import type { ChartHistory, OrderStoryView } from '#server/page/history-view.ts';
import type { SignalLine } from '../charts/market-chart.ts';
import { signalsOf } from '../charts/market-signals.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { namedPrices, namedTimes } from '../report/axis.ts';
import { clockText } from '../words/times.ts';
import { Nothing } from './section.tsx';

const AROUND_MS = 180_000;
const BARS = 90;
const WIDTH = 520;
const HEIGHT = 170;
/** Room for marks at the rim. */
const ROOM = 16;
const MARK = 5;
/** Room for half a time below the plot. */
const HALF_TIME = 32;

interface Point {
  readonly at: number;
  readonly price: number;
}

interface Mark extends Point {
  readonly side: string | undefined;
}

/** The executions of an order's round trips; its own where it has none. */
function marksOf({ at, fill, trips }: OrderStoryView): readonly Mark[] {
  const legs = trips.flatMap(({ openedAt, entryPrice, closedAt, exitPrice, side }) => [
    { at: openedAt, price: Number(entryPrice), side: side === 'long' ? 'buy' : 'sell' },
    { at: closedAt, price: Number(exitPrice), side: side === 'long' ? 'sell' : 'buy' },
  ]);
  return legs.length > 0 || fill === null ? legs : [{ at: Date.parse(at), price: Number(fill.price), side: fill.side }];
}

/** What the strategy of an order watched; of all of the product where no round trip names it. */
function watchedIn(history: ChartHistory, { trips }: OrderStoryView): readonly SignalLine[] {
  const strategy = trips[0]?.strategy;
  const { fills, signals } = history;
  const own = <One extends { readonly strategy: string }>(all: readonly One[]): readonly One[] =>
    strategy === undefined ? all : all.filter((one) => one.strategy === strategy);
  return signalsOf({ ...history, fills: own(fills), signals: own(signals) }).filter(({ points }) => points.length > 0);
}

/** The price in the minutes around an order, from its entry to its exit, with what its strategy watched, its decision and a mark for each execution. */
export function MinutesAround({ story }: { readonly story: OrderStoryView }) {
  const { product } = story;
  const at = Date.parse(story.at);
  const marks = marksOf(story);
  const times = [at, ...marks.map((mark) => mark.at)];
  const [from, to] = [Math.min(...times) - AROUND_MS, Math.max(...times) + AROUND_MS];
  const found = useLookedUp<ChartHistory>(
    `/api/history/chart?product=${product}&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}&bars=${BARS}`,
  );
  if (found === null) return <figure class="around" />;
  if (found.kind !== 'done' || found.body.bars.length < 2) return <Nothing>No prices of {product} were recorded around it.</Nothing>;
  const signals = watchedIn(found.body, story);
  return (
    <figure class="around">
      <figcaption>
        <span class="key muted">{product}</span>
        {signals.map(({ name, ink }) => (
          <span key={name} class={`key ${ink}`}>
            {name}
          </span>
        ))}
        <span class="key decided">decided {clockText(story.at, at)}</span>
      </figcaption>
      <Plot story={story} at={at} marks={marks} history={found.body} signals={signals} />
    </figure>
  );
}

function Plot({
  story: { product, order, trips },
  at,
  marks,
  history: { bars },
  signals,
}: {
  readonly story: OrderStoryView;
  readonly at: number;
  readonly marks: readonly Mark[];
  readonly history: ChartHistory;
  readonly signals: readonly SignalLine[];
}) {
  const points: readonly Point[] = bars.map((bar) => ({ at: bar.at, price: bar.close }));
  const times = [at, ...marks.map((mark) => mark.at)];
  const [begin, end] = [Math.min(points[0]?.at ?? at, ...times), Math.max(points.at(-1)?.at ?? at, ...times)];
  const watched = signals.map((one) => ({ ...one, points: one.points.filter((point) => point.at >= begin && point.at <= end) }));
  const prices = [...points, ...marks].map(({ price }) => price).concat(watched.flatMap((one) => one.points.map(({ value }) => value)));
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const x = (one: number): number => ROOM + ((one - begin) / (end - begin)) * (WIDTH - 2 * ROOM);
  const y = (price: number): number => ROOM + ((high - price) / (high - low || 1)) * (HEIGHT - 2 * ROOM);
  const along = (of: readonly Point[]): string => of.map((one) => `${x(one.at).toFixed(1)},${y(one.price).toFixed(1)}`).join(' ');
  const named = namedPrices(low, high);
  const clocks = namedTimes(begin, end).filter((time) => x(time) >= HALF_TIME && x(time) <= WIDTH - HALF_TIME);
  return (
    <div class="plot">
      <div class="drawn">
        <svg
          role="img"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          aria-label={`Price of ${product} in the minutes around order ${order}, from ${low} to ${high}`}
        >
          {named.map(([price]) => (
            <line key={price} class="grid" x1={0} y1={y(price)} x2={WIDTH} y2={y(price)} />
          ))}
          {clocks.map((time) => (
            <line key={time} class="grid" x1={x(time)} y1={0} x2={x(time)} y2={HEIGHT} />
          ))}
          {watched.map(({ of, ink, points: own }) => (
            <polyline key={of} class={`signal ${ink}`} points={along(own.map((one) => ({ at: one.at, price: one.value })))} />
          ))}
          <polyline class="price" points={along(points)} />
          <line class="decided" x1={x(at)} y1={0} x2={x(at)} y2={HEIGHT} />
          {trips.map(({ openedAt, entryPrice, closedAt, exitPrice, profit, size }) => (
            <line
              key={`${openedAt} ${closedAt} ${size}`}
              class={profit >= 0 ? 'up' : 'down'}
              x1={x(openedAt)}
              y1={y(Number(entryPrice))}
              x2={x(closedAt)}
              y2={y(Number(exitPrice))}
            />
          ))}
          {marks.map(({ at: time, price, side }) => (
            <path key={`${time} ${side}`} class={side === 'buy' ? 'up' : 'down'} d={mark(x(time), y(price), side === 'buy' ? 1 : -1)} />
          ))}
        </svg>
        <div class="times">
          {clocks.map((time) => (
            <span key={time} style={{ left: `${(100 * x(time)) / WIDTH}%` }}>
              {clockText(new Date(time).toISOString(), at)}
            </span>
          ))}
        </div>
      </div>
      <div class="axis" style={{ width: `${Math.max(...named.map(([, text]) => text.length))}ch` }}>
        {named.map(([price, text]) => (
          <span key={price} style={{ top: `${(100 * y(price)) / HEIGHT}%` }}>
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

/** A triangle with its tip near a price: from below for a purchase, from above for a sale. */
const mark = (x: number, y: number, way: 1 | -1): string => `M${x} ${y + way * 2} l${-MARK} ${way * 2 * MARK} h${2 * MARK} z`;

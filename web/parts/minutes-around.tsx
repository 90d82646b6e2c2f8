import type { ChartHistory, OrderStoryView } from '#server/page/history-view.ts';
import { signalsOf } from '../charts/market-signals.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { namedPrices } from '../report/axis.ts';
import { clockText } from '../words/times.ts';
import { Nothing } from './section.tsx';

const AROUND_MS = 180_000;
const BARS = 90;
const WIDTH = 520;
const HEIGHT = 170;
/** Room for marks at the rim. */
const ROOM = 16;
const MARK = 5;

interface Point {
  readonly at: number;
  readonly price: number;
}

/** The price in the minutes around an order, from its entry to its exit, with what its strategy watched, its decision and a mark for each execution. */
export function MinutesAround({ story }: { readonly story: OrderStoryView }) {
  const { product, order, fill, trips } = story;
  const at = Date.parse(story.at);
  const own = { at, price: Number(fill?.price), side: fill?.side };
  const legs = trips.flatMap(({ openedAt, entryPrice, closedAt, exitPrice, side }) => [
    { at: openedAt, price: Number(entryPrice), side: side === 'long' ? 'buy' : 'sell' },
    { at: closedAt, price: Number(exitPrice), side: side === 'long' ? 'sell' : 'buy' },
  ]);
  const marks = legs.length > 0 ? legs : fill === null ? [] : [own];
  const times = [at, ...marks.map((mark) => mark.at)];
  const [from, to] = [Math.min(...times) - AROUND_MS, Math.max(...times) + AROUND_MS];
  const found = useLookedUp<ChartHistory>(
    `/api/history/chart?product=${product}&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}&bars=${BARS}`,
  );
  if (found === null) return <figure class="around" />;
  const history = found.kind === 'done' ? found.body : null;
  const points: readonly Point[] = (history?.bars ?? []).map((bar) => ({ at: bar.at, price: bar.close }));
  if (!history || points.length < 2) return <Nothing>No prices of {product} were recorded around it.</Nothing>;
  // What a drawing has no room for is cut off at its rim.
  const watched = signalsOf({
    ...history,
    fills: [],
    signals: history.signals.filter(({ strategy }) => strategy === (trips[0]?.strategy ?? strategy)),
  });
  const prices = [...points, ...marks].map(({ price }) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const begin = Math.min(points[0]?.at ?? from, ...times);
  const span = Math.max(points.at(-1)?.at ?? to, ...times) - begin;
  const x = (one: number): number => ROOM + ((one - begin) / span) * (WIDTH - 2 * ROOM);
  const y = (price: number): number => ROOM + ((high - price) / (high - low || 1)) * (HEIGHT - 2 * ROOM);
  const placed = (time: number, price: number): string => `${x(time).toFixed(1)},${y(price).toFixed(1)}`;
  const named = namedPrices(low, high);
  return (
    <figure class="around">
      <figcaption>
        <span class="key muted">{product}</span>
        {watched.map(({ name, ink }) => (
          <span key={name} class={`key ${ink}`}>
            {name}
          </span>
        ))}
        <span class="key decided">decided</span>
      </figcaption>
      <div class="plot">
        <svg role="img" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-label={`Price of ${product} around order ${order}, ${low} to ${high}`}>
          {named.map(([price]) => (
            <line key={price} class="grid" x1={0} y1={y(price)} x2={WIDTH} y2={y(price)} />
          ))}
          {watched.map(({ name, ink, points: known }) => (
            <polyline key={name} class={ink} points={known.map((one) => placed(one.at, one.value)).join(' ')} />
          ))}
          <polyline points={points.map((one) => placed(one.at, one.price)).join(' ')} />
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
        <div class="axis">
          {named.map(([price, text]) => (
            <span key={price} style={{ top: `${(100 * y(price)) / HEIGHT}%` }}>
              {text}
            </span>
          ))}
        </div>
        <div class="clocks">
          {[0, 0.5, 1].map((share) => (
            <span key={share}>{clockText(new Date(begin + share * span).toISOString(), at)}</span>
          ))}
        </div>
      </div>
    </figure>
  );
}

/** A triangle with its tip near a price: from below for a purchase, from above for a sale. */
const mark = (x: number, y: number, way: 1 | -1): string => `M${x} ${y + way * 2} l${-MARK} ${way * 2 * MARK} h${2 * MARK} z`;

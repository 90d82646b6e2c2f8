import type { ChartHistory, OrderStoryView } from '#server/page/history-view.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { namedPrices } from '../report/axis.ts';
import { clockText } from '../words/times.ts';
import { Nothing } from './section.tsx';

const AROUND_MS = 180_000;
const BARS = 90;
const WIDTH = 520;
const HEIGHT = 150;
/** Room for marks at the rim. */
const ROOM = 16;
const MARK = 5;

interface Point {
  readonly at: number;
  readonly price: number;
}

/** The price in the minutes around an order, from its entry to its exit, with a mark for each execution of it. */
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
  const bars = found.kind === 'done' ? found.body.bars : [];
  const points: readonly Point[] = bars.map((bar) => ({ at: bar.at, price: bar.close }));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return <Nothing>No prices of {product} were recorded around it.</Nothing>;
  const prices = [...points, ...marks].map(({ price }) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const begin = Math.min(first.at, ...times);
  const end = Math.max(last.at, ...times);
  const x = (one: number): number => ROOM + ((one - begin) / (end - begin)) * (WIDTH - 2 * ROOM);
  const y = (price: number): number => ROOM + ((high - price) / (high - low || 1)) * (HEIGHT - 2 * ROOM);
  const line = points.map(({ at: time, price }) => `${x(time).toFixed(1)},${y(price).toFixed(1)}`).join(' ');
  const named = namedPrices(low, high);
  const clockOf = (one: number): string => clockText(new Date(one).toISOString(), at);
  return (
    <figure class="around">
      <div class="plot">
        <svg
          role="img"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          aria-label={`Price of ${product} in the minutes around order ${order}, from ${low} to ${high}`}
        >
          {named.map(([price]) => (
            <line key={price} class="grid" x1={0} y1={y(price)} x2={WIDTH} y2={y(price)} />
          ))}
          <polyline class="price" points={line} />
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
        <div class="axis" style={{ width: `${Math.max(...named.map(([, text]) => text.length))}ch` }}>
          {named.map(([price, text]) => (
            <span key={price} style={{ top: `${(100 * y(price)) / HEIGHT}%` }}>
              {text}
            </span>
          ))}
        </div>
      </div>
      <figcaption>
        <span>{clockOf(begin)}</span>
        <span>{product}</span>
        <span>{clockOf(end)}</span>
      </figcaption>
    </figure>
  );
}

/** A triangle with its tip near a price: from below for a purchase, from above for a sale. */
const mark = (x: number, y: number, way: 1 | -1): string => `M${x} ${y + way * 2} l${-MARK} ${way * 2 * MARK} h${2 * MARK} z`;

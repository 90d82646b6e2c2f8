import path from 'node:path';
import type { LaneSpan } from '#adapters/recording/spans.ts';
import { isLentLane, type Lane } from '#domain/lane.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { type Headline, headline } from '#report/headline.ts';
import { counted } from '#report/summary.ts';
import type { BacktestData } from './data.ts';
import type { PlayedTime } from './one-source.ts';
import { leftOutSpans, type PlayedLane, quotesIn } from './played-lanes.ts';

/** What is played: the lanes of the strategies, and the time. */
interface Playing {
  readonly lanes: readonly PlayedLane[];
  readonly from: Millis;
  readonly to: Millis;
}

/** Which recorded or imported lanes are played, a headline a product, and which recordings of the same products are left out. */
export function laneHeadlines(data: BacktestData, playing: Playing, asked: PlayedTime): readonly Headline[] {
  const byProduct = Map.groupBy(playing.lanes, ({ lane }) => lane.product as string);
  return [...byProduct].flatMap(([product, lanes]) => {
    const texts = [...new Set(lanes.flatMap(({ columns }) => columns))].map((columns) => laneText(columns, lanes, { data, playing }));
    const played = headline('PLAYED', `${product}: plays ${texts.join('; and ')}`, { level: 'note' });
    return [played, ...leftOut(product, lanes, { data, asked })];
  });
}

function laneText(
  columns: QuoteColumns,
  lanes: readonly PlayedLane[],
  { data, playing }: { readonly data: BacktestData; readonly playing: Playing },
): string {
  const { from, to } = playing;
  const spans = data.spans.filter(({ lane, ...span }) => lane === columns.lane && span.to >= from && span.from <= to);
  const imported = data.imports.filter((one) => spans.some(({ run, lane }) => run === one.run && lane === one.lane));
  const files = [...new Set(imported.flatMap(({ facts }) => facts.files))];
  const how = files.length > 0 ? `imported from ${listed(files)}` : `recorded in ${listed(spans.map(({ run }) => run))}`;
  const others = lanes
    .filter(({ lane, columns: own }) => own.includes(columns) && lane.id !== columns.lane)
    .map(({ lane }) => amountIn(lane));
  const instead = others.length === 0 ? '' : `, as the nearest to ${others.join(' and ')}`;
  const times = [...spans].sort((a, b) => a.from - b.from);
  const first = Math.max(from, times[0]?.from ?? from);
  const last = Math.min(to, Math.max(...spans.map((span) => span.to)));
  const count = quotesIn(columns, playing);
  return `${columns.lane}, ${how}${instead}: ${counted(count, 'quote')}${count === 0 ? '' : ` from ${isoTime(first)} to ${isoTime(last)}`}`;
}

function leftOut(
  product: string,
  lanes: readonly PlayedLane[],
  { data, asked }: { readonly data: BacktestData; readonly asked: PlayedTime },
): readonly Headline[] {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = asked;
  const isOwn = (span: LaneSpan): boolean => span.product === product && !isLentLane(span.lane) && span.to >= from && span.from <= to;
  const others = data.otherSource.filter(isOwn);
  const far = leftOutSpans(data, lanes).filter(isOwn);
  const amounts = lanes.map(({ lane }) => amountIn(lane)).join(' and ');
  // A time without imports is played as recorded.
  const begin = Math.min(...others.map((span) => span.from));
  const isBehind = data.imports.every((one) => one.product !== product || one.to < begin);
  return [
    ...leftOutText(others, data, {
      why: 'recorded and imported prices are never mixed, and imported ones go first',
      all: isBehind && others.length > 0 ? `all are played by --from ${isoTime(begin)}, ` : '',
    }),
    ...leftOutText(far, data, { why: `what is played is nearer to ${amounts}`, all: '' }),
  ].map((text) => headline('LEFT_OUT', `${product}: ${text}`));
}

/** `all`: what plays all of them, where something does. */
function leftOutText(
  spans: readonly LaneSpan[],
  data: BacktestData,
  { why, all }: { readonly why: string; readonly all: string },
): readonly string[] {
  const [any] = spans;
  if (!any) return [];
  const count = spans.reduce((sum, { quotes }) => sum + quotes, 0);
  const [first, last] = [Math.min(...spans.map(({ from }) => from)), Math.max(...spans.map(({ to }) => to))];
  const names = listed([...new Set(spans.map(({ lane }) => lane))]);
  const runs = new Set(spans.map(({ run }) => run)).size;
  const what = `leaves out ${counted(count, 'quote')} of ${names} from ${isoTime(first)} to ${isoTime(last)}`;
  const one = `--data ${path.join(data.path, any.run)}`;
  if (runs === 1) return [`${what}: ${why}; it is played by ${one}`];
  return [`${what} (${runs} recordings): ${why}; ${all}${all === '' ? 'the first is played' : 'the first'} by ${one}`];
}

const amountIn = ({ id, product }: Lane): string => id.slice(product.length + 1);

/** Names that are more than three by the first and the last. */
function listed(names: readonly string[]): string {
  if (names.length <= 3) return names.join(' and ');
  return `${names[0]} to ${names.at(-1)} (${names.length})`;
}

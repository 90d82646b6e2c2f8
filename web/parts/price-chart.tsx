import { useEffect, useMemo, useState } from 'preact/hooks';
import type { MarkView, PriceHistory } from '#server/page/history-view.ts';
import type { LaneRowView, StrategyView } from '#server/page/view.ts';
import { placesFor } from '../charts/bars.ts';
import { EmptyChart } from '../charts/empty-chart.tsx';
import { LateTimeChart } from '../charts/late.tsx';
import type { Ink } from '../charts/look.ts';
import { bySecond } from '../charts/points.ts';
import { type MinuteSpan, SPANS } from '../charts/spans.ts';
import type { ChartLine, ChartMark } from '../charts/time-chart.tsx';
import { useInSight } from '../live/in-sight.ts';
import { LiveSeries } from '../live/live-series.ts';
import { useLookedUp } from '../live/looked-up.ts';
import { type LastState, model } from '../live/model.ts';
import { exact, fixed } from '../words/numbers.ts';
import { said } from '../words/said.ts';
import { clockText } from '../words/times.ts';
import { Choice } from './choice.tsx';

const POINTS = 400;
/** With fewer points no line is drawn. */
const MIN_POINTS = 5;
/** Number of marks that are drawn, the newest ones. */
const MAX_MARKS = 300;
/** Minimum interval of reloading marks, in milliseconds. */
const REFRESH_MS = 5_000;
const MARKED: ReadonlySet<string> = new Set(['accepted', 'refused', 'rejected', 'unknown', 'expired', 'not_sent', 'resolved']);
const SIGNAL_INKS: readonly Ink[] = ['second', 'third', 'fourth', 'muted'];
/** A signal further from the price than this share of it has a scale of its own below. */
const NEAR = 0.2;
const MINUTE_MS = 60_000;

interface Props {
  readonly strategy: StrategyView;
  readonly lane: LaneRowView | undefined;
  readonly told: LastState;
}

/** The price of a strategy's lane, its signals as lines, its fills and the outcomes of other intents as marks. */
export function PriceChart({ strategy, lane, told }: Props) {
  const { id, product, observed, quoteCcy } = strategy;
  const [grown] = useState(() => new LiveSeries());
  const [span, setSpan] = useState<MinuteSpan>(5);
  const at = Date.parse(told.state.at);
  const second = Math.floor(at / 1000);
  const from = span === null ? told.state.startedAt : new Date(at - (at % MINUTE_MS) - span * MINUTE_MS).toISOString();
  const newest = useNewestOf(id, at);
  const { place, isInSight } = useInSight<HTMLElement>();
  const found = useLookedUp<PriceHistory>(
    isInSight ? `/api/history/prices?strategy=${encodeURIComponent(id)}&run=last&points=${POINTS}&from=${from}` : null,
    newest,
  );
  const history = found?.kind === 'done' ? found.body : null;
  const [lines, setLines] = useState<readonly ChartLine[]>([]);
  const mid = lane?.buy != null && lane.sell != null ? (lane.buy + lane.sell) / 2 : null;
  useEffect(() => {
    grown.add('price', at, mid);
    for (const [name, value] of Object.entries(observed)) if (typeof value === 'number') grown.add(`of ${name}`, at, value);
    if (isInSight) setLines(linesOf(history, grown, observed, span === null ? 0 : second - span * 60));
  }, [history, second, span, isInSight]);
  const marks = useMemo(() => marksOf(history, lines[0]), [history, lines]);
  const isEmpty = (lines[0]?.points.length ?? 0) < MIN_POINTS;
  const nothing = found === null ? 'Reading the journal.' : `Prices of ${product}, signals and fills appear here once quotes come.`;
  const says = `Price of ${product}: now ${mid === null ? 'none' : exact(mid)}. ${signalWords(lines)} ${countWords(history)}`;
  return (
    <figure ref={place}>
      <figcaption>
        <Choice legend={`prices of ${id} of the last`} name={`span ${id}`} choices={SPANS} value={span} onChoose={setSpan} />
        {lines.map(({ name, ink }) => (
          <span key={name} class={`key ${ink}`}>
            {name}
            {name === 'price' && quoteCcy !== null && `, ${quoteCcy}`}
          </span>
        ))}
        <span class="mark up">▲ bought</span>
        <span class="mark down">▼ sold</span>
        <span class="mark muted">● refused</span>
        <span class="mark warn">■ not executed</span>
      </figcaption>
      {isEmpty || !isInSight ? (
        <EmptyChart says={isInSight ? (history?.why ?? nothing) : says} />
      ) : (
        <LateTimeChart lines={lines} marks={marks} says={says} />
      )}
      <MarkTable marks={history?.marks ?? []} id={id} nowMs={at} />
    </figure>
  );
}

/** The number of the strategy's newest decision with a mark, held for a while. When it changes, the history is loaded again. */
function useNewestOf(id: string, at: number): number {
  const decisions = model.decisions.get();
  const [held, setHeld] = useState({ seq: 0, at: 0 });
  const seq = decisions.find(({ strategy, kind }) => strategy === id && MARKED.has(kind))?.seq ?? 0;
  const due = seq !== held.seq && at - held.at >= REFRESH_MS;
  useEffect(() => {
    if (due) setHeld({ seq, at });
  }, [due]);
  return held.seq;
}

function linesOf(
  history: PriceHistory | null,
  grown: LiveSeries,
  observed: StrategyView['observed'],
  fromSecond: number,
): readonly ChartLine[] {
  const since = (points: ChartLine['points']): ChartLine['points'] => points.filter(({ time }) => time >= fromSecond);
  const mids = bySecond((history?.prices ?? []).map(({ at, buy, sell }) => ({ at, value: (buy + sell) / 2 })));
  const price = since(grown.after('price', mids));
  const last = price.at(-1)?.value ?? 0;
  const places = placesFor(last);
  const begin = price[0]?.time ?? 0;
  const names = [...new Set([...Object.keys(history?.signals ?? {}), ...Object.keys(observed)])].filter(
    (name) => history?.signals[name] !== undefined || typeof observed[name] === 'number',
  );
  const signals = names.slice(0, SIGNAL_INKS.length).map((name, n): ChartLine => {
    const points = since(grown.after(`of ${name}`, bySecond(history?.signals[name] ?? []))).filter(({ time }) => time >= begin);
    const near = Math.abs((points.at(-1)?.value ?? last) - last) <= Math.abs(last) * NEAR;
    const look = history?.whole.includes(name) ? 'whole' : 'signal';
    return { name, ink: SIGNAL_INKS[n] ?? 'muted', pane: near ? 0 : 1, look, places, points };
  });
  return [{ name: 'price', ink: 'first', pane: 0, look: 'line', places, points: price }, ...signals];
}

/** Puts each mark at the last point of the line before it. Both ascend in time. */
function marksOf(history: PriceHistory | null, line: ChartLine | undefined): readonly ChartMark[] {
  const points = line?.points ?? [];
  let n = 0;
  return (history?.marks ?? []).slice(-MAX_MARKS).flatMap((mark): ChartMark[] => {
    while ((points[n + 1]?.time ?? Number.POSITIVE_INFINITY) <= mark.at / 1000) n += 1;
    const time = points[n]?.time;
    return time === undefined || time > mark.at / 1000 ? [] : [{ time, price: mark.price, ...shapeOf(mark) }];
  });
}

function shapeOf({ kind, side }: MarkView): Pick<ChartMark, 'shape' | 'ink'> {
  if (kind === 'fill') return side === 'buy' ? { shape: 'arrowUp', ink: 'up' } : { shape: 'arrowDown', ink: 'down' };
  return kind === 'refused' ? { shape: 'circle', ink: 'muted' } : { shape: 'square', ink: 'warn' };
}

const signalWords = (lines: readonly ChartLine[]): string =>
  lines
    .slice(1)
    .map(({ name, points, places }) => `${name} ${fixed(points.at(-1)?.value, places)}.`)
    .join(' ');

function countWords(history: PriceHistory | null): string {
  const marks = history?.marks ?? [];
  const fills = marks.filter(({ kind }) => kind === 'fill').length;
  return `${fills} fills and ${marks.length - fills} other marks.`;
}

const MAX_ROWS = 20;

/** The marks as text, for screen readers. */
function MarkTable({ marks, id, nowMs }: { readonly marks: readonly MarkView[]; readonly id: string; readonly nowMs: number }) {
  return (
    <details class="marks">
      <summary>
        Marks as a list <span class="unseen">of {id}</span>
      </summary>
      {marks.length === 0 && <p class="nothing">None yet.</p>}
      <ol>
        {marks
          .slice(-MAX_ROWS)
          .reverse()
          .map(({ seq, at, words }) => (
            <li key={seq}>
              {clockText(new Date(at).toISOString(), nowMs)} {said(words, nowMs)}
            </li>
          ))}
      </ol>
    </details>
  );
}

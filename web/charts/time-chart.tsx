import {
  AreaSeries,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'preact/hooks';
import { useStore } from '../live/store.ts';
import { themeStore } from '../live/theme.ts';
import { fixed } from '../words/numbers.ts';
import { Borders } from './borders.ts';
import { SIGNAL_LOOK, withGaps } from './gaps.ts';
import { faded, type Ink, type Inks, inksNow, lookOf } from './look.ts';
import type { Point } from './points.ts';

/** One line; `points` ascend in time, one a second at most. */
export interface ChartLine {
  readonly name: string;
  readonly ink: Ink;
  /** 0 is the upper pane. */
  readonly pane: number;
  readonly look: 'line' | 'signal' | 'area';
  /** Number of decimal places. */
  readonly places: number;
  readonly points: readonly Point[];
}

/** A mark on the first line, at a price. */
export interface ChartMark {
  readonly time: number;
  readonly price: number;
  readonly shape: 'arrowUp' | 'arrowDown' | 'circle' | 'square';
  readonly ink: Ink;
}

/** The begin of something, drawn as a vertical line. */
export interface ChartBorder {
  readonly time: number;
  readonly name: string;
}

interface Drawn {
  readonly chart: IChartApi;
  readonly series: readonly ISeriesApi<'Line' | 'Area'>[];
  readonly marks: ISeriesMarkersPluginApi<Time> | null;
  readonly borders: Borders;
  readonly inkOf: Inks;
  /** Its position when a person began to drag; null otherwise. */
  held: Stand | null;
  /** True once a person has moved it, which ends automatic moves. */
  moved: boolean;
}

/** How far the last point is from the edge, and how many there are in sight. */
interface Stand {
  readonly offset: number;
  readonly count: number;
}

function standOf({ chart }: Drawn): Stand {
  const range = chart.timeScale().getVisibleLogicalRange();
  return { offset: chart.timeScale().scrollPosition(), count: range ? range.to - range.from : 0 };
}

const LOWER_PANE_SHARE = 0.4;
/** True for a change of the visible range that a person's zoom caused. */
const MOVED = 0.05;

/** Lines over time. Screen readers read `says` and the figures of the table beside the chart. */
export function TimeChart({
  lines,
  marks,
  borders,
  says,
  tall,
}: {
  readonly lines: readonly ChartLine[];
  readonly marks?: readonly ChartMark[];
  readonly borders?: readonly ChartBorder[];
  readonly says: string;
  readonly tall?: boolean;
}) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const theme = useStore(themeStore);
  const shape = JSON.stringify([theme, lines.map(({ name, ink, pane, look, places }) => [name, ink, pane, look, places])]);

  useEffect(() => {
    if (!place.current) return;
    const made = draw(place.current, lines);
    drawn.current = made;
    return () => {
      drawn.current = null;
      made.chart.remove();
    };
  }, [shape]);

  useEffect(() => {
    const on = drawn.current;
    if (!on) return;
    const times = [...new Set(lines.flatMap(({ points }) => points.map(({ time }) => time)))].sort((a, b) => a - b);
    on.series.forEach((series, n) => {
      const { points = [], look } = lines[n] ?? {};
      series.setData((look === 'signal' ? withGaps(points, times) : points).map((point) => ({ ...point, time: stamp(point.time) })));
    });
    on.marks?.setMarkers((marks ?? []).map((mark) => markOf(mark, on.inkOf)));
    on.borders.set(placed(borders ?? [], lines[0]?.points ?? []));
    if (!on.moved && on.held === null) on.chart.timeScale().fitContent();
  }, [shape, lines, marks, borders]);

  const hold = (): void => {
    if (drawn.current) drawn.current.held = standOf(drawn.current);
  };
  const release = (): void => {
    const on = drawn.current;
    if (!on?.held) return;
    const { offset, count } = standOf(on);
    on.moved ||= Math.abs(offset - on.held.offset) > 1 || Math.abs(count - on.held.count) > 1 + count * MOVED;
    on.held = null;
  };
  const fit = (): void => {
    if (!drawn.current) return;
    drawn.current.moved = false;
    drawn.current.chart.timeScale().fitContent();
  };
  return (
    <div
      ref={place}
      class={`chart${tall ? ' tall' : ''}`}
      role="img"
      aria-label={says}
      title="drag to move, pinch to zoom, double-click for all"
      onPointerDown={hold}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerLeave={release}
      onDblClick={fit}
    />
  );
}

function draw(place: HTMLElement, lines: readonly ChartLine[]): Drawn {
  const inkOf = inksNow();
  const chart = createChart(place, lookOf(inkOf));
  const series = lines.map(({ ink, pane, look, places }) => {
    const colour = inkOf(ink);
    const shared = {
      priceFormat: { type: 'custom', formatter: (price: number) => fixed(price, places), minMove: 10 ** -places },
      lineWidth: 2,
      priceLineVisible: false,
      lastValueVisible: look !== 'signal',
    } as const;
    if (look === 'area') {
      const fill = { lineColor: colour, topColor: faded(colour, 0.3), bottomColor: faded(colour, 0.05) };
      return chart.addSeries(AreaSeries, { ...shared, ...fill }, pane);
    }
    return chart.addSeries(LineSeries, { ...shared, color: colour, ...(look === 'signal' && SIGNAL_LOOK) }, pane);
  });
  chart.panes()[1]?.setStretchFactor(LOWER_PANE_SHARE);
  const [first] = series;
  const borders = new Borders(inkOf('muted'));
  first?.attachPrimitive(borders);
  return { chart, series, marks: first ? createSeriesMarkers(first, []) : null, borders, inkOf, held: null, moved: false };
}

/** Moves each border to the next point. Both ascend. */
function placed(borders: readonly ChartBorder[], points: readonly Point[]): readonly Time[] {
  let n = 0;
  return borders.flatMap(({ time }) => {
    while ((points[n]?.time ?? Number.POSITIVE_INFINITY) < time) n += 1;
    const point = points[n];
    return point === undefined || n === 0 ? [] : [stamp(point.time)];
  });
}

const markOf = ({ time, price, shape, ink }: ChartMark, inkOf: Inks): SeriesMarker<Time> => ({
  time: stamp(time),
  price,
  shape,
  position: shape === 'arrowUp' ? 'atPriceBottom' : shape === 'arrowDown' ? 'atPriceTop' : 'atPriceMiddle',
  color: inkOf(ink),
});

/** The library has a type of its own for seconds. */
const stamp = (time: number): UTCTimestamp => time as UTCTimestamp;

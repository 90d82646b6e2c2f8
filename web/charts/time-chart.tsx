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
import { SIGNAL_LOOK, WHOLE_LOOK, withGaps } from './gaps.ts';
import { coloursOf, faded, type Ink, type Inks, inksNow, lookOf } from './look.ts';
import type { Point } from './points.ts';
import { printed } from './printed.ts';
import { steer } from './steer.ts';

/** One line; `points` ascend in time, one a second at most. */
export interface ChartLine {
  readonly name: string;
  readonly ink: Ink;
  /** 0 is the upper pane. */
  readonly pane: number;
  /** `signal`: known where it was decided on; `whole`: in each bar; `fall`: in percent, filled up to zero. */
  readonly look: 'line' | 'signal' | 'whole' | 'area' | 'fall';
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

interface DrawnChart {
  readonly chart: IChartApi;
  readonly series: readonly ISeriesApi<'Line' | 'Area'>[];
  readonly marks: ISeriesMarkersPluginApi<Time> | null;
  readonly borders: Borders;
  readonly inkOf: Inks;
  /** Ends what listens. */
  readonly end: () => void;
  /** True once a person has moved it, which ends automatic moves. */
  moved: boolean;
}

/** Height of the lower pane, of two for the upper one: its scale can be read. */
const LOWER_PANE_SHARE = 0.8;

/** Lines over time. Screen readers read `says` and the figures of the table beside the chart. */
export function TimeChart({
  lines,
  marks,
  borders,
  says,
  tall,
  isElapsed = false,
  onCursor,
}: {
  readonly lines: readonly ChartLine[];
  readonly marks?: readonly ChartMark[];
  readonly borders?: readonly ChartBorder[];
  readonly says: string;
  readonly tall?: boolean;
  /** Times count from a start. */
  readonly isElapsed?: boolean;
  /** Called with the time at the crosshair, in seconds; null where it is elsewhere. */
  readonly onCursor?: (time: number | null) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart | null>(null);
  const heard = useRef(onCursor);
  heard.current = onCursor;
  const theme = useStore(themeStore);
  const shape = JSON.stringify([theme, lines.map(({ name, ink, pane, look, places }) => [name, ink, pane, look, places])]);

  useEffect(() => {
    if (!place.current) return;
    const made = draw(place.current, { lines, isElapsed, onCursor: (time) => heard.current?.(time) });
    drawn.current = made;
    return () => {
      drawn.current = null;
      made.end();
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
    if (!on.moved) on.chart.timeScale().fitContent();
  }, [shape, lines, marks, borders]);

  const drag = ({ buttons, movementX }: PointerEvent): void => {
    if (drawn.current && buttons > 0 && movementX !== 0) drawn.current.moved = true;
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
      title="drag or Shift with arrows to move, + and - or Ctrl with the wheel to zoom, double-click for all"
      onPointerMove={drag}
      onDblClick={fit}
    />
  );
}

function draw(
  place: HTMLElement,
  { lines, isElapsed, onCursor }: { lines: readonly ChartLine[]; isElapsed: boolean; onCursor: (time: number | null) => void },
): DrawnChart {
  const inkOf = inksNow();
  const chart = createChart(place, lookOf(inkOf, isElapsed));
  const series = lines.map((line) => {
    const { pane, look, places } = line;
    const unit = look === 'fall' ? '\u00a0%' : '';
    const shared = {
      priceFormat: { type: 'custom', formatter: (price: number) => `${fixed(price, places)}${unit}`, minMove: 10 ** -places },
      lineWidth: 2,
      priceLineVisible: false,
      lastValueVisible: look !== 'signal' && look !== 'whole',
    } as const;
    if (look === 'area' || look === 'fall') {
      const area = chart.addSeries(AreaSeries, { ...shared, ...inked(line, inkOf), invertFilledArea: look === 'fall' }, pane);
      // Zero is the upper edge.
      if (look === 'fall') area.priceScale().applyOptions({ scaleMargins: { top: 0, bottom: 0.1 } });
      return area;
    }
    return chart.addSeries(
      LineSeries,
      { ...shared, ...inked(line, inkOf), ...(look === 'signal' && SIGNAL_LOOK), ...(look === 'whole' && WHOLE_LOOK) },
      pane,
    );
  });
  chart.panes()[1]?.setStretchFactor(LOWER_PANE_SHARE);
  const [first] = series;
  const borders = new Borders(inkOf('muted'));
  first?.attachPrimitive(borders);
  const timeOf = (time: Time | undefined): number | null => (typeof time === 'number' ? time : null);
  chart.subscribeCrosshairMove(({ time }) => onCursor(timeOf(time)));
  const made: DrawnChart = {
    chart,
    series,
    marks: first ? createSeriesMarkers(first, []) : null,
    borders,
    inkOf,
    end,
    moved: false,
  };
  const noSteer = steer(place, {
    chart,
    series: () => first,
    onCursor: (time) => onCursor(timeOf(time)),
    onMove: () => {
      made.moved = true;
    },
  });
  // Another width shows the same time, until a person moved it.
  chart.timeScale().subscribeSizeChange(() => {
    if (!made.moved) chart.timeScale().fitContent();
  });
  const noPrint = printed(place, chart, (now) => {
    chart.applyOptions(coloursOf(now));
    series.forEach((one, n) => {
      const line = lines[n];
      if (line) one.applyOptions(inked(line, now));
    });
  });
  function end(): void {
    noSteer();
    noPrint();
  }
  return made;
}

/** The colours of a line. */
function inked({ ink, look }: ChartLine, inkOf: Inks) {
  const color = inkOf(ink);
  if (look === 'area') return { lineColor: color, topColor: faded(color, 0.3), bottomColor: faded(color, 0.05) };
  if (look === 'fall') return { lineColor: color, topColor: faded(color, 0.35), bottomColor: faded(color, 0.35) };
  return { color };
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

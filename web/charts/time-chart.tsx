import {
  AreaSeries,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  LineStyle,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'preact/hooks';
import { useStore } from '../live/store.ts';
import { themeStore } from '../live/theme.ts';
import { faded, type Ink, inkOf, lookOf } from './look.ts';
import type { Point } from './points.ts';

/** One line; `points` ascend in time, one a second at most. */
export interface ChartLine {
  readonly name: string;
  readonly ink: Ink;
  /** 0 is the upper one. */
  readonly pane: number;
  readonly look: 'line' | 'dashed' | 'area';
  /** Places behind the point. */
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

interface Drawn {
  readonly chart: IChartApi;
  readonly series: readonly ISeriesApi<'Line' | 'Area'>[];
  readonly marks: ISeriesMarkersPluginApi<Time> | null;
  /** True once a person has moved it: from then on it is theirs. */
  moved: boolean;
}

const LOWER_PANE_SHARE = 0.4;

/**
 * Lines over time. Whoever cannot see it is told `says` instead, and finds the figures in the table beside it.
 */
export function TimeChart({
  lines,
  marks,
  says,
  tall,
}: {
  readonly lines: readonly ChartLine[];
  readonly marks?: readonly ChartMark[];
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
    on.series.forEach((series, n) => {
      series.setData((lines[n]?.points ?? []).map(({ time, value }) => ({ time: stamp(time), value })));
    });
    on.marks?.setMarkers((marks ?? []).map(markOf));
    if (!on.moved) on.chart.timeScale().fitContent();
  }, [shape, lines, marks]);

  const markMoved = (): void => {
    if (drawn.current) drawn.current.moved = true;
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
      onPointerDown={markMoved}
      onDblClick={fit}
    />
  );
}

function draw(place: HTMLElement, lines: readonly ChartLine[]): Drawn {
  const chart = createChart(place, lookOf());
  const series = lines.map(({ ink, pane, look, places }) => {
    const colour = inkOf(ink);
    const shared = {
      priceFormat: { type: 'price', precision: places, minMove: 10 ** -places },
      lineWidth: look === 'dashed' ? 1 : 2,
      priceLineVisible: false,
      lastValueVisible: look !== 'dashed',
    } as const;
    if (look === 'area') {
      const fill = { lineColor: colour, topColor: faded(colour, 0.3), bottomColor: faded(colour, 0.05) };
      return chart.addSeries(AreaSeries, { ...shared, ...fill }, pane);
    }
    return chart.addSeries(
      LineSeries,
      { ...shared, color: colour, lineStyle: look === 'dashed' ? LineStyle.Dashed : LineStyle.Solid },
      pane,
    );
  });
  chart.panes()[1]?.setStretchFactor(LOWER_PANE_SHARE);
  const [first] = series;
  return { chart, series, marks: first ? createSeriesMarkers(first, []) : null, moved: false };
}

const markOf = ({ time, price, shape, ink }: ChartMark): SeriesMarker<Time> => ({
  time: stamp(time),
  price,
  shape,
  position: shape === 'arrowUp' ? 'atPriceBottom' : shape === 'arrowDown' ? 'atPriceTop' : 'atPriceMiddle',
  color: inkOf(ink),
});

/** The library brands its seconds. */
const stamp = (time: number): UTCTimestamp => time as UTCTimestamp;

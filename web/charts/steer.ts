import type { IChartApi, ISeriesApi, ITimeScaleApi, SeriesType, Time } from 'lightweight-charts';
import { countUntil } from './count-until.ts';

const ZOOM_STEP = 1.4;

interface SteeredChart {
  readonly chart: IChartApi;
  /** The series whose points the crosshair goes along. */
  readonly series: () => ISeriesApi<SeriesType> | undefined;
  /** Called with the time that the crosshair is put on. */
  onCursor(time: Time): void;
  /** Called before the time in view is changed. */
  onMove(): void;
}

/**
 * Moves a chart by keys: arrows the crosshair, with Shift the time in view; plus and minus zoom, Home shows all. The wheel zooms with Ctrl, which a
 * pinch on a trackpad sets as well, or where the chart has the focus; else it scrolls the page. Returns what ends it.
 */
export function steer(place: HTMLElement, { chart, series, onCursor, onMove }: SteeredChart): () => void {
  const scale = chart.timeScale();
  let point: number | null = null;

  const { zoom, move, middle } = viewOf(scale, onMove);
  const walk = (by: number): void => {
    const of = series();
    const points = of?.data() ?? [];
    const seen = scale.getVisibleRange();
    if (!of || !seen || points.length === 0) return;
    const timeOf = (place: number): number => Number(points[place]?.time);
    const first = countUntil(points.length, timeOf, Number(seen.from) - 1);
    const last = countUntil(points.length, timeOf, Number(seen.to)) - 1;
    point = point === null ? last : Math.max(first, Math.min(last, point + by));
    const at = points[point];
    if (!at) return;
    const value = 'value' in at ? at.value : 'close' in at ? at.close : 0;
    chart.setCrosshairPosition(value, at.time, of);
    onCursor(at.time);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => walk(-1),
    ArrowRight: () => walk(1),
    'Shift ArrowLeft': () => move(-0.5),
    'Shift ArrowRight': () => move(0.5),
    '+': () => zoom(1 / ZOOM_STEP, middle()),
    '=': () => zoom(1 / ZOOM_STEP, middle()),
    '-': () => zoom(ZOOM_STEP, middle()),
    Home: () => {
      onMove();
      scale.fitContent();
    },
  };
  const keyed = (event: KeyboardEvent): void => {
    const act = keys[`${event.shiftKey && event.key.startsWith('Arrow') ? 'Shift ' : ''}${event.key}`];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const wheeled = (event: WheelEvent): void => {
    if (!event.ctrlKey && document.activeElement !== place) return;
    event.preventDefault();
    const around = scale.coordinateToLogical(event.clientX - place.getBoundingClientRect().left) ?? middle();
    zoom(event.deltaY < 0 ? 1 / ZOOM_STEP : ZOOM_STEP, around);
  };
  const left = (): void => {
    point = null;
  };
  place.tabIndex = 0;
  place.addEventListener('keydown', keyed);
  place.addEventListener('wheel', wheeled, { passive: false });
  place.addEventListener('blur', left);
  return () => {
    place.removeEventListener('keydown', keyed);
    place.removeEventListener('wheel', wheeled);
    place.removeEventListener('blur', left);
  };
}

/** What changes the time in view, in shares of it: it zooms around a place, and moves. */
function viewOf(scale: ITimeScaleApi<Time>, onMove: () => void) {
  const zoom = (times: number, around: number): void => {
    const range = scale.getVisibleLogicalRange();
    if (!range) return;
    onMove();
    scale.setVisibleLogicalRange({ from: around - (around - range.from) * times, to: around + (range.to - around) * times });
  };
  const middle = (): number => {
    const range = scale.getVisibleLogicalRange();
    return range ? (range.from + range.to) / 2 : 0;
  };
  const move = (share: number): void => {
    const range = scale.getVisibleLogicalRange();
    if (!range) return;
    onMove();
    const by = (range.to - range.from) * share;
    scale.setVisibleLogicalRange({ from: range.from + by, to: range.to + by });
  };
  return { zoom, move, middle };
}

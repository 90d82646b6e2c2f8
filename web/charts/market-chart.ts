import {
  CandlestickSeries,
  createChart,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type LogicalRange,
  type MouseEventParams,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { ChartBar, ChartFill, MarkView, SignalPoint } from '#server/page/history-view.ts';
import { fixed } from '../words/numbers.ts';
import { axisLabels, candleOf, indexOf, placesFor, pointOf, timeAt } from './bars.ts';
import { isSeen, onBars, SIGNAL_LOOK, WHOLE_LOOK, withGaps } from './gaps.ts';
import { coloursOf, type Ink, type Inks, inksNow, lookOf } from './look.ts';
import { type Layer, MarketLayer } from './market-layer.ts';
import type { Point } from './points.ts';
import { printed } from './printed.ts';
import { type Slot, slotsOf } from './slots.ts';
import { steer } from './steer.ts';
import { barsFor, MIN_CANDLE_MS, type TimeWindow } from './window.ts';

const SETTLED_MS = 250;
const ZOOM_STEP = 1.4;
/** Height of a pane of signals, as a share of that of the prices. */
const SIGNAL_PANE_SHARE = 0.25;
/** Room for a legend over the chart, and a mark below it, in pixels. */
const LEGEND_PX = 104;
const MOST_LEGEND = 0.36;
/** Room for half a time label, so that the first and the last of the axis are whole, in pixels. */
const HALF_LABEL_PX = 30;
/** Height of a label of the price axis, in pixels. */
const LABEL_PX = 18;
/** Room for the name of a level beside its price. */
const LEVEL_PX = 72;

/** A signal over the bars. */
export interface SignalLine {
  readonly name: string;
  /** Tells it from all others, whatever it is called. */
  readonly of: string;
  /** True where it has a value in each bar. */
  readonly isWhole: boolean;
  /** Values so many bars apart are joined, without dots. */
  readonly reach?: number;
  readonly ink: Ink;
  /** 0 is that of the prices. */
  readonly pane: number;
  readonly points: readonly SignalPoint[];
}

/** A price level, such as the entry of an open position. */
export interface Level {
  readonly price: number;
  readonly title: string;
  readonly ink: Ink;
}

/** The values under the crosshair. */
export interface UnderCursor {
  readonly bar: ChartBar | null;
  readonly signals: readonly { readonly name: string; readonly value: number }[];
  readonly fills: readonly ChartFill[];
  readonly refusals: readonly MarkView[];
}

interface MarketListener {
  /** Called after a person moved or zoomed. */
  onMoved(seen: TimeWindow): void;
  onCursor(under: UnderCursor | null): void;
  onFills(fills: readonly ChartFill[]): void;
}

/** Prices of a product as candles or, zoomed in, as a line, with fills, round trips and refusals. */
export class MarketChart {
  private readonly chart: IChartApi;
  private readonly candles: ISeriesApi<'Candlestick'>;
  private readonly line: ISeriesApi<'Line'>;
  private readonly layers: readonly MarketLayer[];
  private inkOf: Inks;
  private readonly place: HTMLElement;
  private readonly heard: MarketListener;
  private readonly ends: readonly (() => void)[];
  private signals: { readonly of: SignalLine; readonly series: ISeriesApi<'Line'> }[] = [];
  private levels: IPriceLine[] = [];
  /** The prices of the levels. */
  private marked: readonly number[] = [];
  private slots: Slot[] = [];
  private stepMs = 1_000;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  /** True while a person moves the chart. */
  private isHeld = false;
  /** The time that was shown last, until a person moves the chart; `isOpen`: it reached to the last bar. */
  private seen: (TimeWindow & { readonly isOpen: boolean }) | null = null;

  /** `isFixed`: the chart cannot be moved beyond its bars and shows all of them at first. */
  constructor(place: HTMLElement, heard: MarketListener, isFixed = false) {
    this.place = place;
    this.heard = heard;
    this.inkOf = inksNow();
    const { inkOf } = this;
    this.chart = createChart(place, {
      ...lookOf(inkOf),
      handleScroll: { mouseWheel: false, vertTouchDrag: false, pressedMouseMove: true, horzTouchDrag: true },
      handleScale: { mouseWheel: false, pinch: true, axisPressedMouseMove: { time: true, price: false }, axisDoubleClickReset: true },
    });
    this.chart.timeScale().applyOptions({ rightOffset: isFixed ? 0 : 4, fixLeftEdge: isFixed, fixRightEdge: isFixed, minBarSpacing: 0.2 });
    const top = place.closest('.stage') === null ? 0.1 : Math.min(MOST_LEGEND, LEGEND_PX / place.clientHeight);
    this.chart.priceScale('right').applyOptions({ scaleMargins: { top, bottom: 0.1 } });
    const shared = { priceLineVisible: true, lastValueVisible: true } as const;
    this.candles = this.chart.addSeries(CandlestickSeries, { ...shared, ...candleInks(inkOf) });
    this.line = this.chart.addSeries(LineSeries, { ...shared, color: inkOf('first'), lineWidth: 2 });
    this.layers = [new MarketLayer(inkOf), new MarketLayer(inkOf)];
    const [onCandles, onLine] = this.layers;
    if (onCandles) this.candles.attachPrimitive(onCandles);
    if (onLine) this.line.attachPrimitive(onLine);
    this.chart.timeScale().subscribeVisibleLogicalRangeChange(() => this.moved());
    this.chart.timeScale().subscribeSizeChange(() => this.fit());
    this.chart.subscribeCrosshairMove((event) => this.cursor(event));
    this.chart.subscribeClick(({ point }) => {
      const fills = point ? this.fillsAt(point.x, point.y) : [];
      if (fills.length > 0) heard.onFills(fills);
    });
    place.addEventListener('pointerdown', this.hold);
    this.ends = [
      steer(place, {
        chart: this.chart,
        series: () => (this.stepMs >= MIN_CANDLE_MS ? this.candles : this.line),
        onCursor: (time) => heard.onCursor(this.underAt(time)),
        onMove: this.hold,
      }),
      printed(place, this.chart, (now) => this.paint(now)),
    ];
  }

  /** Number of bars that fit into the present width. */
  get room(): number {
    return barsFor(this.place.clientWidth);
  }

  /** Shows bars with their marks; `seen`: the visible time, null: unchanged. */
  show(told: {
    readonly bars: readonly ChartBar[];
    readonly stepMs: number;
    readonly signals: readonly SignalLine[];
    readonly levels: readonly Level[];
    readonly layer: Layer;
    readonly seen: TimeWindow | null;
  }): void {
    this.isHeld = false;
    this.slots = [...slotsOf(told.bars, told.stepMs)];
    this.stepMs = told.stepMs;
    const isCandles = told.stepMs >= MIN_CANDLE_MS;
    this.marked = told.levels.map(({ price }) => price);
    this.candles.applyOptions({ visible: isCandles });
    this.line.applyOptions({ visible: !isCandles });
    this.labelPrices();
    // Without prices they keep the places of holes, of which the line has none.
    this.candles.setData(this.slots.map(({ at, bar }) => candleOf({ at, bar: isCandles ? bar : null })));
    this.line.setData(isCandles ? [] : this.joined(told.bars.map(pointOf)));
    this.chart.timeScale().applyOptions({ secondsVisible: told.stepMs < 60_000 });
    this.drawSignals(told.signals);
    this.drawLevels(told.levels, isCandles);
    this.drawLayer(told.layer, isCandles);
    if (told.seen) this.see(told.seen);
    else this.fit();
  }

  /** Adds the present price to its bar, or begins the next. */
  add(at: number, price: number): void {
    const begin = at - (at % this.stepMs);
    const last = this.slots.at(-1)?.bar;
    if (!last || last.at > begin) return;
    const bar =
      last.at === begin
        ? { ...last, high: Math.max(last.high, price), low: Math.min(last.low, price), close: price }
        : { at: begin, open: price, high: price, low: price, close: price };
    const slot = { at: begin, bar };
    if (last.at === begin) this.slots[this.slots.length - 1] = slot;
    else this.slots.push(slot);
    if (this.stepMs >= MIN_CANDLE_MS) this.candles.update(candleOf(slot));
    else this.line.update(pointOf(bar));
    this.labelPrices();
    if (last.at !== begin) this.fit();
  }

  /** Goes on with a signal that has a value in each bar. */
  addSignal(of: string, at: number, value: number): void {
    const series = this.signals.find((one) => one.of.of === of && one.of.isWhole)?.series;
    const time = ((at - (at % this.stepMs)) / 1000) as UTCTimestamp;
    if (series && Number(series.data().at(-1)?.time ?? 0) <= time) series.update({ time, value });
  }

  /** The values of the last bar. */
  get newest(): UnderCursor | null {
    const last = this.slots.at(-1);
    return last ? this.underAt((last.at / 1000) as UTCTimestamp) : null;
  }

  drawLayer(layer: Layer, isCandles = this.stepMs >= MIN_CANDLE_MS): void {
    const { slots, stepMs } = this;
    const [onCandles, onLine] = this.layers;
    const empty: Layer = { fills: [], refusals: [], trades: [], runs: [], chosen: null };
    onCandles?.set(isCandles ? layer : empty, { stepMs, slots });
    onLine?.set(isCandles ? empty : layer, { stepMs, slots });
  }

  /** Scrolls to a time, as far as there are bars: no room is left empty for what was before the first of them. */
  see(time: TimeWindow): void {
    const [first] = this.slots;
    this.seen = { ...time, isOpen: time.to >= (this.slots.at(-1)?.at ?? 0) };
    if (!first) return;
    const { from, to } = { from: Math.max(time.from, first.at - this.stepMs), to: time.to };
    const scale = this.chart.timeScale();
    const [left, right] = [from, to].map((time) => indexOf(this.slots, time, this.stepMs));
    if (left === undefined || right === undefined) return;
    const roomOf = (px: number): number => ((right - left) * px) / Math.max(px, scale.width());
    const before = time.from <= first.at ? roomOf(HALF_LABEL_PX) : 0;
    this.isHeld = false;
    scale.setVisibleLogicalRange({
      from: left - before,
      to: right + Math.max(1, roomOf(this.levels.length > 0 ? LEVEL_PX : HALF_LABEL_PX)),
    });
  }

  /** Another width, and bars that have come since, show the same time: as far as there are bars, and up to now where it reached to the last one. */
  private fit(): void {
    const [seen, last] = [this.seen, this.slots.at(-1)];
    if (seen === null || last === undefined || this.isHeld) return;
    const later = seen.isOpen ? Math.max(0, last.at - seen.to) : 0;
    this.see({ from: seen.from + later, to: seen.to + later });
  }

  zoom(isIn: boolean): void {
    const range = this.chart.timeScale().getVisibleLogicalRange();
    if (!range) return;
    const span = (range.to - range.from) * (isIn ? 1 / ZOOM_STEP : ZOOM_STEP);
    // The newest bar stays where it is in sight; else the middle does.
    const isAtEnd = range.to >= this.slots.length - 1;
    const to = isAtEnd ? Math.min(range.to, this.slots.length + 4) : (range.from + range.to + span) / 2;
    this.isHeld = true;
    this.chart.timeScale().setVisibleLogicalRange({ from: to - span, to });
  }

  /** Moves back or forward by half of the visible time. */
  step(forward: boolean): void {
    const range = this.chart.timeScale().getVisibleLogicalRange();
    if (!range) return;
    const by = ((range.to - range.from) / 2) * (forward ? 1 : -1);
    this.isHeld = true;
    this.chart.timeScale().setVisibleLogicalRange({ from: range.from + by, to: range.to + by });
  }

  remove(): void {
    clearTimeout(this.waiting);
    this.place.removeEventListener('pointerdown', this.hold);
    for (const end of this.ends) end();
    this.chart.remove();
  }

  private readonly hold = (): void => {
    this.isHeld = true;
  };

  /** Labels of the price axis: none lies half under a price that is marked there. */
  private labelPrices(): void {
    const close = this.slots.at(-1)?.bar?.close ?? 0;
    const places = placesFor(close);
    const marked = [close, ...this.marked];
    const formatter = (price: number): string => fixed(price, places);
    const priceFormat = {
      type: 'custom',
      formatter,
      tickmarksFormatter: (prices: readonly number[]) => axisLabels(prices, { marked, near: this.priceOf(LABEL_PX), text: formatter }),
      minMove: 10 ** -places,
    } as const;
    this.candles.applyOptions({ priceFormat });
    this.line.applyOptions({ priceFormat });
  }

  /** The distance in price of so many pixels. */
  private priceOf(px: number): number {
    const series = this.stepMs >= MIN_CANDLE_MS ? this.candles : this.line;
    return Math.abs((series.coordinateToPrice(0) ?? 0) - (series.coordinateToPrice(px) ?? 0));
  }

  private paint(inkOf: Inks): void {
    this.inkOf = inkOf;
    this.chart.applyOptions(coloursOf(inkOf));
    this.candles.applyOptions(candleInks(inkOf));
    this.line.applyOptions({ color: inkOf('first') });
    for (const layer of this.layers) layer.paint(inkOf);
    for (const { of, series } of this.signals) series.applyOptions({ color: inkOf(of.ink) });
  }

  private moved(): void {
    // The label of a bar before those in sight is cut off by the edge.
    this.place.classList.toggle('has-before', (this.chart.timeScale().getVisibleLogicalRange()?.from ?? 0) > 0);
    if (!this.isHeld) return;
    this.seen = null;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      const range = this.chart.timeScale().getVisibleLogicalRange();
      if (range) this.heard.onMoved(this.windowOf(range));
    }, SETTLED_MS);
  }

  private windowOf({ from, to }: LogicalRange): TimeWindow {
    return { from: timeAt(this.slots, from, this.stepMs), to: timeAt(this.slots, to, this.stepMs) };
  }

  private cursor({ time, point }: MouseEventParams<Time>): void {
    if (time === undefined || !point) return this.heard.onCursor(null);
    const refusals = this.layers.flatMap((layer) => layer.refusalsAt(point.x, point.y));
    this.heard.onCursor({ ...this.underAt(time), fills: this.fillsAt(point.x, point.y), refusals });
  }

  /** The values at a time of the chart; in a hole the bar before it, which says its time. */
  private underAt(time: Time): UnderCursor {
    const bar = this.slots.findLast((one) => one.bar !== null && one.at / 1000 <= Number(time))?.bar ?? null;
    const signals = this.signals.flatMap(({ of, series }) => {
      const point = series.data().find((one) => one.time === time);
      return point && 'value' in point && isSeen(point) ? [{ name: of.name, value: point.value }] : [];
    });
    return { bar, signals, fills: [], refusals: [] };
  }

  private fillsAt(x: number, y: number): readonly ChartFill[] {
    return this.layers.flatMap((layer) => layer.fillsAt(x, y));
  }

  private drawSignals(lines: readonly SignalLine[]): void {
    for (const { series } of this.signals) this.chart.removeSeries(series);
    this.signals = lines.map((of) => {
      const look = { color: this.inkOf(of.ink), ...(of.isWhole || of.reach ? WHOLE_LOOK : SIGNAL_LOOK), lastValueVisible: false };
      const series = this.chart.addSeries(LineSeries, look, of.pane);
      const points = onBars(of.points, this.stepMs);
      series.setData(this.joined(points, of.isWhole ? undefined : (of.reach ?? 1)));
      return { of, series };
    });
    for (const pane of this.chart.panes().slice(1)) pane.setStretchFactor(SIGNAL_PANE_SHARE);
  }

  /** A line that no hole is drawn through. */
  private joined(points: readonly Point[], reach = Number.POSITIVE_INFINITY) {
    const holes = new Set(this.slots.flatMap(({ at, bar }) => (bar === null ? at / 1000 : [])));
    const line = withGaps(
      points,
      this.slots.map(({ at }) => at / 1000),
      { reach, holes },
    );
    return line.map((point) => ({ ...point, time: point.time as UTCTimestamp }));
  }

  private drawLevels(levels: readonly Level[], isCandles: boolean): void {
    for (const line of this.levels) {
      this.candles.removePriceLine(line);
      this.line.removePriceLine(line);
    }
    const series = isCandles ? this.candles : this.line;
    this.levels = levels.map(({ price, title, ink }) =>
      series.createPriceLine({ price, title, color: this.inkOf(ink), lineWidth: 1, lineStyle: LineStyle.Dashed, axisLabelVisible: true }),
    );
  }
}

function candleInks(inkOf: Inks) {
  const [up, down] = [inkOf('up'), inkOf('down')];
  return { upColor: up, downColor: down, borderUpColor: up, borderDownColor: down, wickUpColor: up, wickDownColor: down };
}

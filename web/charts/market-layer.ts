import type {
  IChartApi,
  IPrimitivePaneRenderer,
  ISeriesApi,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  SeriesType,
  Time,
} from 'lightweight-charts';
import type { ChartFill, ChartHistory, MarkView } from '#server/page/history-view.ts';
import { countUntil } from './count-until.ts';
import { faded, type Inks } from './look.ts';
import type { Slot } from './slots.ts';
import { edgeOf, type MarkGroup, thinnedMarks } from './thinned.ts';

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0];
type Drawing = Parameters<Parameters<Target['useMediaCoordinateSpace']>[0]>[0]['context'];

/** The marks drawn over the prices. */
export interface Layer {
  readonly fills: readonly ChartFill[];
  readonly refusals: readonly MarkView[];
  readonly trades: ChartHistory['trades'];
  readonly runs: ChartHistory['runs'];
  /** The round trip that a person selected. */
  readonly chosen: { readonly openedAt: number; readonly closedAt: number } | null;
}

const NO_LAYER: Layer = { fills: [], refusals: [], trades: [], runs: [], chosen: null };

/** Half the width of a mark, its height, and its distance from its bars, in pixels. */
const MARK_PX = 6;
const HEIGHT_PX = 9;
const GAP_PX = 5;
/** The rim that sets a mark apart from what it lies on. */
const RIM_PX = 3;
const DOT_PX = 2;
const HIT_PX = 9;

/** Executions as marks below what was bought and above what was sold, joined where they touch, refusals as dots, the chosen round trip as a line from entry to exit, begins of runs. */
export class MarketLayer implements ISeriesPrimitive<Time> {
  private layer: Layer = NO_LAYER;
  private stepMs = 1_000;
  /** A scale knows only their times. */
  private slots: readonly Slot[] = [];
  private inkOf: Inks;
  private chart: IChartApi | null = null;
  private series: ISeriesApi<SeriesType> | null = null;
  private redraw: () => void = () => {};

  constructor(inkOf: Inks) {
    this.inkOf = inkOf;
  }

  set(layer: Layer, { stepMs, slots }: { readonly stepMs: number; readonly slots: readonly Slot[] }): void {
    this.layer = layer;
    this.stepMs = stepMs;
    this.slots = slots;
    this.redraw();
  }

  paint(inkOf: Inks): void {
    this.inkOf = inkOf;
    this.redraw();
  }

  attached({ chart, series, requestUpdate }: SeriesAttachedParameter<Time>): void {
    this.chart = chart as IChartApi;
    this.series = series;
    this.redraw = requestUpdate;
  }

  detached(): void {
    this.chart = null;
    this.series = null;
  }

  paneViews() {
    return [{ zOrder: () => 'top' as const, renderer: () => ({ draw: (target: Target) => this.draw(target) }) }];
  }

  /** The executions under a point of the chart; empty if there are none. */
  fillsAt(x: number, y: number): readonly ChartFill[] {
    for (const group of this.groups()) {
      const at = this.tipOf(group);
      const middle = (at?.y ?? 0) + (sign(group.side) * HEIGHT_PX) / 2;
      if (at && Math.abs(at.x - x) <= HIT_PX && Math.abs(middle - y) <= HIT_PX) return group.members;
    }
    return [];
  }

  /** The refusals under a point of the chart; empty if there are none. */
  refusalsAt(x: number, y: number): readonly MarkView[] {
    return this.layer.refusals.filter(({ at, price }) => {
      const place = this.placeOf(at, price);
      return place !== null && Math.abs(place.x - x) <= HIT_PX && Math.abs(place.y - y) <= HIT_PX;
    });
  }

  private groups(): readonly MarkGroup<ChartFill>[] {
    const spacing = this.chart?.timeScale().options().barSpacing ?? 1;
    return thinnedMarks(this.layer.fills, this.stepMs / Math.max(spacing, 0.1));
  }

  private draw(target: Target): void {
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      this.drawRuns(context, mediaSize.height);
      this.drawTrades(context);
      this.drawRefusals(context);
      this.drawFills(context);
    });
  }

  private drawRuns(context: Drawing, height: number): void {
    context.strokeStyle = faded(this.inkOf('muted'), 0.7);
    context.setLineDash([3, 3]);
    context.lineWidth = 1;
    for (const { at } of this.layer.runs) {
      const x = this.acrossOf(at);
      if (x === null) continue;
      context.beginPath();
      context.moveTo(Math.round(x) + 0.5, 0);
      context.lineTo(Math.round(x) + 0.5, height);
      context.stroke();
    }
    context.setLineDash([]);
  }

  private drawTrades(context: Drawing): void {
    const { trades, chosen } = this.layer;
    const shown = trades.filter(({ openedAt, closedAt }) => chosen?.openedAt === openedAt && chosen.closedAt === closedAt);
    for (const { openedAt, closedAt, entryPrice, exitPrice, profit } of shown) {
      const from = this.placeOf(openedAt, Number(entryPrice));
      const to = this.placeOf(closedAt, Number(exitPrice));
      if (!from || !to) continue;
      context.strokeStyle = this.inkOf(profit >= 0 ? 'up' : 'down');
      context.lineWidth = 3;
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
      for (const { x, y } of [from, to]) {
        context.beginPath();
        context.arc(x, y, 2 * MARK_PX, 0, 2 * Math.PI);
        context.stroke();
      }
    }
  }

  private drawRefusals(context: Drawing): void {
    for (const { at, price, kind } of this.layer.refusals) {
      const place = this.placeOf(at, price);
      if (!place) continue;
      context.fillStyle = this.inkOf(kind === 'refused' ? 'muted' : 'warn');
      context.beginPath();
      context.arc(place.x, place.y, DOT_PX, 0, 2 * Math.PI);
      context.fill();
    }
  }

  private drawFills(context: Drawing): void {
    context.font = 'bold 11px system-ui, sans-serif';
    context.textAlign = 'center';
    context.lineJoin = 'round';
    context.lineWidth = RIM_PX;
    context.strokeStyle = this.inkOf('card');
    for (const group of this.groups()) {
      const tip = this.tipOf(group);
      if (!tip) continue;
      const { side, members } = group;
      const base = tip.y + sign(side) * HEIGHT_PX;
      context.fillStyle = this.inkOf(side === 'buy' ? 'up' : 'down');
      context.beginPath();
      context.moveTo(tip.x, tip.y);
      context.lineTo(tip.x - MARK_PX, base);
      context.lineTo(tip.x + MARK_PX, base);
      context.closePath();
      context.stroke();
      context.fill();
      if (members.length === 1) continue;
      const under = base + (side === 'buy' ? 11 : -4);
      context.strokeText(String(members.length), tip.x, under);
      context.fillText(String(members.length), tip.x, under);
    }
  }

  /** The tip of a mark: beyond the bars in which its executions were, so that it hides none of them. */
  private tipOf(group: MarkGroup<ChartFill>): { readonly x: number; readonly y: number } | null {
    const edge = edgeOf(group, (at) => this.slots[this.slotAt(at)]?.bar ?? undefined);
    const place = this.placeOf(group.at, edge);
    return place && { x: place.x, y: place.y + sign(group.side) * GAP_PX };
  }

  private placeOf(at: number, price: number): { readonly x: number; readonly y: number } | null {
    const x = this.acrossOf(at);
    const y = this.series?.priceToCoordinate(price) ?? null;
    return x === null || y === null ? null : { x, y };
  }

  /** The x coordinate of a time, between its place and the next. */
  private acrossOf(at: number): number | null {
    const scale = this.chart?.timeScale();
    const slot = this.slots[this.slotAt(at)];
    if (!scale || slot === undefined) return null;
    const x = scale.timeToCoordinate((slot.at / 1000) as Time);
    if (x === null) return null;
    const within = Math.min(1, (at - slot.at) / this.stepMs);
    return x + (within - 0.5) * scale.options().barSpacing;
  }

  /** The index of the place that began last before a time. */
  private slotAt(at: number): number {
    return countUntil(this.slots.length, (place) => this.slots[place]?.at ?? 0, at) - 1;
  }
}

/** Marks of what was bought are below their price, and others above. */
const sign = (side: 'buy' | 'sell'): number => (side === 'buy' ? 1 : -1);

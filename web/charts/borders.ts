import type { IChartApi, IPrimitivePaneRenderer, ISeriesPrimitive, SeriesAttachedParameter, Time } from 'lightweight-charts';

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0];

/** Vertical lines at times such as the begin of a run, behind the series of the chart. */
export class Borders implements ISeriesPrimitive<Time> {
  private times: readonly Time[] = [];
  private readonly colour: string;
  private chart: IChartApi | null = null;
  private redraw: () => void = () => {};

  constructor(colour: string) {
    this.colour = colour;
  }

  /** Times at which the chart has points. */
  set(times: readonly Time[]): void {
    this.times = times;
    this.redraw();
  }

  attached({ chart, requestUpdate }: SeriesAttachedParameter<Time>): void {
    this.chart = chart as IChartApi;
    this.redraw = requestUpdate;
  }

  detached(): void {
    this.chart = null;
  }

  paneViews() {
    return [{ zOrder: () => 'bottom' as const, renderer: () => ({ draw: (target: Target) => this.draw(target) }) }];
  }

  private draw(target: Target): void {
    const scale = this.chart?.timeScale();
    if (!scale) return;
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.strokeStyle = this.colour;
      context.setLineDash([3, 3]);
      context.beginPath();
      for (const time of this.times) {
        const x = scale.timeToCoordinate(time);
        if (x === null) continue;
        context.moveTo(Math.round(x) + 0.5, 0);
        context.lineTo(Math.round(x) + 0.5, mediaSize.height);
      }
      context.stroke();
    });
  }
}

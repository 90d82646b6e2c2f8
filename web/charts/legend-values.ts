import type { ChartBar, SignalPoint } from '#server/page/history-view.ts';

/** What the legend says: a bar, and of each signal its value; null where there is none. */
interface LegendValues<Signal> {
  readonly bar: ChartBar | null;
  readonly signals: readonly { readonly of: Signal; readonly value: number | null }[];
}

/** The values at the crosshair and no other ones; the newest where no crosshair is. */
export function legendValues<Signal extends { readonly name: string; readonly points: readonly SignalPoint[] }>(
  bars: readonly ChartBar[],
  signals: readonly Signal[],
  under: { readonly bar: ChartBar | null; readonly signals: readonly { readonly name: string; readonly value: number }[] } | null,
): LegendValues<Signal> {
  if (under === null) {
    return { bar: bars.at(-1) ?? null, signals: signals.map((of) => ({ of, value: of.points.at(-1)?.value ?? null })) };
  }
  const values = new Map(under.signals.map(({ name, value }) => [name, value]));
  return { bar: under.bar, signals: signals.map((of) => ({ of, value: values.get(of.name) ?? null })) };
}

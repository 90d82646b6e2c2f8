import type { ChartBar, ChartHistory } from '#server/page/history-view.ts';
import { placesFor } from '../charts/bars.ts';
import { legendValues } from '../charts/legend-values.ts';
import type { SignalLine, UnderCursor } from '../charts/market-chart.ts';
import type { StrategyHolding } from '../words/held.ts';
import { exact, fixed } from '../words/numbers.ts';
import { momentText, stepText } from '../words/times.ts';
import { Amount } from './amount.tsx';

/** The legend of the chart, and the values at the crosshair; the newest if the crosshair is elsewhere: of the chart, where it grows. */
export function MarketLegend({
  history,
  signals,
  under,
  newest = null,
  price,
  held = [],
}: {
  readonly history: ChartHistory | null;
  readonly signals: readonly SignalLine[];
  readonly under: UnderCursor | null;
  readonly newest?: UnderCursor | null;
  readonly price: number | null;
  readonly held?: readonly StrategyHolding[];
}) {
  const { bar, signals: values } = legendValues(history?.bars ?? [], signals, under ?? newest);
  return (
    <figcaption class="market-legend">
      <span class="values">
        {bar === null ? exact(under === null ? price : null) : <Values bar={bar} stepMs={history?.stepMs ?? 0} />} {history?.currency}
      </span>
      {values.map(({ of: { name, ink, pane }, value }) => (
        <span key={name} class={`key ${ink}`}>
          {name} {fixed(value, pane === 0 ? placesOf(bar) : placesFor(Math.abs(value ?? 0)))}
        </span>
      ))}
      <span class="mark up">▲ bought</span>
      <span class="mark down">▼ sold</span>
      <span class="mark muted">▲2 two orders</span>
      {(history?.runs.length ?? 0) > 0 && <span class="key border">begin of a run</span>}
      <span class={`told${under === null ? ' held' : ''}`}>
        {(under === null ? held : []).map(({ id, position, price: entry, unrealised, quoteCcy }) => (
          <b key={id}>
            {id} {exact(position)} at {exact(entry)} <Amount value={unrealised} currency={quoteCcy ?? ''} />
          </b>
        ))}
        {(under?.fills ?? []).slice(0, 1).map(({ order, side, size, price: paid, strategy, closed }) => (
          <b key={order}>
            {strategy} {side} {exact(size)} at {exact(paid)}
            {closed !== null && (
              <>
                , made <Amount value={closed.profit} currency={closed.currency} />
              </>
            )}
            {(under?.fills.length ?? 0) > 1 && `, and ${(under?.fills.length ?? 1) - 1} more`}
          </b>
        ))}
        {(under?.refusals ?? []).slice(0, 1).map(({ seq, words }) => (
          <b key={seq}>
            {words}
            {(under?.refusals.length ?? 0) > 1 && `, and ${(under?.refusals.length ?? 1) - 1} more`}
          </b>
        ))}
      </span>
      {history !== null && history.fillsLeftOut > 0 && <span>{history.fillsLeftOut} older fills are left out: zoom in</span>}
    </figcaption>
  );
}

const Values = ({ bar: { at, open, high, low, close }, stepMs }: { readonly bar: ChartBar; readonly stepMs: number }) => {
  const places = placesOf({ close });
  const moment = new Date(at).toISOString();
  return (
    <>
      <time dateTime={moment}>
        <span class="roomy">{momentText(moment).slice(0, 11)}</span>
        {momentText(moment).slice(11, 19)}
        <span class="roomy"> UTC</span>
      </time>
      , {stepText(stepMs)}:{' '}
      <span class="roomy">
        open {fixed(open, places)}, high {fixed(high, places)}, low {fixed(low, places)},{' '}
      </span>
      close <b>{fixed(close, places)}</b>
    </>
  );
};

const placesOf = (bar: Pick<ChartBar, 'close'> | null): number => placesFor(bar?.close ?? 0);

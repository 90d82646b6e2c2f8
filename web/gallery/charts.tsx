import { useEffect, useRef } from 'preact/hooks';
import { EmptyChart } from '../charts/empty-chart.tsx';
import { MarketChart } from '../charts/market-chart.ts';
import { signalsOf } from '../charts/market-signals.ts';
import { TimeChart } from '../charts/time-chart.tsx';
import { MarketLegend } from '../parts/market-legend.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { EQUITY, HISTORY } from './examples.ts';

const SIGNALS = signalsOf(HISTORY);

/** The charts: prices with marks and indicators, a line over time, one the size of a word, and one without data. */
export function Charts() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const chart = new MarketChart(place.current, { onMoved() {}, onCursor() {}, onFills() {} }, true);
    const { bars, stepMs, fills, refusals, trades, runs, from, to } = HISTORY;
    chart.show({ bars, stepMs, signals: SIGNALS, levels: [], layer: { fills, refusals, trades, runs, chosen: null }, seen: { from, to } });
    return () => chart.remove();
  }, []);
  return (
    <>
      <figure>
        <MarketLegend history={HISTORY} signals={SIGNALS} under={null} price={null} />
        <div ref={place} class="chart large" role="img" aria-label="Prices with indicators and executions." />
      </figure>
      <figure>
        <figcaption>
          <span class="key first">equity, usd</span>
        </figcaption>
        <TimeChart lines={[EQUITY]} marks={[]} says="Equity over time." />
      </figure>
      <div class="row">
        the course of a day <Sparkline course={[4, 2, 9, 7, 12]} /> <Sparkline course={[-1, 2, -6]} />
      </div>
      <EmptyChart says="Prices appear here once quotes come." />
    </>
  );
}

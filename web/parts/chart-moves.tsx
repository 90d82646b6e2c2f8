import type { RefObject } from 'preact';
import type { MarketChart } from '../charts/market-chart.ts';

const MOVES: readonly { readonly label: string; readonly name: string; readonly act: (chart: MarketChart) => void }[] = [
  { label: '\u2039', name: 'Earlier', act: (chart) => chart.step(false) },
  { label: '\u203a', name: 'Later', act: (chart) => chart.step(true) },
  { label: '\u2212', name: 'Zoom out', act: (chart) => chart.zoom(false) },
  { label: '+', name: 'Zoom in', act: (chart) => chart.zoom(true) },
];

/** Buttons that move a chart of prices and zoom it. */
export const ChartMoves = ({ chart }: { readonly chart: RefObject<MarketChart> }) => (
  <>
    {MOVES.map(({ label, name, act }) => (
      <button key={name} type="button" class="plain" aria-label={name} onClick={() => chart.current && act(chart.current)}>
        {label}
      </button>
    ))}
  </>
);

import { Store, useStore } from '../live/store.ts';
import { EmptyChart } from './empty-chart.tsx';
import type { TimeChart } from './time-chart.tsx';

type Charts = typeof import('./drawn.ts');

const FAILED = 'The charts could not be loaded. Load this page again.';

const chartsStore = new Store<Charts | string | null>(null);

/** Loads what draws charts, while the page is drawn without them. */
export function loadCharts(): void {
  import('./drawn.ts').then(
    (charts) => chartsStore.set(charts),
    () => chartsStore.set(FAILED),
  );
}

/** What draws charts, once it is loaded; until then, what to say instead. */
export function useCharts(): Charts | string {
  return useStore(chartsStore) ?? 'Loading the charts.';
}

/** Lines over time, once what draws them is loaded. */
export function LateTimeChart(props: Parameters<typeof TimeChart>[0]) {
  const charts = useCharts();
  return typeof charts === 'string' ? <EmptyChart says={charts} /> : <charts.TimeChart {...props} />;
}

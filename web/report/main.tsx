import { type ComponentChildren, render } from 'preact';
import type { PageData } from '#report/page/page-data.ts';
import { startTheme, switchTheme } from '../live/theme.ts';
import { Chained, Curves } from './curves.tsx';
import { Growth } from './growth.tsx';
import { HeatMap } from './heat-map.tsx';
import { Histogram } from './histogram.tsx';
import { Latency } from './latency.tsx';
import { Prices } from './prices.tsx';
import { Scatter } from './scatter.tsx';
import { oneCurrency } from './series.ts';
import { Trades } from './trades.tsx';

const data: PageData = JSON.parse(document.getElementById('data')?.textContent ?? '{}');

/** What belongs into a place of the page; the page has a place for what there is alone. */
function contentOf({ dataset }: HTMLElement): ComponentChildren {
  const { currency, run, search, chained, compared } = data;
  const price = run?.prices[Number(dataset.index)];
  switch (dataset.chart) {
    case 'equity':
      return run?.equity && <Growth equity={run.equity} currency={currency} />;
    case 'price':
      return run && price && <Prices price={price} run={run} />;
    case 'trades':
      return run && <Trades run={run} more={dataset.more ?? ''} />;
    case 'histogram':
      return run && <Histogram bins={run.histogram} currency={oneCurrency(run) ?? ''} />;
    case 'latency':
      return run && <Latency points={run.latencies} currency={currency} />;
    case 'heat':
      return search && <HeatMap search={search} />;
    case 'scatter':
      return search?.scatter && <Scatter {...search.scatter} />;
    case 'chained':
      return chained && <Chained values={chained} />;
    case 'curves':
      return compared && <Curves curves={compared} />;
    default:
      return null;
  }
}

startTheme();
document.getElementById('theme')?.addEventListener('click', switchTheme);
for (const figure of document.querySelectorAll<HTMLElement>('[data-chart]'))
  render(contentOf(figure), figure.appendChild(document.createElement('div')));

/** What is folded is printed as well. */
const opened: HTMLDetailsElement[] = [];
addEventListener('beforeprint', () => {
  for (const fold of document.querySelectorAll<HTMLDetailsElement>('details:not([open])')) {
    fold.open = true;
    opened.push(fold);
  }
});
addEventListener('afterprint', () => {
  for (const fold of opened.splice(0)) fold.open = false;
});

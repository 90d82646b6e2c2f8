import { METRICS, type MetricDefinition } from '#server/metrics/catalog.ts';
import { type Page, page, table } from './page.ts';

const INTRO = [
  'What `GET /metrics` of a running daemon serves to Prometheus; how to set that up: [monitoring](../monitoring.md).',
  'A histogram has the series `_bucket`, `_sum` and `_count`. What cannot be said, such as equity without a rate, has no sample; `kairos_profit_left_out` and `kairos_product_unpriced` say what the sums leave out.',
].join('\n');

/** Every metric of a running daemon. */
export function prometheusPage(): Page {
  const rows = (Object.entries(METRICS) as [string, MetricDefinition][]).map(([name, { type, help, labels = [] }]) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    help,
  ]);
  return page('prometheus', 'Metrics for Prometheus', `${INTRO}\n\n${table([['metric', 'type', 'labels', 'meaning'], ...rows])}`);
}

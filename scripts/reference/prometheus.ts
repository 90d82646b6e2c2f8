import { METRICS, type MetricDefinition } from '#server/metrics/catalog.ts';
import { type Page, page } from './page.ts';

const INTRO = [
  'What `GET /metrics` of a running daemon serves to Prometheus; how to set that up: [monitoring](../monitoring.md).',
  'A histogram has the series `_bucket`, `_sum` and `_count`. In brackets: type and labels. What is not known has no sample.',
].join('\n');

/** Every metric of a running daemon. */
export function prometheusPage(): Page {
  const lines = (Object.entries(METRICS) as [string, MetricDefinition][]).map(
    ([name, { type, help, labels = [] }]) => `- \`${name}\` (${[type, ...labels.map((label) => `\`${label}\``)].join(', ')}): ${help}`,
  );
  return page('prometheus', 'Metrics for Prometheus', `${INTRO}\n\n${lines.join('\n')}`);
}

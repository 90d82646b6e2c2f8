import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Decision } from '#domain/decision.ts';
import { isSkippedQuietly } from '#domain/schedule.ts';
import type { Timers } from '#ports/timers.ts';
import { METRICS, type MetricDefinition, type MetricName } from './catalog.ts';
import type { MetricSample, MetricSources } from './samples.ts';

type Labels = Readonly<Record<string, string>>;
/** The metrics of a kind that no `read` fills. */
type CountedHere<Kind extends MetricDefinition['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name] extends { readonly type: Kind; readonly read?: undefined } ? Name : never;
}[MetricName];

const DEFINITIONS = Object.entries(METRICS) as [MetricName, MetricDefinition][];
/** Maximum number of uncounted rows. */
const MAX_WAITING = 10_000;

/**
 * The metrics of a run for Prometheus. On the path of orders a row is only added to a list. Rows are counted on request
 * or once a second, whichever comes first. Metrics with `read` are read on request.
 */
export class RunMetrics {
  private readonly registry = new Registry();
  private readonly metrics = new Map<MetricName, Counter | Gauge | Histogram>();
  private rows: Decision[] = [];
  private commits: number[] = [];
  /** When each open order was decided and sent, in milliseconds. */
  private readonly open = new Map<string, { readonly decidedAt: number; sentAt: number | undefined }>();

  constructor() {
    for (const [name, definition] of DEFINITIONS) {
      const { type, help, labels = [] } = definition;
      const options = { name, help, labelNames: [...labels], registers: [this.registry] };
      if (type === 'histogram') this.metrics.set(name, new Histogram({ ...options, buckets: [...definition.buckets] }));
      else this.metrics.set(name, type === 'counter' ? new Counter(options) : new Gauge(options));
    }
  }

  /** Takes journaled rows, with the duration of a commit. Cheap. */
  journaled(decisions: readonly Decision[], tookMs?: number): void {
    if (this.rows.length < MAX_WAITING) for (const one of decisions) this.rows.push(one);
    if (tookMs !== undefined && this.commits.length < MAX_WAITING) this.commits.push(tookMs);
  }

  /** Runs and measures the journaling of webhooks. */
  takingWebhooks<Result>(timers: Pick<Timers, 'monotonicMs'>, take: () => Result): Result {
    const from = timers.monotonicMs();
    const result = take();
    this.observe('kairos_webhook_journal_seconds', timers.monotonicMs() - from);
    return result;
  }

  /** Counts waiting rows. */
  count(): void {
    const { rows, commits } = this;
    this.rows = [];
    this.commits = [];
    for (const row of rows) this.countRow(row);
    for (const ms of commits) this.observe('kairos_journal_commit_seconds', ms);
  }

  /** Everything in the format of Prometheus. */
  async text(looked: MetricSources): Promise<{ readonly type: string; readonly text: string }> {
    this.count();
    for (const [name, definition] of DEFINITIONS) this.fill(name, definition, looked);
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }

  private countRow(row: Decision): void {
    const { kind, reason, orderId: id } = row;
    this.add('kairos_decisions_total', { kind });
    switch (row.kind) {
      case 'refused':
        // The row that ends a streak counts for all after the first.
        return this.add('kairos_refusals_total', { reason: reason ?? '' }, Math.max(1, (row.detail.repeated ?? 2) - 1));
      case 'approved':
        this.open.set(row.detail.order.id, { decidedAt: row.at, sentAt: undefined });
        return;
      case 'sent': {
        const order = id === null ? undefined : this.open.get(id);
        const sentAt = Date.parse(row.detail.sentAt);
        this.observe('kairos_order_time_left_seconds', row.detail.timeLeftMs);
        if (!order) return;
        order.sentAt = sentAt;
        return this.observe('kairos_order_stage_seconds', Math.max(0, sentAt - order.decidedAt), { stage: 'decide_to_write' });
      }
      case 'accepted':
      case 'rejected':
      case 'unknown':
        if (row.detail.roundTripMs !== null) this.observe('kairos_order_round_trip_seconds', row.detail.roundTripMs);
        return this.settled(row);
      case 'expired':
      case 'not_sent':
      case 'resolved':
        return this.settled(row);
      case 'action':
        if (isSkippedQuietly(row.detail)) return;
        return this.add('kairos_actions_total', { action: row.detail.action, status: row.detail.status });
      case 'signal':
        return this.add('kairos_signals_total', { source: row.detail.source });
      case 'notification':
        return this.add('kairos_notifications_total', { status: row.detail.status });
      default:
        return;
    }
  }

  private settled({ kind, strategy, orderId, at }: Decision): void {
    this.add('kairos_orders_total', { strategy: strategy ?? '', outcome: kind });
    const order = orderId === null ? undefined : this.open.get(orderId);
    if (order?.sentAt !== undefined) {
      this.observe('kairos_order_stage_seconds', Math.max(0, at - order.sentAt), { stage: 'write_to_settle' });
    }
    if (orderId !== null) this.open.delete(orderId);
  }

  /** Replaces the samples of a metric by what is read. */
  private fill(name: MetricName, { read }: MetricDefinition, looked: MetricSources): void {
    const metric = this.metrics.get(name);
    if (read === undefined || metric === undefined || metric instanceof Histogram) return;
    metric.reset();
    const found = read(looked);
    const samples: readonly MetricSample[] = typeof found === 'object' && found !== null ? found : [[found]];
    for (const [value, ...labels] of samples) {
      // One without labels is 0 from its reset on.
      if (value === null || Number.isNaN(value)) metric.remove(...labels);
      else if (metric instanceof Gauge) metric.labels(...labels).set(value);
      else metric.labels(...labels).inc(value);
    }
  }

  private add(name: CountedHere<'counter'>, labels: Labels, by = 1): void {
    const metric = this.metrics.get(name);
    if (metric instanceof Counter && Number.isFinite(by)) metric.inc(labels, by);
  }

  private observe(name: CountedHere<'histogram'>, ms: number, labels: Labels = {}): void {
    const metric = this.metrics.get(name);
    if (Number.isFinite(ms) && metric instanceof Histogram) metric.observe(labels, ms / 1000);
  }
}

import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Decision } from '#domain/decision.ts';
import type { Timers } from '#ports/timers.ts';
import type { StateView } from '#server/page/view.ts';
import { METRICS, type MetricDefinition, type MetricName } from './catalog.ts';

/** What is on the disks: bytes, and the wall time of the newest backup. Null: it cannot be read, or there is none. */
export interface DiskUsage {
  readonly freeBytes: ReadonlyMap<string, number | null>;
  readonly journalBytes: number;
  readonly backupAt: number | null;
}

/** What metrics are read from, besides the state. */
interface MetricSources {
  readonly state: StateView;
  readonly journalBusy: boolean;
  readonly lagP99Ms: number;
  readonly pageClients: number;
  /** The kind of each resource that keeps the loop alive. */
  readonly resources: readonly string[];
  readonly listeners: number;
  readonly stored: DiskUsage;
  /** The channels of alerts, and whether each delivers. */
  readonly channels: ReadonlyMap<string, boolean>;
  /** Wall time of the watcher's last look; null where none has looked. */
  readonly watchedAt: number | null;
}

type Labels = Readonly<Record<string, string>>;
type MetricOfKind<Kind extends MetricDefinition['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Kind ? Name : never;
}[MetricName];

/** Maximum number of uncounted rows. */
const MAX_WAITING = 10_000;

/**
 * The metrics of a run for Prometheus. On the path of orders a row is only added to a list. Rows are counted on request
 * or once a second, whichever comes first. Everything else is read on request.
 */
export class RunMetrics {
  private readonly registry = new Registry();
  private readonly metrics = new Map<MetricName, Counter | Gauge | Histogram>();
  private rows: Decision[] = [];
  private commits: number[] = [];
  /** When each open order was decided and sent, in milliseconds. */
  private readonly open = new Map<string, { readonly decidedAt: number; sentAt: number | undefined }>();

  constructor() {
    for (const [name, definition] of Object.entries(METRICS) as [MetricName, MetricDefinition][]) {
      const { type, help, labels = [], buckets } = definition;
      const options = { name, help, labelNames: [...labels], registers: [this.registry] };
      if (type === 'histogram') this.metrics.set(name, new Histogram({ ...options, buckets: [...(buckets ?? [])] }));
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
    this.inspect(looked);
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

  private inspect({ state, journalBusy, lagP99Ms, pageClients, resources, listeners, stored, channels, watchedAt }: MetricSources): void {
    for (const [name, { type, fromState }] of Object.entries(METRICS) as [MetricName, MetricDefinition][]) {
      if (type === 'gauge' || fromState) this.metrics.get(name)?.reset();
    }
    this.lookAtTrading(state);
    this.lookAtLanes(state);
    for (const { source, ageMs, refused } of state.signals) {
      this.set('kairos_signal_age_seconds', seconds(ageMs), { source });
      for (const [cause, count] of Object.entries(refused)) this.add('kairos_signals_refused_total', { source, cause }, count);
    }
    this.lookAtMoney(state);
    this.set('kairos_journal_busy', journalBusy ? 1 : 0);
    this.set('kairos_event_loop_lag_seconds', lagP99Ms / 1000);
    this.set('kairos_page_clients', pageClients);
    for (const [kind, those] of Map.groupBy(resources, (one) => one)) this.set('kairos_active_resources', those.length, { kind });
    this.set('kairos_process_listeners', listeners);
    for (const [channel, works] of channels) this.set('kairos_alert_channel_failing', works ? 0 : 1, { channel });
    this.set('kairos_watcher_timestamp_seconds', seconds(watchedAt));
    this.lookAtStored(stored);
    this.lookAtProcess(state);
  }

  private lookAtStored({ freeBytes, journalBytes, backupAt }: DiskUsage): void {
    for (const [folder, bytes] of freeBytes) this.set('kairos_disk_free_bytes', bytes, { folder });
    this.set('kairos_journal_size_bytes', journalBytes);
    this.set('kairos_backup_timestamp_seconds', seconds(backupAt));
  }

  private lookAtTrading({ version, mode, run, notReady, trading, orders, strategies, limits, time }: StateView): void {
    this.set('kairos_info', 1, { mode, version, run });
    this.set('kairos_ready', notReady.length === 0 ? 1 : 0);
    for (const name of ['ACTIVE', 'REDUCING', 'DISARMED', 'HALTED'])
      this.set('kairos_trading_state', name === trading ? 1 : 0, { state: name });
    for (const name of ['intent', 'sent', 'unknown']) {
      this.set('kairos_orders_open', orders.filter((order) => order.state === name).length, { state: name });
    }
    for (const { id, paused, disabled } of strategies) {
      this.set('kairos_strategy_stopped', paused ? 1 : 0, { strategy: id, how: 'paused' });
      this.set('kairos_strategy_stopped', disabled ? 1 : 0, { strategy: id, how: 'disabled' });
    }
    for (const { name, scope, unit, share } of limits) this.set('kairos_limit_used_ratio', share, { limit: name, scope, unit });
    this.set('kairos_clock_offset_seconds', seconds(time.offsetMs));
    this.set('kairos_clock_half_width_seconds', seconds(time.halfWidthMs));
    this.set('kairos_clock_age_seconds', seconds(time.ageMs));
  }

  private lookAtLanes({ lanes, strategies }: StateView): void {
    const standing = new Set(strategies.map(({ lane }) => lane));
    for (const { lane, phase, untradable, quotes, refused, ageMs, timeLeftMs, spreadPct, epoch } of lanes) {
      this.add('kairos_lanes', { phase });
      if (untradable !== null) this.add('kairos_lanes_untradable', { reason: untradable });
      if (!standing.has(lane)) continue;
      this.add('kairos_quotes_total', { lane }, quotes);
      this.add('kairos_quotes_refused_total', { lane }, refused);
      this.add('kairos_lane_subscriptions_total', { lane }, epoch);
      this.set('kairos_quote_age_seconds', seconds(ageMs), { lane });
      this.set('kairos_quote_time_left_seconds', seconds(timeLeftMs), { lane });
      this.set('kairos_quote_spread_percent', spreadPct, { lane });
    }
  }

  private lookAtMoney({ money, strategies }: StateView): void {
    const { currency } = money;
    this.set('kairos_equity', money.equity, { currency });
    this.set('kairos_profit', money.profit, { currency });
    this.set('kairos_profit_of_day', money.profitOfDay, { currency });
    this.set('kairos_drawdown_ratio', money.drawdownPct === null ? null : money.drawdownPct / 100);
    for (const unrated of money.unrated) {
      const made = money.made.find((one) => one.currency === unrated);
      this.set('kairos_profit_left_out', made ? made.profit : 0, { currency: unrated });
    }
    for (const product of money.unpriced) this.set('kairos_product_unpriced', 1, { product });
    for (const { id, legs, made, ...own } of strategies) {
      for (const { product, position } of [own, ...legs]) this.set('kairos_position', Number(position), { strategy: id, product });
      for (const { profit, ...inOne } of made) this.set('kairos_strategy_profit', profit, { strategy: id, ...inOne });
    }
  }

  private lookAtProcess({ startedAt }: StateView): void {
    const { rss, heapUsed, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    this.set('process_resident_memory_bytes', rss);
    this.set('nodejs_heap_size_used_bytes', heapUsed);
    this.set('nodejs_external_memory_bytes', external);
    this.add('process_cpu_seconds_total', {}, (user + system) / 1e6);
    this.set('process_start_time_seconds', Date.parse(startedAt) / 1000);
  }

  /** Sets a gauge; an unknown value has no sample. */
  private set(name: MetricOfKind<'gauge'>, value: number | null, labels: Labels = {}): void {
    const metric = this.metrics.get(name);
    if (value !== null && Number.isFinite(value) && metric instanceof Gauge) metric.set(labels, value);
  }

  private add(name: MetricOfKind<'counter' | 'gauge'>, labels: Labels, by = 1): void {
    const metric = this.metrics.get(name);
    if (Number.isFinite(by) && (metric instanceof Counter || metric instanceof Gauge)) metric.inc(labels, by);
  }

  private observe(name: MetricOfKind<'histogram'>, ms: number, labels: Labels = {}): void {
    const metric = this.metrics.get(name);
    if (Number.isFinite(ms) && metric instanceof Histogram) metric.observe(labels, ms / 1000);
  }
}

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

import { countsOf, inAccount, type MetricSample, perLane, perStrategy, type ReadMetric, runMs, seconds } from './samples.ts';

/**
 * One metric: its meaning and its labels. Its name in Prometheus ends in its unit, a counter's in `_total`. One with `read` is read at
 * each request of `/metrics`; `RunMetrics` counts the others as rows are journaled.
 */
export type MetricDefinition = { readonly help: string; readonly labels?: readonly string[] } & (
  | { readonly type: 'gauge'; readonly read: ReadMetric }
  | { readonly type: 'counter'; readonly read?: ReadMetric }
  /** `buckets`: their upper bounds, in its unit. */
  | { readonly type: 'histogram'; readonly buckets: readonly number[]; readonly read?: undefined }
);

/** Buckets in seconds: a round trip takes tens of milliseconds, a quote is valid for three seconds. */
const ANSWER = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 3, 5];
const DISK = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1];
const LEFT = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 6];

/**
 * Everything that `GET /metrics` serves. Labels have few values: strategies, lanes and limits of the configuration,
 * known kinds, reasons and states. Lanes acquired for one order are left out.
 */
export const METRICS = {
  kairos_info: {
    type: 'gauge',
    help: 'always 1: which Kairos and which run',
    labels: ['mode', 'version', 'run'],
    read: ({ mode, version, run }) => [[1, mode, version, run]],
  },
  kairos_ready: { type: 'gauge', help: '1 while /readyz is 200', read: ({ notReady }) => (notReady.length === 0 ? 1 : 0) },
  kairos_trading_state: {
    type: 'gauge',
    help: '1 for the state that trading is in, 0 for the others',
    labels: ['state'],
    read: ({ trading }) => ['ACTIVE', 'REDUCING', 'DISARMED', 'HALTED'].map((name) => [name === trading ? 1 : 0, name]),
  },
  kairos_decisions_total: { type: 'counter', help: 'rows of the decision journal, by kind', labels: ['kind'] },
  kairos_refusals_total: { type: 'counter', help: 'refused intents, by reason', labels: ['reason'] },
  kairos_orders_total: {
    type: 'counter',
    help: 'orders by outcome; one that is settled later counts again as resolved',
    labels: ['strategy', 'outcome'],
  },
  kairos_orders_open: {
    type: 'gauge',
    help: 'orders without a known outcome, by state',
    labels: ['state'],
    read: ({ orders }) => ['intent', 'sent', 'unknown'].map((name) => [orders.filter(({ state }) => state === name).length, name]),
  },
  kairos_order_time_left_seconds: {
    type: 'histogram',
    help: 'time that quotes had left at the first byte of their order',
    buckets: LEFT,
  },
  kairos_order_round_trip_seconds: { type: 'histogram', help: 'from the first byte of an order to the end of its answer', buckets: ANSWER },
  kairos_order_stage_seconds: {
    type: 'histogram',
    help: 'stages of an order: decide_to_write (to its first byte), write_to_settle (to its journaled outcome)',
    labels: ['stage'],
    buckets: ANSWER,
  },
  kairos_journal_commit_seconds: { type: 'histogram', help: 'commits of the decision journal, to the disk', buckets: DISK },
  kairos_journal_busy: {
    type: 'gauge',
    help: '1 while another program holds the journal',
    read: ({ journalBusy }) => (journalBusy ? 1 : 0),
  },
  kairos_event_loop_lag_seconds: {
    type: 'gauge',
    help: '99th percentile of event loop lag in the last 5 s',
    read: ({ lagP99Ms }) => seconds(lagP99Ms),
  },
  kairos_active_resources: {
    type: 'gauge',
    help: 'active resources of the event loop: timers, sockets, pipes, requests',
    ...countsOf('kind', ({ resources }) => resources),
  },
  kairos_process_listeners: {
    type: 'gauge',
    help: 'listeners on signals and other events of the process',
    read: ({ listeners }) => listeners,
  },
  kairos_quotes_total: { type: 'counter', help: 'quotes that became the latest of their lane', ...perLane(({ quotes }) => quotes) },
  kairos_quotes_refused_total: { type: 'counter', help: 'quotes refused on arrival', ...perLane(({ refused }) => refused) },
  kairos_quote_age_seconds: {
    type: 'gauge',
    help: 'time since the last quote of a lane, or the start',
    ...perLane(({ ageMs }, looked) => seconds(ageMs ?? runMs(looked))),
  },
  kairos_quote_time_left_seconds: {
    type: 'gauge',
    help: 'least time that the latest quote is still valid',
    ...perLane(({ timeLeftMs }) => seconds(timeLeftMs)),
  },
  kairos_quote_spread_percent: { type: 'gauge', help: 'spread of the latest quote of a lane', ...perLane(({ spreadPct }) => spreadPct) },
  kairos_signals_total: { type: 'counter', help: 'signals from outside that were taken', labels: ['source'] },
  kairos_signals_refused_total: {
    type: 'counter',
    help: 'signals from outside that were refused, by cause',
    labels: ['source', 'cause'],
    read: ({ signals }) =>
      signals.flatMap(({ source, refused }) => Object.entries(refused).map(([cause, count]): MetricSample => [count, source, cause])),
  },
  kairos_signal_age_seconds: {
    type: 'gauge',
    help: 'time since the last signal of a source from outside',
    labels: ['source'],
    read: ({ signals }) => signals.map(({ source, ageMs }) => [seconds(ageMs), source]),
  },
  kairos_lane_subscriptions_total: {
    type: 'counter',
    help: 'subscriptions of a lane; each after the first ended a gap',
    ...perLane(({ epoch }) => epoch),
  },
  kairos_lanes: {
    type: 'gauge',
    help: 'lanes by phase of their connection, temporary too',
    ...countsOf('phase', ({ lanes }) => lanes.map(({ phase }) => phase)),
  },
  kairos_lanes_untradable: {
    type: 'gauge',
    help: 'lanes that no order may use now, by reason',
    ...countsOf('reason', ({ lanes }) => lanes.flatMap(({ untradable }) => untradable ?? [])),
  },
  kairos_clock_offset_seconds: {
    type: 'gauge',
    help: "the service's time minus the clock of this machine",
    read: ({ time }) => seconds(time.offsetMs),
  },
  kairos_clock_half_width_seconds: {
    type: 'gauge',
    help: 'uncertainty of that offset, either side; +Inf: unknown',
    read: ({ time }) => seconds(time.halfWidthMs ?? Number.POSITIVE_INFINITY),
  },
  kairos_clock_age_seconds: {
    type: 'gauge',
    help: "time since the service's clock was last measured",
    read: ({ time }) => seconds(time.ageMs),
  },
  kairos_equity: { type: 'gauge', help: 'budgets of the strategies plus the profit of all books', ...inAccount(({ equity }) => equity) },
  kairos_profit: { type: 'gauge', help: 'profit of all books since the first run', ...inAccount(({ profit }) => profit) },
  kairos_profit_of_day: { type: 'gauge', help: 'profit since the day began (UTC)', ...inAccount(({ profitOfDay }) => profitOfDay) },
  kairos_profit_left_out: {
    type: 'gauge',
    help: 'profit in a currency without a rate, which kairos_equity and kairos_profit leave out',
    labels: ['currency'],
    read: ({ money: { unrated, made } }) =>
      unrated.map((of) => [(made.find(({ currency }) => currency === of) ?? { profit: 0 }).profit, of]),
  },
  kairos_product_unpriced: {
    type: 'gauge',
    help: '1 for a held product without a price: profit and equity leave its quote currency out',
    labels: ['product'],
    read: ({ money }) => money.unpriced.map((product) => [1, product]),
  },
  kairos_drawdown_ratio: {
    type: 'gauge',
    help: 'account drawdown, 0 to 1; the largest of currencies without a rate',
    read: ({ money }) => (money.drawdownPct === null ? null : money.drawdownPct / 100),
  },
  kairos_strategy_profit: {
    type: 'gauge',
    help: 'profit of a strategy since the first run, open positions included',
    labels: ['strategy', 'currency'],
    read: ({ strategies }) =>
      strategies.flatMap(({ id, made }) => made.map(({ profit, currency }): MetricSample => [profit, id, currency])),
  },
  kairos_position: {
    type: 'gauge',
    help: 'position of a strategy, in base currency; short is negative',
    labels: ['strategy', 'product'],
    read: ({ strategies }) =>
      strategies.flatMap(({ id, legs, ...own }) =>
        [own, ...legs].map(({ product, position }): MetricSample => [Number(position), id, product]),
      ),
  },
  kairos_strategy_stopped: {
    type: 'gauge',
    help: '1 while a strategy is paused or disabled',
    labels: ['strategy', 'how'],
    // What the settings leave out is stopped on purpose, for good.
    read: ({ strategies }) =>
      strategies.flatMap(({ id, paused, disabled, enabled }): MetricSample[] => [
        [paused ? 1 : 0, id, 'paused'],
        [disabled && enabled ? 1 : 0, id, 'disabled'],
      ]),
  },
  kairos_strategy_asked_total: {
    type: 'counter',
    help: 'how often a strategy was asked to decide',
    ...perStrategy(({ counts }) => counts.asked),
  },
  kairos_limit_used_ratio: {
    type: 'gauge',
    help: 'share of a limit that is used; 1 is reached',
    labels: ['limit', 'scope', 'unit'],
    read: ({ limits }) => limits.map(({ name, scope, unit, share }) => [share, name, scope, unit]),
  },
  kairos_actions_total: {
    type: 'counter',
    help: 'actions of schedule, halt or persons, by outcome; skipped: missed with alert',
    labels: ['action', 'status'],
  },
  kairos_notifications_total: { type: 'counter', help: 'webhooks accepted, by outcome', labels: ['status'] },
  kairos_webhook_journal_seconds: {
    type: 'histogram',
    help: "time from a webhook's arrival at the engine to its row in the journal",
    buckets: DISK,
  },
  kairos_alert_channel_failing: {
    type: 'gauge',
    help: '1 while alerts do not reach a channel',
    labels: ['channel'],
    read: ({ channels }) => [...channels].map(([channel, works]) => [works ? 0 : 1, channel]),
  },
  kairos_watcher_timestamp_seconds: {
    type: 'gauge',
    help: 'when kairos watch last looked, Unix time',
    read: ({ watchedAt }) => seconds(watchedAt),
  },
  kairos_disk_free_bytes: {
    type: 'gauge',
    help: 'what is free where journal and recordings are',
    labels: ['folder'],
    read: ({ stored }) => [...stored.freeBytes].map(([folder, bytes]) => [bytes, folder]),
  },
  kairos_journal_size_bytes: { type: 'gauge', help: 'the journal with its write-ahead log', read: ({ stored }) => stored.journalBytes },
  kairos_backup_timestamp_seconds: {
    type: 'gauge',
    help: 'when the newest backup was made, Unix time',
    read: ({ stored }) => seconds(stored.backupAt),
  },
  kairos_page_clients: { type: 'gauge', help: 'open pages that receive live updates', read: ({ pageClients }) => pageClients },
  process_resident_memory_bytes: { type: 'gauge', help: 'resident memory of the process', read: () => process.memoryUsage.rss() },
  process_cpu_seconds_total: {
    type: 'counter',
    help: 'user and system time of the process',
    read: () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'when the run began, Unix time',
    read: ({ startedAt }) => Date.parse(startedAt) / 1000,
  },
  nodejs_heap_size_used_bytes: { type: 'gauge', help: 'heap in use of the main thread', read: () => process.memoryUsage().heapUsed },
  nodejs_external_memory_bytes: { type: 'gauge', help: 'memory of buffers and native objects', read: () => process.memoryUsage().external },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof METRICS;

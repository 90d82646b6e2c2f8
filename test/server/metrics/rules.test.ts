import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ALERT_EVENTS } from '#adapters/alerts/alert.ts';
import { METRICS, type MetricDefinition } from '#server/metrics/catalog.ts';
import { evaluate, type Scrape, samplesIn } from '../../support/promql.ts';
import { ROOT } from '../../support/root.ts';

const file = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          annotations: z.object({ runbook_url: z.string() }),
        }),
      ),
    }),
  ),
});
const RULES = file.parse(parse(readFileSync(`${ROOT}/deploy/prometheus/alerts.yml`, 'utf8'))).groups.flatMap(({ rules }) => rules);

const MINUTE_S = 60;
const END_S = 12 * 3600;

/** What was scraped each minute for twelve hours; `now` is how many minutes are left then. */
const scraped = (text: (left: number) => string): readonly Scrape[] =>
  Array.from({ length: END_S / MINUTE_S + 1 }, (_, n) => ({
    at: n * MINUTE_S,
    samples: samplesIn(text(END_S / MINUTE_S - n)).map((one) => ({ ...one, labels: { ...one.labels, job: 'kairos', instance: 'bot' } })),
  }));

/** Whether a rule fires at the end, having held for as long as it asks. */
function fires(alert: string, text: (left: number) => string): boolean {
  const rule = RULES.find((one) => one.alert === alert);
  if (!rule) throw new Error(`there is no rule ${alert}`);
  const scrapes = scraped(text);
  const holdsS = Number.parseInt(rule.for ?? '0', 10) * ({ s: 1, m: 60, h: 3600 }[rule.for?.at(-1) ?? 's'] ?? 0);
  const times = Array.from({ length: Math.ceil(holdsS / MINUTE_S) + 1 }, (_, n) => END_S - n * MINUTE_S);
  return times.every((at) => {
    const value = evaluate(rule.expr, scrapes, at);
    return typeof value !== 'number' && value.length > 0;
  });
}

const since = (minutes: number, then: string, before: string) => (left: number) => (left <= minutes ? then : before);
/** A histogram whose every new value lies under `le`. */
const bucket = (name: string, le: number) => (left: number) => {
  const count = 10_000 - 10 * left;
  return [`${name}_bucket{le="${le}"} ${count}`, `${name}_bucket{le="+Inf"} ${count}`].join('\n');
};

/** What makes each rule fire, and what is near it and does not. A rule without a row fails. */
const CASES: Readonly<Record<string, { readonly on: (left: number) => string; readonly off: (left: number) => string }>> = {
  KairosDown: { on: since(1, 'up 0', 'up 1'), off: since(0, 'up 0', 'up 1') },
  KairosHalted: {
    on: since(0, 'kairos_trading_state{state="HALTED"} 1', ''),
    off: () => 'kairos_trading_state{state="HALTED"} 0\nkairos_trading_state{state="REDUCING"} 1',
  },
  KairosReducing: {
    on: since(0, 'kairos_trading_state{state="DISARMED"} 1', ''),
    off: () => 'kairos_trading_state{state="DISARMED"} 0\nkairos_trading_state{state="HALTED"} 1',
  },
  KairosUnknownOrder: {
    on: since(0, 'kairos_orders_open{state="unknown"} 1', 'kairos_orders_open{state="unknown"} 0'),
    off: () => 'kairos_orders_open{state="unknown"} 0\nkairos_orders_open{state="sent"} 3',
  },
  KairosNotReady: { on: since(6, 'kairos_ready 0', 'kairos_ready 1'), off: since(4, 'kairos_ready 0', 'kairos_ready 1') },
  KairosFeedSilent: { on: () => 'kairos_quote_age_seconds{lane="a"} 31', off: () => 'kairos_quote_age_seconds{lane="a"} 30' },
  KairosFeedUnsteady: {
    on: (left) => `kairos_lane_subscriptions_total{lane="a"} ${1000 - left}`,
    off: (left) => `kairos_lane_subscriptions_total{lane="a"} ${1000 - Math.floor(left / 10)}`,
  },
  KairosLimitNear: {
    on: () => 'kairos_limit_used_ratio{limit="risk.maxDayLoss",scope="all",unit="usd"} 0.81',
    off: () => 'kairos_limit_used_ratio{limit="risk.maxOrdersPerMinute",scope="all",unit=""} 0.99',
  },
  KairosStrategyDisabled: {
    on: since(0, 'kairos_strategy_stopped{strategy="a",how="disabled"} 1', ''),
    off: () => 'kairos_strategy_stopped{strategy="a",how="paused"} 1',
  },
  KairosOrdersLate: { on: bucket('kairos_order_time_left_seconds', 0.25), off: bucket('kairos_order_time_left_seconds', 1) },
  KairosClockUnsure: {
    // Nothing is known of an age then.
    on: () => 'kairos_clock_half_width_seconds +Inf',
    off: () => 'kairos_clock_age_seconds 9\nkairos_clock_half_width_seconds 0.5',
  },
  KairosJournalSlow: { on: bucket('kairos_journal_commit_seconds', 0.25), off: bucket('kairos_journal_commit_seconds', 0.05) },
  KairosLoopLate: { on: () => 'kairos_event_loop_lag_seconds 0.2', off: () => 'kairos_event_loop_lag_seconds 0.01' },
  KairosScheduleMissed: {
    // The first of its kind in a run has no earlier sample.
    on: since(0, 'kairos_actions_total{action="bot.backup",status="failed"} 1', ''),
    off: since(0, 'kairos_actions_total{action="remote.pause",status="unverified"} 1', ''),
  },
  KairosMemoryGrows: {
    on: (left) => `process_resident_memory_bytes ${1e9 - 1e6 * left}`,
    off: () => 'process_resident_memory_bytes 400000000',
  },
  KairosDiskLow: { on: () => 'kairos_disk_free_bytes{folder="/srv"} 9e8', off: () => 'kairos_disk_free_bytes{folder="/srv"} 2e9' },
  KairosBackupOld: {
    on: () => `kairos_backup_timestamp_seconds ${END_S - 172_801}`,
    off: () => `kairos_backup_timestamp_seconds ${END_S - 172_800}`,
  },
  KairosUnwatched: {
    // A daemon that restarts has no sample until somebody looks.
    on: since(30, 'kairos_ready 0', `kairos_watcher_timestamp_seconds ${END_S - 1801}\nkairos_ready 1`),
    off: since(30, '', `kairos_watcher_timestamp_seconds ${END_S - 1801}\nkairos_ready 1`),
  },
  KairosAlertsFail: {
    on: since(0, 'kairos_alert_channel_failing{channel="ntfy"} 1', 'kairos_alert_channel_failing{channel="ntfy"} 0'),
    off: () => 'kairos_alert_channel_failing{channel="ntfy"} 0',
  },
};

describe('each rule of Prometheus', () => {
  test.each(RULES.map(({ alert }) => alert))('%s fires where it should, and not beside that', (alert) => {
    const { on, off } = CASES[alert] ?? { on: () => '', off: () => '' };
    expect(fires(alert, on)).toBe(true);
    expect(fires(alert, off)).toBe(false);
  });

  test('is made to fire by series that a daemon serves', () => {
    const definitions = new Map<string, MetricDefinition>(Object.entries(METRICS));
    const series = Object.values(CASES).flatMap(({ on, off }) => samplesIn(`${on(0)}\n${off(0)}`));
    const unknown = series.filter(({ labels: { __name__: name = '', le: _, ...labels } }) => {
      const one = definitions.get(name.replace(/_bucket$/, ''));
      return name !== 'up' && (!one || Object.keys(labels).toString() !== (one.labels ?? []).toString());
    });
    expect(unknown).toEqual([]);
  });

  test('time that was measured long ago is as good as unknown', () => {
    expect(fires('KairosClockUnsure', () => 'kairos_clock_half_width_seconds 0.5\nkairos_clock_age_seconds 241')).toBe(true);
  });

  test('a second event of a counter that was there fires as well, an old one no more', () => {
    const failed = (count: number) => `kairos_actions_total{action="bot.backup",status="failed"} ${count}`;
    expect(fires('KairosScheduleMissed', since(0, failed(2), failed(1)))).toBe(true);
    expect(fires('KairosScheduleMissed', since(60, failed(2), failed(1)))).toBe(false);
  });
});

describe('the runbook', () => {
  const sections = readFileSync(`${ROOT}/docs/runbook.md`, 'utf8').split(/^## /m).slice(1);
  const codesIn = (section: string): readonly string[] =>
    [...(section.split('\n')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, code = '']) => code);

  test('has one entry for each alert and each rule, and for nothing else', () => {
    expect(sections.flatMap(codesIn).sort()).toEqual([...Object.keys(ALERT_EVENTS), ...RULES.map(({ alert }) => alert)].sort());
  });

  test('is where each rule leads', () => {
    for (const { alert, annotations } of RULES) {
      const section = sections.find((one) => codesIn(one).includes(alert));
      const anchor = section?.split('\n')[0]?.toLowerCase().replaceAll(' ', '-');
      expect(annotations.runbook_url, alert).toBe(`docs/runbook.md#${anchor}`);
    }
  });
});

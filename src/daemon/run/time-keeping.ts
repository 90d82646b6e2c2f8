import { ClockKeeper, type ClockKeeperOptions } from '#adapters/service-client/clock/clock-keeper.ts';
import { type ClockSource, DateSource, SystemSource } from '#adapters/service-client/clock/clock-source.ts';
import { DateSampler } from '#adapters/service-client/clock/date-samples.ts';
import { LagWindow } from '#adapters/time/lag-window.ts';
import type { Service } from '#assembly/service.ts';
import type { ClockSettings } from '#config/settings.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { ExecutionReport } from '#domain/execution-report.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

/** Assumed error of an NTP-synchronized clock, in milliseconds. */
const SYSTEM_HALF_WIDTH_MS = 1000;

interface TimeKeepingOptions extends Omit<ClockKeeperOptions, 'source'> {
  /** True if the service has the clock of this machine. */
  readonly isSameClock: boolean;
  readonly settings: ClockSettings;
  readonly service: Pick<Service, 'baseUrl' | 'settings' | 'network'>;
  /** Called with the round trips of harmless requests to the service. */
  readonly onRoundTrip?: ((roundTripMs: number) => void) | undefined;
}

/** How often the lag of the event loop is measured. */
export const LAG_PERIOD_MS = 20;
const JUDGE_MS = 500;

/** All measurements of time of a run: the service's clock, this machine's clocks, and the lag of the loop. */
export class TimeKeeping {
  readonly serviceClock: ClockKeeper;
  private readonly lag: LagMonitor;
  /** Measures round trips if the service's time is not measured. */
  private readonly probe: DateSampler | null;

  /** Throws CONFIG_INVALID for an address or a path that cannot be used. */
  constructor({ settings, service, isSameClock, onRoundTrip, ...rest }: TimeKeepingOptions) {
    this.serviceClock = new ClockKeeper({ ...rest, source: sourceOf(settings, service, { ...rest, isSameClock, onRoundTrip }) });
    this.probe = onRoundTrip && settings.source === 'system' ? probeOf(service, rest.timers, onRoundTrip) : null;
    this.lag = new LagMonitor(rest.timers, rest.post);
  }

  start(): void {
    this.serviceClock.start();
    this.lag.start();
    this.probe?.burst();
  }

  /** Lag of the event loop's timers in milliseconds, as the 99th percentile of the last 5 s. */
  get lagP99Ms(): number {
    return this.lag.p99Ms;
  }

  /** Takes a report: a refusal of key, time or signature may mean that the time is wrong (F07). */
  reported(report: ExecutionReport): void {
    if (report.type === 'answered' && report.httpStatus === 401) this.serviceClock.resync();
  }

  /** Idempotent. */
  async stop(): Promise<void> {
    this.lag.stop();
    await this.probe?.close();
    await this.serviceClock.stop();
  }
}

function sourceOf(
  { source }: ClockSettings,
  service: TimeKeepingOptions['service'],
  {
    timers,
    notice,
    isSameClock,
    onRoundTrip,
  }: Pick<ClockKeeperOptions, 'timers' | 'notice'> & Pick<TimeKeepingOptions, 'isSameClock' | 'onRoundTrip'>,
): ClockSource {
  if (source === 'date')
    return new DateSource({
      baseUrl: service.baseUrl,
      service: service.settings,
      dial: service.network?.dial,
      timers,
      notice,
      onRoundTrip,
    });
  return new SystemSource(timers, isSameClock ? 0 : SYSTEM_HALF_WIDTH_MS);
}

function probeOf(service: TimeKeepingOptions['service'], timers: Timers, onRoundTrip: (roundTripMs: number) => void): DateSampler {
  return new DateSampler({
    baseUrl: service.baseUrl,
    service: service.settings,
    dial: service.network?.dial,
    timers,
    guess: () => ({ offsetMs: 0, halfWidthMs: 0 }),
    sample: ({ sentMs, receivedMs }) => onRoundTrip(receivedMs - sentMs),
    refused() {},
  });
}

/** Measures the lag of the event loop's timers, and reports to the engine when it becomes too large and when it ends (F64). */
export class LagMonitor {
  private readonly timers: Timers;
  private readonly post: (event: InboxEvent) => void;
  private readonly window = new LagWindow();
  private stopMeasuring: Cancel = () => {};
  private lastMs = 0;
  private judgedMs = 0;
  private isLate = false;

  constructor(timers: Timers, post: (event: InboxEvent) => void) {
    this.timers = timers;
    this.post = post;
  }

  /** The 99th percentile of the last 5 s. */
  get p99Ms(): number {
    return this.window.p99(this.timers.monotonicMs());
  }

  start(): void {
    this.lastMs = this.timers.monotonicMs();
    this.judgedMs = this.lastMs;
    this.stopMeasuring = this.timers.every(LAG_PERIOD_MS, () => this.measure());
  }

  stop(): void {
    this.stopMeasuring();
  }

  private measure(): void {
    const now = this.timers.monotonicMs();
    this.window.add(now, Math.max(0, now - this.lastMs - LAG_PERIOD_MS));
    this.lastMs = now;
    if (now - this.judgedMs < JUDGE_MS) return;
    this.judgedMs = now;
    const p99 = this.window.p99(now);
    const late = this.window.judge(p99);
    if (late === this.isLate) return;
    this.isLate = late;
    this.post({ kind: 'condition', name: 'lag', on: late, figure: Math.round(p99) });
  }
}

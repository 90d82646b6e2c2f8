import { ClockKeeper, type ClockKeeperOptions } from '#adapters/service/clock/clock-keeper.ts';
import { type ClockSource, DateSource, SystemSource } from '#adapters/service/clock/clock-source.ts';
import { DateSampler } from '#adapters/service/clock/date-samples.ts';
import { serviceAddress } from '#adapters/service/rest/service-address.ts';
import type { Service } from '#apps/assembly/service.ts';
import type { ClockSettings } from '#config/settings.ts';
import type { ExecutionReport } from '#domain/execution-report.ts';
import type { Timers } from '#ports/timers.ts';
import { LagMonitor } from './lag-monitor.ts';

/** How far NTP is trusted to keep this machine's clock right. */
const SYSTEM_HALF_WIDTH_MS = 1000;

interface TimeKeepingOptions extends Omit<ClockKeeperOptions, 'source'> {
  readonly settings: ClockSettings;
  readonly service: Pick<Service, 'baseUrl' | 'settings'>;
  /** Told how long harmless requests to the service take, where somebody wants to know. */
  readonly onRoundTrip?: ((roundTripMs: number) => void) | undefined;
}

/** All that a run measures of time itself: the service's clock, this machine's clocks, and how late the loop is. */
export class TimeKeeping {
  readonly serviceClock: ClockKeeper;
  private readonly lag: LagMonitor;
  /** Asks the service only for how long that takes, where its time is not asked for. */
  private readonly probe: DateSampler | null;

  /** Throws CONFIG_INVALID for an address or a path that cannot be used. */
  constructor({ settings, service, onRoundTrip, ...rest }: TimeKeepingOptions) {
    this.serviceClock = new ClockKeeper({ ...rest, source: sourceOf(settings, service, { ...rest, onRoundTrip }) });
    this.probe = onRoundTrip && settings.source === 'system' ? probeOf(service, rest.timers, onRoundTrip) : null;
    this.lag = new LagMonitor(rest.timers, rest.post);
  }

  start(): void {
    this.serviceClock.start();
    this.lag.start();
    this.probe?.burst();
  }

  /** How late the event loop comes to its timers, at the 99th percentile of the last 5 s. */
  get lagP99Ms(): number {
    return this.lag.p99Ms;
  }

  /** A refusal of key, time or signature may mean that the time is wrong (F07). */
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

/** A service on loopback is on this very machine, so that its clock is ours. */
function sourceOf(
  { source }: ClockSettings,
  service: TimeKeepingOptions['service'],
  { timers, notice, onRoundTrip }: Pick<ClockKeeperOptions, 'timers' | 'notice'> & Pick<TimeKeepingOptions, 'onRoundTrip'>,
): ClockSource {
  if (source === 'date') return new DateSource({ baseUrl: service.baseUrl, service: service.settings, timers, notice, onRoundTrip });
  return new SystemSource(timers, serviceAddress(service.baseUrl).loopback ? 0 : SYSTEM_HALF_WIDTH_MS);
}

function probeOf(service: TimeKeepingOptions['service'], timers: Timers, onRoundTrip: (roundTripMs: number) => void): DateSampler {
  return new DateSampler({
    baseUrl: service.baseUrl,
    service: service.settings,
    timers,
    guess: () => ({ offsetMs: 0, halfWidthMs: 0 }),
    sample: ({ sentMs, receivedMs }) => onRoundTrip(receivedMs - sentMs),
    refused() {},
  });
}

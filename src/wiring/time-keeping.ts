import type { BrokerReport } from '../domain/report.ts';
import { serviceAddress } from '../wire/service-address.ts';
import { ClockKeeper, type ClockKeeperOptions } from './clock-keeper.ts';
import { type ClockSource, DateSource, SystemSource } from './clock-source.ts';
import type { ClockSettings } from './config/settings.ts';
import { LagMonitor } from './lag-monitor.ts';
import type { Service } from './service.ts';

/** How far NTP is trusted to keep this machine's clock right. */
const SYSTEM_HALF_WIDTH_MS = 1000;

export interface TimeKeepingOptions extends Omit<ClockKeeperOptions, 'source'> {
  readonly settings: ClockSettings;
  readonly service: Pick<Service, 'baseUrl' | 'settings'>;
}

/** All that a run measures of time itself: the service's clock, this machine's clocks, and how late the loop is. */
export class TimeKeeping {
  readonly serviceClock: ClockKeeper;
  private readonly lag: LagMonitor;

  /** Throws CONFIG_INVALID for an address or a path that cannot be used. */
  constructor({ settings, service, ...rest }: TimeKeepingOptions) {
    this.serviceClock = new ClockKeeper({ ...rest, source: sourceOf(settings, service, rest) });
    this.lag = new LagMonitor(rest.timers, rest.post);
  }

  start(): void {
    this.serviceClock.start();
    this.lag.start();
  }

  /** A refusal of key, time or signature may mean that the time is wrong (F07). */
  reported(report: BrokerReport): void {
    if (report.type === 'answered' && report.httpStatus === 401) this.serviceClock.resync();
  }

  /** Idempotent. */
  async stop(): Promise<void> {
    this.lag.stop();
    await this.serviceClock.stop();
  }
}

/** A service on loopback is on this very machine, so that its clock is ours. */
function sourceOf(
  { source }: ClockSettings,
  service: TimeKeepingOptions['service'],
  { timers, notice }: Pick<ClockKeeperOptions, 'timers' | 'notice'>,
): ClockSource {
  if (source === 'date') return new DateSource({ baseUrl: service.baseUrl, service: service.settings, timers, notice });
  return new SystemSource(timers, serviceAddress(service.baseUrl).loopback ? 0 : SYSTEM_HALF_WIDTH_MS);
}

import type { Logger } from 'pino';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { onStarterGone, STARTER_GONE } from '#assembly/starter.ts';
import { type KairosError, messageOf } from '#domain/errors.ts';
import type { Daemon } from './daemon.ts';
import { Ending } from './ending.ts';
import type { UncaughtKind } from './strategy-faults.ts';
import type { Alerts } from './threads/alerts.ts';

/** Two SIGINTs within this time are one press of Ctrl-C, in milliseconds: npm passes on what the terminal has sent already. */
const SAME_PRESS_MS = 250;

/**
 * The end of a daemon's process: SIGINT and SIGTERM stop it in good order, a second one at once, and so does an uncaught
 * error. The watchdog cuts an end that hangs. SIGUSR1 and SIGUSR2 halt trading. Closing the terminal ends nothing: positions stay managed, and a person is alerted if
 * possible.
 */
export class ProcessEnd {
  /** For the watchdog of each daemon. */
  readonly ending = new Ending();
  /** The running daemon. */
  daemon: Daemon | undefined;
  private readonly parts: { readonly log: Logger; readonly alerts: Alerts };
  private readonly over = Promise.withResolvers<number>();
  private code: number | undefined;
  private isUnattended = false;

  constructor(parts: { readonly log: Logger; readonly alerts: Alerts }) {
    this.parts = parts;
    const uncaught = (how: UncaughtKind) => (error: unknown) => (this.daemon ? this.daemon.uncaught(error, how) : this.fault(error));
    process.on('uncaughtException', uncaught('exception'));
    process.on('unhandledRejection', uncaught('rejection'));
    this.onSignals();
    process.on('SIGHUP', () => this.unattended('SIGHUP: its terminal was closed'));
    onStarterGone(() => {
      if (this.isAsked) return;
      parts.log.info(`${STARTER_GONE}: stopping; no order goes out from now on`);
      this.stop('kairos', STARTER_GONE, 0);
    });
    // Without a listener SIGUSR1 opens Node's debugger to whoever is on this machine.
    for (const who of ['SIGUSR1', 'SIGUSR2']) process.on(who, () => this.daemon?.halt({ who, why: 'a signal asked for it' }));
  }

  /** Resolves to the exit code once the daemon has stopped. */
  get reached(): Promise<number> {
    return this.over.promise;
  }

  get isAsked(): boolean {
    return this.code !== undefined;
  }

  /** Handles an uncaught error, after trading was halted. */
  readonly fault = (error: unknown): void => {
    const { log, alerts } = this.parts;
    log.fatal({ err: error }, `halted: ${messageOf(error)}`);
    alerts.failed(error);
    this.stop('kairos', messageOf(error), 1);
  };

  /** Stops in good order for an error that a restart mends, with its exit code. Does not halt. */
  readonly leave = (error: KairosError): void => {
    this.parts.alerts.notice('error', error.message);
    this.stop('kairos', error.message, error.exitCode);
  };

  /** Reports once that its output is lost, by the channels that are left. */
  unattended(why: string): void {
    if (this.isUnattended || this.isAsked) return;
    this.isUnattended = true;
    const { log, alerts } = this.parts;
    const title = `${why}; the daemon goes on as process ${process.pid}`;
    log.warn(title);
    const text = `kairos status shows what it does, kill ${process.pid} stops it in good order`;
    alerts.raise({ event: 'trouble', at: systemTimers.wallMs(), subject: 'terminal', title, text, over: false });
  }

  private stop(who: string, why: string, code: number): void {
    this.ending.begin();
    this.code ??= code;
    const done = (): void => this.over.resolve(code);
    if (this.daemon) this.daemon.stop(who, why).then(done, this.over.reject);
    else done();
  }

  private onSignals(): void {
    let firstAt: number | undefined;
    for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
      process.on(signal, () => {
        const now = systemTimers.monotonicMs();
        if (firstAt !== undefined) {
          if (now - firstAt > SAME_PRESS_MS) process.exit(code);
          return;
        }
        firstAt = now;
        this.stop(signal, 'asked to stop', 0);
        this.parts.log.info(`${signal}: stopping; no order goes out from now on`);
      });
    }
  }
}

import type { Logger } from 'pino';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { type KairosError, messageOf } from '#domain/errors.ts';
import type { Daemon } from './daemon.ts';
import type { Uncaught } from './strategy-faults.ts';
import type { Alerts } from './threads/alerts.ts';

/** A stop that takes longer is cut, so that the process manager never has to. */
const STOP_DEADLINE_MS = 10_000;

/** One press of Ctrl-C arrives twice when npm passes on what the terminal has sent to everyone already. */
const SAME_PRESS_MS = 250;

/**
 * What ends a daemon's process: SIGINT and SIGTERM in good order, a second one of them at once, and an error that nobody
 * handled. SIGUSR2 halts trading. A terminal that is closed ends nothing: positions are looked after, and a person is told where that
 * can be done.
 */
export class ProcessEnd {
  /** The daemon that runs now. */
  daemon: Daemon | undefined;
  private readonly parts: { readonly log: Logger; readonly alerts: Alerts };
  private readonly over = Promise.withResolvers<number>();
  private code: number | undefined;
  private isUnattended = false;

  constructor(parts: { readonly log: Logger; readonly alerts: Alerts }) {
    this.parts = parts;
    const uncaught = (how: Uncaught) => (error: unknown) => (this.daemon ? this.daemon.uncaught(error, how) : this.fault(error));
    process.on('uncaughtException', uncaught('exception'));
    process.on('unhandledRejection', uncaught('rejection'));
    this.onSignals();
    process.on('SIGHUP', () => this.unattended('SIGHUP: its terminal was closed'));
    process.on('SIGUSR2', () => this.daemon?.halt({ who: 'SIGUSR2', why: 'a signal asked for it' }));
  }

  /** The code to end with, once the daemon has stopped because of it. */
  get reached(): Promise<number> {
    return this.over.promise;
  }

  get isAsked(): boolean {
    return this.code !== undefined;
  }

  /** An error that nobody handled: trading is halted by now. */
  readonly fault = (error: unknown): void => {
    const { log, alerts } = this.parts;
    log.fatal({ err: error }, `halted: ${messageOf(error)}`);
    alerts.failed(error);
    this.stop('kairos', messageOf(error), 1);
  };

  /** Ends in good order for what a restart mends, with the code of the error: nothing is halted. */
  readonly leave = (error: KairosError): void => {
    const { log, alerts } = this.parts;
    log.fatal(error.message);
    alerts.failed(error);
    this.stop('kairos', error.message, error.exitCode);
  };

  /** Nobody sees what it prints any more. Told once, where anybody may still hear of it. */
  unattended(why: string): void {
    if (this.isUnattended || this.isAsked) return;
    this.isUnattended = true;
    const { log, alerts } = this.parts;
    const title = `${why}; the daemon goes on trading as process ${process.pid}`;
    log.warn(title);
    const text = `kairos status shows what it does, kill ${process.pid} stops it in good order`;
    alerts.raise({ event: 'trouble', at: systemTimers.wallMs(), subject: 'terminal', title, text, over: false });
  }

  private stop(who: string, why: string, code: number): void {
    this.code ??= code;
    const cut = systemTimers.after(STOP_DEADLINE_MS, () => process.exit(code === 0 ? 1 : code));
    const done = (): void => {
      cut();
      this.over.resolve(code);
    };
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
        this.parts.log.info(`${signal}: stopping; no order goes out from now on`);
        this.stop(signal, 'asked to stop', 0);
      });
    }
  }
}

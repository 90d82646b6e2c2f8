import { messageOf } from '../../domain/errors.ts';
import { systemTimers } from '../../time/system-timers.ts';
import { Alerts } from '../alerts/alerts.ts';
import { lookForAlerts } from '../alerts/alerts-look.ts';
import type { LoadedConfig } from '../config/load.ts';
import { createLog } from '../log.ts';
import type { Notice } from '../notice.ts';
import { PACKAGED_STRATEGIES } from '../packaged-strategies.ts';
import { keepRecordings } from '../recording/recordings-thread.ts';
import { VERSION } from '../version.ts';
import { Daemon } from './daemon.ts';

/** A stop that takes longer is cut, so that the process manager never has to. */
const STOP_DEADLINE_MS = 10_000;

/** One press of Ctrl-C arrives twice when npm passes on what the terminal has sent to everyone already. */
const SAME_PRESS_MS = 250;

/**
 * Runs the daemon until it is stopped by SIGINT or SIGTERM (returns 0), or ends itself because of a fault (returns 1).
 * A second signal ends the process at once with 130 or 143. Throws a KairosError when it cannot start.
 */
export async function runDaemon(config: LoadedConfig): Promise<number> {
  const log = createLog(config.settings);
  // Nobody who reads one line of a log should take a dry run for real trading.
  const notice: Notice = (level, text) => log[level](config.mode === 'dry' ? `DRY: ${text}` : text);
  const alerts = new Alerts({ settings: config.settings, mode: config.mode, timers: systemTimers, notice });
  const ended = Promise.withResolvers<number>();
  let daemon: Daemon | undefined;

  const stop = (who: string, why: string, code: number): void => {
    const cut = systemTimers.after(STOP_DEADLINE_MS, () => process.exit(code === 0 ? 1 : code));
    const done = (): void => {
      cut();
      ended.resolve(code);
    };
    if (daemon) daemon.stop(who, why).then(done, ended.reject);
    else done();
  };
  const onFault = (error: unknown): void => {
    log.fatal({ err: error }, `halted: ${messageOf(error)}`);
    alerts.failed(error);
    stop('kairos', messageOf(error), 1);
  };
  const uncaught = (error: unknown): void => (daemon ? daemon.fault(error) : onFault(error));
  process.on('uncaughtException', uncaught);
  process.on('unhandledRejection', uncaught);
  let firstAt: number | undefined;
  for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
    process.on(signal, () => {
      const now = systemTimers.monotonicMs();
      if (firstAt !== undefined) {
        if (now - firstAt > SAME_PRESS_MS) process.exit(code);
        return;
      }
      firstAt = now;
      log.info(`${signal}: stopping; no order goes out from now on`);
      stop(signal, 'asked to stop', 0);
    });
  }

  process.on('SIGUSR2', () => daemon?.halt({ who: 'SIGUSR2', why: 'a signal asked for it' }));

  const running = await Daemon.start({
    config,
    strategyFolders: { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES },
    timers: systemTimers,
    notice: alerts.notice,
    wrapJournal: (journal) => alerts.watchJournal(journal),
    onFault,
  });
  daemon = running;
  process.stdout.write(`${banner(config, running)}\n`);
  process.send?.('ready');
  const stopLooking = lookForAlerts({
    alerts,
    settings: config.settings,
    timers: systemTimers,
    lanes: new Set(running.lanes.map(({ id }) => id)),
    look: () => running.look(),
  });
  const { dir, keepDays } = config.settings.recording;
  const { opened } = daemon;
  const part = (): number => opened.log.part;
  const stopSealing = keepRecordings({ dir, keepDays, timers: systemTimers, notice: (level, text) => log[level](text), part });
  const code = await ended.promise;
  stopLooking();
  await alerts.close();
  await stopSealing();
  log.info('stopped');
  return code;
}

/** What runs, on what, and where to look. */
function banner(config: LoadedConfig, daemon: Daemon): string {
  const { settings, mode } = config;
  const { opened, lanes, opsUrl } = daemon;
  const { service } = opened;
  const rows: [string, string][] = [
    ['service', service.embedded ? `${service.baseUrl} (the paper venue, embedded; no real money)` : service.baseUrl],
    ['user', settings.service.userId ?? (mode === 'dry' ? 'none: quotes are anonymous' : 'none: quotes are for display only')],
    ...(mode === 'dry' ? [['orders', 'executed in this process at quotes of the service; none is sent'] as [string, string]] : []),
    ...settings.strategies.map(({ id, use, product }): [string, string] => ['strategy', `${id}: ${use} on ${product}`]),
    ['lanes', lanes.map(({ id }) => id).join(', ')],
    ['journal', `${settings.journal.path} (book ${opened.book})`],
    ['recording', settings.recording.enabled ? `${settings.recording.dir}/${opened.run}` : 'off'],
    ['control', `${opsUrl} (/healthz, /readyz, /api/state)`],
    ...(daemon.webhooksUrl === null ? [] : [['webhooks', daemon.webhooksUrl] as [string, string]]),
    ['look', 'npx kairos journal tail -f, npx kairos status; Ctrl-C stops'],
  ];
  const unknowns = opened.recovered.unknowns.length;
  if (unknowns > 0) rows.push(['attention', `${unknowns} orders of unknown outcome: npx kairos journal resolve ORDER`]);
  if (daemon.look().halted) rows.push(['attention', 'trading is HALTED: npx kairos status says why, npx kairos resume ends it']);
  if (mode === 'live' && settings.trading.arming.arm === 'auto') {
    rows.push(['attention', 'trading.arm: auto: a changed configuration trades unseen; set it to manual and use npx kairos arm']);
  }
  const head = `Kairos ${VERSION}  ${mode.toUpperCase()}  run ${opened.run}`;
  return [head, ...rows.map(([name, text]) => `  ${name.padEnd(10)} ${text}`)].join('\n');
}

import { channelNames } from '#adapters/alerts/channels.ts';
import { serviceAddress } from '#adapters/service-client/rest/service-address.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { loadTrial } from '#assembly/load-trial.ts';
import { createLog } from '#assembly/log.ts';
import { PACKAGED_STRATEGIES, VERSION } from '#assembly/package.ts';
import { typed } from '#assembly/typed.ts';
import { userName } from '#assembly/user-name.ts';
import { PACKAGED } from '#config/files.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { Settings } from '#config/settings.ts';
import { sourceFilesOf } from '#core/strategy/loader.ts';
import { feeGuess } from '#daemon/operations/fee-guess.ts';
import { tokenOfDaemon } from '#daemon/operations/ops-files.ts';
import { orphansAmong, orphanText } from '#daemon/operations/orphans.ts';
import { freshnessFrom } from '#domain/freshness.ts';
import { isUndeclared, modeFacts } from '#domain/mode.ts';
import { shown } from '#domain/one-line.ts';
import { faultText } from '#paper-venue/faults/catalogue.ts';
import type { Notice } from '#ports/notice.ts';
import { carriedText } from './carried-positions.ts';
import { keepCheckpoints } from './checkpoints-thread.ts';
import { Daemon } from './daemon.ts';
import { keepHeapSmall } from './memory-watch.ts';
import { disabledLines } from './mended-strategies.ts';
import { loadUnderWatch, type PreviousRun } from './opening.ts';
import { ProcessEnd } from './process-end.ts';
import { keepRecordings } from './record/keep-recordings.ts';
import { runSummary } from './run-summary.ts';
import { type SourceChanges, watchStrategies } from './strategy-watch.ts';
import { Alerts } from './threads/alerts.ts';
import { pollForAlerts } from './threads/alerts-poll.ts';

interface RunOptions {
  /** Begins a new run whenever a strategy's file changes. Not for live trading. */
  readonly watch: boolean;
  readonly outputLost: Promise<void>;
}

const NO_STRATEGY = 'none, so nothing is traded: put one under strategies: in the configuration (npx kairos strategies lists modules)';

/**
 * Runs the daemon, a run after the other, until SIGINT or SIGTERM stops it (returns 0) or a fault does (returns 1). A second signal ends the
 * process at once with 130 or 143. Throws a KairosError if it cannot start.
 */
export async function runDaemon(config: LoadedConfig, { watch, outputLost }: RunOptions): Promise<number> {
  keepHeapSmall();
  const { settings, mode } = config;
  const log = createLog({ settings, mode });
  const notice: Notice = (level, text) => log[level](text);
  const alerts = new Alerts({ settings, mode, timers: systemTimers, notice });
  const end = new ProcessEnd({ log, alerts });
  void outputLost.then(() => end.unattended('nobody reads its output'));
  const opening = { config, strategyFolders: { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES }, timers: systemTimers, watch };
  let taken: PreviousRun | undefined;
  for (;;) {
    const next = Promise.withResolvers<PreviousRun>();
    const running: Daemon = await Daemon.start({
      ...opening,
      ...(taken && { taken }),
      notice: alerts.notice,
      wrapJournal: (journal, { latches }) => alerts.watchJournal(journal, latches),
      channels: alerts.channels,
      onFault: end.fault,
      onLeave: end.leave,
      ending: end.ending,
      onRotationDue: () => {
        notice('info', 'journal.rotate is due: a new run begins, which rotates the journal first');
        end.daemon?.handOver('kairos', 'journal.rotate').then(next.resolve, next.reject);
      },
    });
    if (!end.daemon) process.send?.('ready');
    end.daemon = running;
    process.stdout.write(`${shown(typed(banner(config, running)))}\n`);
    // A stop was requested during the start.
    if (end.isAsked) await running.stop('kairos', 'asked to stop');
    const stopPolling = lookAfter(running, { settings, alerts, notice });
    const watched = watch ? settings.strategies : [];
    const files = await Promise.all(watched.map(({ use }) => sourceFilesOf(use, opening.strategyFolders)));
    const known = running.opened.strategies.map(({ sourceHash }) => sourceHash);
    const tryOut = loadTrial(watched, { known, folders: opening.strategyFolders });
    const stopWatching =
      watch &&
      watchStrategies({
        strategies: running.opened.strategies,
        files: files.flat(),
        load: async () => {
          await tryOut();
          const { strategies, watching } = await loadUnderWatch(opening);
          await watching?.stop();
          return strategies;
        },
        timers: systemTimers,
        onFault: (line) => notice('warn', `the change cannot be loaded, so the present run goes on: ${line}`),
        onChange: (strategies, changes) => {
          const why = changesText(changes);
          notice('info', `${why}: a new run begins`);
          running.handOver('watch', why).then((previous) => next.resolve({ ...previous, strategies, changes }), next.reject);
        },
      });
    const over = await Promise.race([end.reached, next.promise]);
    if (stopWatching) stopWatching();
    await stopPolling();
    if (typeof over === 'number' || end.isAsked) {
      const code = await end.reached;
      await alerts.close();
      await running.opened.service.close();
      for (const line of runSummary(settings.journal.path, running.opened.run)) process.stdout.write(`${shown(typed(line))}\n`);
      for (const held of heldAtEnd(running)) log.warn(held);
      log.info('stopped');
      return code;
    }
    taken = over;
  }
}

const changesText = (changes: SourceChanges): string => Array.from(changes, ([id, text]) => `${id}: ${text}`).join(', ');

/** Watches a running daemon for alerts, and maintains journal and recordings. Returns a function that stops it. */
function lookAfter(
  running: Daemon,
  { settings, alerts, notice }: { readonly settings: Settings; readonly alerts: Alerts; readonly notice: Notice },
): () => Promise<void> {
  const freshnessOf = freshnessFrom(settings.lanes.staleAfterMs);
  const stopPolling = pollForAlerts({
    alerts,
    settings,
    timers: systemTimers,
    lanes: new Map(running.lanes.map(({ id, product }) => [id, freshnessOf(product).staleMs])),
    inspect: () => running.inspect(),
  });
  const stopCheckpoints = keepCheckpoints(settings.journal.path, alerts.notice);
  const { dir, keepDays } = settings.recording;
  const part = (): number => running.opened.log.part;
  const stopSealing = keepRecordings({ dir, keepDays, timers: systemTimers, notice, part });
  return async () => {
    stopPolling();
    await stopCheckpoints();
    await stopSealing();
  };
}

/**
 * The page's address. On a terminal it includes the token and the user's name, which need not be typed then. In a log
 * file, which others may read, it is the address alone.
 */
function pageAddress(settings: Settings, { opsUrl, opened }: Daemon): string {
  if (process.stdout.isTTY !== true) return opsUrl;
  return `${opsUrl}/#${new URLSearchParams({ token: tokenOfDaemon(settings, opened.files.token), who: userName() })}`;
}

/** The positions that stay open after a stop, and what that means. */
function heldAtEnd(daemon: Daemon): readonly string[] {
  const { strategies, otherBooks } = daemon.inspect();
  const held = [...strategies, ...otherBooks].filter(({ position }) => Number(position) !== 0);
  const meaning = 'nobody watches it until the next start: no strategy decides on it, and no exit closes it';
  return held.map(({ id, product, position }) => `${id} holds ${position} of ${product}; ${meaning}`);
}

/** On this machine somebody may have expected paper. */
const whyDry = ({ mode, service: { baseUrl } }: Settings): string =>
  isUndeclared(mode) && baseUrl !== null && serviceAddress(baseUrl).loopback
    ? ': it has not proved to be a Kairos venue of yours (`mode: live` trades, with `--live`)'
    : '';

/** The banner: what runs, on which service, and its addresses. */
function banner(config: LoadedConfig, daemon: Daemon): string {
  const { settings, mode } = config;
  const { sendsOrders, isRealMoney, withoutUser } = modeFacts(mode);
  const { opened, lanes, listensAt } = daemon;
  const { webhooksUrl, signalsUrl } = listensAt;
  const { service } = opened;
  const channels = channelNames(settings.alerts);
  const rows: [string, string][] = [
    ['service', service.embedded ? `${service.baseUrl} (the paper venue, embedded; no real money)` : service.baseUrl],
    ...(config.files.includes(PACKAGED) ? [['settings', `${PACKAGED} (the shipped demo)`] as [string, string]] : []),
    ['user', settings.service.userId ?? withoutUser],
    ...(sendsOrders
      ? []
      : [['orders', `executed in this process at quotes of the service; none is sent${whyDry(settings)}`] as [string, string]]),
    ...settings.strategies.map(({ id, use, product }): [string, string] => ['strategy', `${id}: ${use} on ${product}`]),
    ...(settings.strategies.length === 0 ? [['strategy', NO_STRATEGY] as [string, string]] : []),
    ['lanes', lanes.map(({ id }) => id).join(', ') || 'none'],
    ['journal', `${settings.journal.path} (book ${opened.book})`],
    ['recording', settings.recording.enabled ? `${settings.recording.dir}/${opened.run}` : 'off'],
    ['page', `${pageAddress(settings, daemon)} (beside it /healthz, /readyz, /metrics, /api/state)`],
    ...(webhooksUrl === null ? [] : [['webhooks', webhooksUrl] as [string, string]]),
    ...(signalsUrl === null ? [] : [['signals', signalsUrl] as [string, string]]),
    ...(channels.length > 0 || isRealMoney ? [['alerts', channels.join(', ') || 'none: no channel is set up'] as [string, string]] : []),
    ['look', 'npx kairos journal tail -f, npx kairos status; Ctrl-C stops, a closed terminal does not'],
  ];
  const carried = carriedText(opened.recovered.books, settings.strategies);
  if (carried !== undefined) rows.push(['positions', carried]);
  const unknowns = opened.recovered.unknowns.length;
  const open = unknowns === 1 ? 'an order' : `${unknowns} orders`;
  if (unknowns > 0) rows.push(['attention', `${open} of unknown outcome: npx kairos doctor says how to settle it`]);
  for (const line of disabledLines(opened.recovered.latches, opened.mended, settings.strategies)) rows.push(['attention', line]);
  const fault = opened.recovered.snapshotFault;
  if (fault !== null) rows.push(['attention', `the journal was read from its first row, since ${fault}: npx kairos journal verify`]);
  if (service.embedded && settings.venue.faults.length > 0) {
    rows.push(['attention', `the paper venue misbehaves on purpose (venue.faults): ${settings.venue.faults.map(faultText).join(', ')}`]);
  }
  const { halted, otherBooks } = daemon.inspect();
  const held = otherBooks.map(({ id, product: of, position }) => ({ book: id, product: of, size: position }));
  for (const orphan of orphansAmong(held, settings.strategies)) rows.push(['attention', orphanText(orphan)]);
  const halt = opened.recovered.latches.find(({ kind }) => kind === 'halted');
  const by = halt ? `by ${halt.who}: ${halt.why}` : 'npx kairos status says why';
  if (halted) rows.push(['attention', `trading is HALTED, ${by}; npx kairos resume ends it`]);
  const guess = feeGuess(config);
  if (guess !== null) rows.push(['attention', guess]);
  if (isRealMoney && settings.trading.arming.arm === 'auto') {
    rows.push([
      'attention',
      "trading.arm: auto: a changed configuration trades without a person's consent; set it to manual and use npx kairos arm",
    ]);
  }
  const head = `${mode.toUpperCase()}  Kairos ${VERSION}  run ${opened.run}`;
  return [head, ...rows.map(([name, text]) => `  ${name.padEnd(10)} ${text}`)].join('\n');
}

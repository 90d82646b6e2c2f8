import { existsSync } from 'node:fs';
import { Alerter } from '#adapters/alerts/alerter.ts';
import { channelsOf } from '#adapters/alerts/channels.ts';
import { OutwardHeartbeat } from '#adapters/alerts/heartbeat.ts';
import { commandEnvironment } from '#adapters/alerts/settings.ts';
import { TelegramCommands } from '#adapters/alerts/telegram-commands.ts';
import { DaemonWatch, type Sight } from '#adapters/alerts/watch.ts';
import { answerOf } from '#adapters/journal/acts.ts';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { failedStart } from '#adapters/journal/failed-start.ts';
import { journalFiles, readSmall } from '#adapters/journal/files.ts';
import { clientOf } from '#assembly/service.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { Settings } from '#config/settings.ts';
import { messageOf } from '#domain/errors.ts';
import { isDry } from '#domain/mode.ts';
import { isoTime } from '#domain/names.ts';
import { WATCHER } from '#domain/watcher.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import { chatActsOf } from './chat-acts.ts';
import { callDaemon } from './daemon-call.ts';
import { publishedIn } from './ops-files.ts';

const LOOK_MS = 1_000;
/** Time limit of the daemon's answer, in milliseconds. */
const ANSWER_MS = 2_000;
const CLOSE_MS = 2_000;

interface Watcher {
  /** Delivers queued alerts, and ends. */
  stop(): Promise<void>;
}

/** Checks the daemon of this configuration once a second from another process, and hears the chats that may act on it: an alert must survive a dead daemon (F75). */
export function startWatch(config: Pick<LoadedConfig, 'settings' | 'mode'>, timers: Timers, notice: Notice): Watcher {
  const { settings, mode } = config;
  const { alerts } = settings;
  const alerter = new Alerter({
    // Only the daemon knows whether it trades or runs dry.
    label: `${(modeOf(settings.journal.path) ?? mode).toUpperCase()} ${alerts.name}`,
    settings: alerts,
    channels: channelsOf(alerts, commandEnvironment(process.env)),
    timers,
    log: notice,
  });
  const watch = new DaemonWatch(alerts.watch);
  const heartbeat = new OutwardHeartbeat(alerts.heartbeat, { timers, notice });
  let isLooking = false;
  let isAlive = false;
  const poll = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const sight = await sightOf(settings.journal.path);
      const { alerts: raised, pauseAll } = watch.saw(sight, timers.monotonicMs(), timers.wallMs());
      for (const alert of raised) alerter.raise(alert);
      if (!isAlive && sight.kind === 'alive') notice('info', 'the daemon answers');
      isAlive = sight.kind === 'alive';
      if (isAlive) void heartbeat.beat();
      if (pauseAll) await pause();
    } catch (error) {
      // A journal that is being replaced, or a bug: the next check is a second away.
      notice('warn', `the daemon could not be looked at: ${messageOf(error)}`);
    } finally {
      isLooking = false;
    }
  };
  const pause = async (): Promise<void> => {
    // Also before its first run, of which no journal tells: a dry daemon touches no real strategy.
    if ([mode, modeOf(settings.journal.path)].some(isDry)) {
      watch.paused();
      return notice('info', 'the daemon runs dry: the service is asked for nothing');
    }
    const { title, taken } = await askToPause(settings, timers, notice);
    if (taken) watch.paused();
    alerter.raise({ event: 'dead', at: timers.wallMs(), subject: `pauseAll ${taken}`, title, text: '', over: false });
  };
  const stopPolling = timers.every(LOOK_MS, () => void poll());
  const commands = new TelegramCommands({ telegram: alerts.telegram, acts: chatActsOf(settings, timers), timers, notice });
  commands.start();
  return {
    async stop() {
      stopPolling();
      await commands.close();
      await heartbeat.close();
      await alerter.close(CLOSE_MS);
    },
  };
}

/** The observed state of the daemon that has, or had, the journal. */
async function sightOf(journal: string): Promise<Sight> {
  const published = publishedIn(controlFiles(journal).ops);
  if (published && isRunning(published.pid)) {
    const why = await healthFault(published.url);
    return why === null ? { kind: 'alive' } : { kind: 'lost', why: `process ${published.pid} does not answer: ${why}` };
  }
  const holder = holderOf(journal);
  if (holder !== null && isRunning(holder)) return { kind: 'between' };
  const last = lastRun(journal);
  const failure = failedStart(journal);
  if (failure && failure.at >= Date.parse(last?.ended_at ?? last?.started_at ?? isoTime(0))) return { kind: 'failed', why: failure.why };
  // Who ends by itself takes its number along, and who was ready had published itself.
  if (holder !== null && holder !== published?.pid) return { kind: 'failed', why: 'it was killed before it was ready' };
  if (published) return { kind: 'lost', why: `process ${published.pid} is gone` };
  if (!existsSync(journal)) return { kind: 'lost', why: `there is no journal ${journal}` };
  if (last === undefined) return { kind: 'lost', why: 'it has never run' };
  if (last.ended_at === null) return { kind: 'lost', why: `run ${last.run_id} has crashed` };
  return last.end_state === 'crashed' ? { kind: 'lost', why: `run ${last.run_id} has ended because of an error` } : { kind: 'stopped' };
}

/** Reads the process id beside the lease: checking the lease itself could block a daemon that starts. */
function holderOf(journal: string): number | null {
  try {
    const pid = Number(readSmall(journalFiles(journal).pid));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    // Not written yet, or being written.
    return null;
  }
}

/** The mode of the last run; undefined before the first. */
function modeOf(journal: string): string | undefined {
  return lastRun(journal)?.mode;
}

const lastRun = (journal: string) => answerOf(journal, (reader) => reader.lastRun());

/** Why its health check failed; null if it is healthy. */
async function healthFault(url: string): Promise<string | null> {
  try {
    const { status } = await callDaemon(`${url}/healthz`, { userAgent: WATCHER, isJson: false, withinMs: ANSWER_MS });
    return status === 200 ? null : `answered ${status}`;
  } catch (error) {
    return messageOf(error);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user exists all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Asks the service to pause its own strategies. It is not journaled, since a starting daemon may be the journal's writer. */
async function askToPause(
  { service }: Settings,
  timers: Timers,
  notice: Notice,
): Promise<{ readonly title: string; readonly taken: boolean }> {
  const what = 'the service was asked to pause its own strategies';
  if (service.baseUrl === null) return { title: `${what}: there is no service.baseUrl`, taken: true };
  const client = clientOf(service.baseUrl, service, { timers, notice });
  try {
    const { status, httpStatus, response } = await client.strategies.ask({ action: 'pauseAll' });
    const answer = httpStatus === null ? response : `answered ${httpStatus}`;
    return { title: `${what}: ${answer}`, taken: status === 'asked' || status === 'confirmed' };
  } finally {
    await client.close();
  }
}

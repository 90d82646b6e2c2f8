import { journalFacts } from '#adapters/journal/acts.ts';
import { Redactor } from '#assembly/redactor.ts';
import { openService, type Service } from '#assembly/service.ts';
import type { LoadedConfig } from '#config/load.ts';
import { refusedSettling, settled, taskOf, unsettledText } from '#core/engine/remote-acts.ts';
import { daemonAt, daemonOf } from '#daemon/operations/daemon-access.ts';
import { askRemote, askRemoteTask, askSettling, askState } from '#daemon/operations/ops-client.ts';
import type { DaemonAddress } from '#daemon/operations/ops-files.ts';
import { KairosError } from '#domain/errors.ts';
import type { Command } from '#domain/event.ts';
import { isDry, modeFacts } from '#domain/mode.ts';
import { isoTime } from '#domain/names.ts';
import { askedDetail, type RemoteAnswer, type RemoteTask } from '#domain/remote.ts';
import type { Notice } from '#ports/notice.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import { RemoteJournal } from './remote-journal.ts';
import { carryOut } from './remote-service.ts';
import { ServiceCache } from './service-cache.ts';

type Asking = Extract<Command, { act: 'remote' }>;
type Settling = Extract<Command, { act: 'settle-create' }>;

interface RemoteOptions {
  readonly config: LoadedConfig;
  readonly timers: Timers;
  /** Asks a person for the second factor; absent without a terminal. */
  readonly askDigits?: () => Promise<string>;
  /** Hears of a session that cannot be kept; without it that is an error. */
  readonly notice?: Notice;
  /** Called with each further answer. */
  readonly onProgress?: (task: RemoteTask) => void;
}

const LOOK_MS = 150;
/** Time limit of waiting for a daemon's answer, longer than its own, in milliseconds. */
const WAIT_MS = 60_000;

/**
 * Makes a request for the service's own strategies and waits for its final answer: through the daemon that holds the
 * configured journal, else by itself with the journal's lease. Throws a KairosError; ACT_REFUSED if no request is
 * allowed now.
 */
export async function performRemote(command: Asking, options: RemoteOptions): Promise<RemoteTask> {
  const { config } = options;
  const to = daemonAt(config.settings);
  if (to) return follow(await askRemote(command, to), to.daemon, options);
  checkNotDry(config);
  const isVenue = modeFacts(config.mode).isForTrials;
  const service = await openService(reachable(config), options.timers, { ...options, isVenue });
  try {
    return await byItself(command, service, options);
  } finally {
    await service.close();
  }
}

/** Settles a create whose answer was lost. Throws a KairosError. */
export async function settleCreate(command: Settling, { config, timers }: Pick<RemoteOptions, 'config' | 'timers'>): Promise<RemoteTask> {
  const to = daemonAt(config.settings);
  if (to) return askSettling(command, to);
  const journal = RemoteJournal.open(config, timers);
  try {
    const before = journal.openCreates().find(({ actionId }) => actionId === command.actionId);
    if (!before) throw new KairosError('ACT_REFUSED', refusedSettling(command.actionId).refused ?? '');
    const detail = settled(before, command.strategyId, command);
    journal.keep(detail, 'BY_PERSON');
    return taskOf(detail, { ended: true, refused: null });
  } finally {
    journal.close();
  }
}

/** The service for requests: the configured one, or that of the daemon on the configured journal. Throws MODE if there is neither. */
export async function openRemote({ config, timers, askDigits }: RemoteOptions): Promise<Service> {
  const daemon = config.settings.service.baseUrl === null ? daemonOf(config.settings) : undefined;
  const settings = daemon ? withAddress(config, await askState('service', daemon)).settings : reachable(config);
  return openService(settings, timers, { askDigits });
}

function withAddress(config: LoadedConfig, baseUrl: string): LoadedConfig {
  return { ...config, settings: { ...config.settings, service: { ...config.settings.service, baseUrl } } };
}

async function byItself(command: Asking, service: Service, { config, timers, onProgress }: RemoteOptions): Promise<RemoteTask> {
  const { asked, who, why } = command;
  const journal = RemoteJournal.open(config, timers);
  try {
    if (asked.action === 'create') {
      const [open] = journal.openCreates();
      if (open) throw new KairosError('ACT_REFUSED', unsettledText(open.actionId));
    }
    const secrets = new Redactor(config.settings.service);
    const actionId = `c-${timers.uuid().slice(0, 8)}`;
    const begun = askedDetail(asked, { actionId, at: isoTime(timers.wallMs()), who, why });
    journal.keep(begun, 'BY_PERSON');
    const parts = { strategies: service.client.strategies, cache: new ServiceCache(service.client, timers), timers };
    let task = taskOf(begun, { ended: false, refused: null });
    const tell = (answer: RemoteAnswer, more: boolean): void => {
      const detail = { ...begun, ...answer, response: secrets.text(answer.response) };
      journal.keep(detail, answer.status === 'unknown' ? 'CREATE_UNKNOWN' : 'BY_PERSON');
      task = taskOf(detail, { ended: !more, refused: null });
      if (more) onProgress?.(task);
    };
    await carryOut(asked, parts, tell);
    return task;
  } finally {
    journal.close();
  }
}

async function follow(begun: RemoteTask, daemon: DaemonAddress, { timers, onProgress }: RemoteOptions): Promise<RemoteTask> {
  const start = timers.monotonicMs();
  let task = begun;
  let shown: string = task.status;
  while (!task.ended && timers.monotonicMs() - start < WAIT_MS) {
    await pause(timers, LOOK_MS);
    task = await askRemoteTask(task.id, daemon);
    const state = `${task.status} ${task.httpStatus}`;
    if (state !== shown && !task.ended && task.httpStatus !== null) onProgress?.(task);
    shown = state;
  }
  return task;
}

/** The settings of an existing service: a venue started for one command would forget everything at its end. */
function reachable({ settings }: LoadedConfig): LoadedConfig['settings'] {
  if (settings.service.baseUrl !== null) return settings;
  throw new KairosError(
    'MODE',
    'no service to ask: no daemon runs on this journal, and service.baseUrl is not set; start `kairos run`, or `kairos venue` and set KAIROS_BASE_URL=http://127.0.0.1:8090',
  );
}

/** Refuses a dry run's settings and journal, which may not have requests to the service. */
function checkNotDry({ mode, settings }: LoadedConfig): void {
  const refused = (why: string): KairosError => new KairosError('ACT_REFUSED', `${why}; nothing was sent`);
  if (!modeFacts(mode).sendsOrders)
    throw refused(
      `this would touch real strategies at ${settings.service.baseUrl}, and the settings say no \`mode: live\`: write it there`,
    );
  const { path } = settings.journal;
  if (isDry(journalFacts(path).mode))
    throw refused(`${path} is the journal of a dry run, and this would touch real strategies: set journal.path to another file`);
}

import { BlobServer } from '#adapters/shared-jobs/blob-server.ts';
import { KairosError } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import type { QueuedJob, WorkQueue } from '#ports/work-queue.ts';
import { shortHash, type TrialJob, type TrialResult } from '#research/replay/trial.ts';
import type { StudyBase } from '#research/sweep/study.ts';
import type { TrialPlayers, TrialWork, Way } from '#research/sweep/trial-players.ts';
import {
  ENDED,
  type EndedNotice,
  type EngineBuild,
  engineText,
  type JobText,
  NOTICE_MS,
  PAUSES,
  processName,
  queueName,
  RENEW_MS,
  resultsOf,
  resultsText,
  STOPS,
  SWEEPS,
  type SweepNotice,
  sweepNotice,
  thisEngine,
  WORKERS,
  workerNotice,
} from './messages.ts';
import { packQuotes } from './packed-quotes.ts';
import { packStudy, sweepName } from './packed-study.ts';
import type { QueueKey } from './queue-key.ts';
import { type Progress, SweepProgress } from './sweep-progress.ts';

interface QueuePlayersOptions {
  readonly queue: WorkQueue;
  readonly key: QueueKey;
  readonly timers: Timers;
  /** Where blobs are given out, and what workers call that place by; null: as it is. */
  readonly at: { readonly host: string; readonly port: number; readonly url: string | null };
  /** Told what a person should know, one line each. */
  readonly tell: (line: string) => void;
  /** Another terminal wants the sweep to stop. */
  readonly onStop: () => void;
}

/** Trials of a job at most; fewer where that leaves fewer than so many jobs for the workers to share, or fewer than so many for each. */
const MAX_TRIALS = 200;
const JOBS = 64;
const JOBS_A_WORKER = 4;
/** Jobs that neither wait nor are played, and did not bring their results in so many looks one after the other, are given again. */
const LOST_LOOKS = 3;
/** What is waited for at a time, in milliseconds. */
const WAIT_MS = 500;
/** For how long a sweep that has ended stands on its board. */
const ENDED_MS = 7 * 86_400_000;

/** A job that was given out, with its trials that are not finished. */
interface OpenJob extends QueuedJob {
  readonly left: Set<string>;
  looks: number;
}

/** Workers that play the trials of one study by a queue. Whatever they do, each trial counts once. */
export class QueuePlayers implements TrialPlayers {
  private readonly options: QueuePlayersOptions;
  private readonly engine: EngineBuild;
  private readonly blobs: BlobServer;
  private readonly notice: Omit<SweepNotice, keyof Progress | 'paused'>;
  private readonly study: string;
  private readonly told = new Set<string>();
  private behind = '0';
  private readonly progress = new SweepProgress();
  private isPaused = false;
  private how: EndedNotice['how'] | undefined;
  private stopRenewing: (() => void) | undefined;
  private fault: unknown;

  private constructor(options: QueuePlayersOptions, { code, shared }: StudyBase, blobs: BlobServer, study: string, recording: string) {
    const { key, timers, at } = options;
    this.options = options;
    this.blobs = blobs;
    this.study = study;
    this.engine = thisEngine(code);
    this.notice = {
      sweep: sweepName(study),
      coordinator: timers.uuid(),
      host: processName(),
      engine: this.engine,
      queue: queueName(shared.hash, this.engine, key),
      dataHash: shared.hash,
      recording,
      url: (at.url ?? blobs.url).replace(/\/$/, ''),
    };
  }

  /** Offers a study to workers. Throws USAGE for one that they cannot play, PORT_IN_USE, and QUEUE_TAKEN where another coordinator has it. */
  static async open(options: QueuePlayersOptions, base: StudyBase): Promise<QueuePlayers> {
    const { key, at } = options;
    const blobs = await BlobServer.listen({ ...at, allows: (path, given) => key.allows(path, given) });
    try {
      const study = packStudy(base, (bytes) => blobs.add(bytes));
      const quotes = packQuotes(base.shared.data.columns, (bytes) => blobs.add(bytes));
      const players = new QueuePlayers(options, base, blobs, study, blobs.add(Buffer.from(JSON.stringify(quotes))));
      await players.begin();
      return players;
    } catch (error) {
      await blobs.close();
      throw error;
    }
  }

  async play(work: TrialWork): Promise<void> {
    this.how = 'failed';
    await this.playAll(work);
    this.how = work.signal.aborted ? 'stopped' : 'finished';
  }

  private async playAll({ jobs, way = 'engine', signal, onResults, onUnequal }: TrialWork): Promise<void> {
    const { queue } = this.options;
    const { queue: name, sweep } = this.notice;
    const trials = new Map(jobs.map((job) => [job.id, job]));
    const workers = (await queue.notices(WORKERS)).size;
    const given = this.jobsOf(jobs, way, Math.max(JOBS, workers * JOBS_A_WORKER));
    this.progress.begin(jobs.length);
    let isOffered = false;
    let looked = this.options.timers.monotonicMs();
    while (trials.size > 0 && !signal.aborted) {
      if (isOffered === this.isPaused) {
        isOffered = !this.isPaused;
        const open = given.filter(({ left }) => left.size > 0);
        // What is being played when a sweep is paused is played to its end, and counts.
        await (isOffered ? queue.give(name, open) : queue.takeBack(name, idsOf(open)));
      }
      const messages = await queue.receive(resultsOf(sweep), this.behind, WAIT_MS);
      // What was played in another way is the work of a coordinator that has crashed.
      const said = messages.flatMap(({ text }) => this.saidIn(text) ?? []).filter((one) => one.way === way);
      const results = said.flatMap((one) => one.results).filter((result) => takeOnce(trials, result));
      const taken = new Set(results.map(({ id }) => id));
      for (const one of said.flatMap(({ unequal }) => unequal)) if (taken.has(one.job.id)) onUnequal?.(one);
      if (results.length > 0) onResults(results);
      for (const { left } of given) for (const { id } of results) left.delete(id);
      this.progress.add(results);
      const last = messages.at(-1);
      if (last) {
        // Kept by now: what a crash before this leaves is read again, and counts once.
        await queue.trim(resultsOf(sweep), last.id);
        this.behind = last.id;
      }
      if (this.fault !== undefined) throw this.fault;
      if (this.options.timers.monotonicMs() - looked < RENEW_MS) continue;
      looked = this.options.timers.monotonicMs();
      // While results are still to be read, a job that stands nowhere is most likely finished.
      await this.inspect(
        given.filter(({ left }) => left.size > 0),
        messages.length === 0 && isOffered,
      );
    }
    const over = given.filter(({ left }) => left.size > 0 || signal.aborted);
    await queue.takeBack(name, idsOf(over));
  }

  /** Nothing of the sweep stays on the queue but word of how it ended. */
  async close(): Promise<void> {
    const { queue } = this.options;
    const { queue: name, sweep } = this.notice;
    this.stopRenewing?.();
    try {
      await queue.unpost(SWEEPS, sweep);
      await queue.unpost(STOPS, sweep);
      await queue.unpost(PAUSES, sweep);
      await this.tellEnd();
      const others = [...(await queue.notices(SWEEPS)).values()].map((text) => sweepNotice(this.options.key, text)?.queue);
      await (others.includes(name) ? this.clean(name) : queue.remove(name));
      await queue.trim(resultsOf(sweep));
    } finally {
      await this.blobs.close();
    }
  }

  private async tellEnd(): Promise<void> {
    const { queue, key, timers } = this.options;
    const { how, notice } = this;
    if (how === undefined) return;
    const ended: EndedNotice = { sweep: notice.sweep, host: notice.host, at: isoTime(timers.wallMs()), how, ...this.progress.now };
    await queue.post(ENDED, notice.sweep, { text: key.sign('ended', ended), keepMs: ENDED_MS });
  }

  /** Waits until nobody else plays the sweep: a coordinator that has crashed still stands on the board for some seconds. */
  private async begin(): Promise<void> {
    const { queue, key, timers } = this.options;
    const { sweep, coordinator, queue: name } = this.notice;
    const begun = timers.monotonicMs();
    for (;;) {
      const text = (await queue.notices(SWEEPS)).get(sweep);
      const other = text === undefined ? undefined : sweepNotice(key, text);
      if (!other || other.coordinator === coordinator) break;
      if (timers.monotonicMs() - begun > NOTICE_MS * 1.5)
        throw new KairosError(
          'QUEUE_TAKEN',
          `the sweep ${sweep} is played by ${other.host} on this queue: wait for it, or kairos queue --stop ${sweep}`,
        );
      await pause(timers, RENEW_MS);
    }
    await queue.unpost(STOPS, sweep);
    await queue.unpost(ENDED, sweep);
    await this.clean(name);
    await this.renew();
    this.stopRenewing = timers.every(RENEW_MS, () => {
      this.renew().catch((error: unknown) => {
        this.fault ??= error;
      });
    });
  }

  /** Says that the sweep goes on, and hears what others say. */
  private async renew(): Promise<void> {
    const { queue, key, onStop } = this.options;
    const { notice } = this;
    const pause = (await queue.notices(PAUSES)).get(notice.sweep);
    this.isPaused = pause !== undefined && key.read('pause', pause) === notice.sweep;
    const now: SweepNotice = { ...notice, ...this.progress.now, paused: this.isPaused };
    await queue.post(SWEEPS, notice.sweep, { text: key.sign('sweep', now), keepMs: NOTICE_MS });
    const stop = (await queue.notices(STOPS)).get(notice.sweep);
    if (stop !== undefined && key.read('stop', stop) === notice.sweep) onStop();
    for (const text of (await queue.notices(WORKERS)).values()) {
      const other = workerNotice(key, text);
      if (!other?.refused.includes(notice.sweep)) continue;
      this.once(
        `the worker ${other.worker} is ${engineText(other.engine)}, this is ${engineText(this.engine)}: it takes no jobs; install the same Kairos and Node on both`,
      );
    }
  }

  /** Gives again what is lost, and ends where a job was given up. */
  private async inspect(open: readonly OpenJob[], isQuiet: boolean): Promise<void> {
    const { queue } = this.options;
    const { waiting, active, failed } = await queue.state(this.notice.queue);
    const known = new Set([...waiting, ...active]);
    const given = failed.find(({ id }) => open.some((job) => job.id === id));
    if (given) throw new KairosError('SWEEP_FAILED', `workers gave a job up (${given.why}); finished trials are kept`);
    const lost = open.filter((job) => {
      job.looks = known.has(job.id) || !isQuiet ? 0 : job.looks + 1;
      return job.looks >= LOST_LOOKS;
    });
    if (lost.length > 0) await queue.give(this.notice.queue, lost);
  }

  /** Takes back what this sweep, or one that has crashed, has left. */
  private async clean(name: string): Promise<void> {
    const { queue } = this.options;
    const { waiting, failed } = await queue.state(name);
    const going = new Set((await queue.notices(SWEEPS)).keys());
    const left = [...waiting, ...failed.map(({ id }) => id)].filter((id) => {
      const sweep = id.slice(0, id.indexOf('-'));
      return sweep === this.notice.sweep || !going.has(sweep);
    });
    await queue.takeBack(name, left);
  }

  private jobsOf(trials: readonly TrialJob[], way: Way, count: number): readonly OpenJob[] {
    const { key } = this.options;
    const { sweep, url } = this.notice;
    const size = Math.min(MAX_TRIALS, Math.max(1, Math.ceil(trials.length / count)));
    return Array.from({ length: Math.ceil(trials.length / size) }, (_, n) => {
      const own = trials.slice(n * size, (n + 1) * size);
      const ids = own.map(({ id }) => id);
      const text: JobText = { sweep, study: this.study, url, way, trials: own };
      return { id: `${sweep}-${shortHash([way, ...ids])}`, text: key.sign('job', text), left: new Set(ids), looks: 0 };
    });
  }

  /** A message, where it is a worker's of this engine. */
  private saidIn(text: string): ReturnType<typeof resultsText> {
    const said = resultsText(this.options.key, text);
    if (said?.engine === this.engine.hash) return said;
    this.once(
      said
        ? `results of the worker ${said.worker}, which is another Kairos, are refused`
        : 'results that were not signed with this key are refused',
    );
    return undefined;
  }

  private once(line: string): void {
    if (this.told.has(line)) return;
    this.told.add(line);
    this.options.tell(line);
  }
}

const idsOf = (jobs: readonly QueuedJob[]): readonly string[] => jobs.map(({ id }) => id);

/** True the first time that a wanted trial is finished. */
function takeOnce(trials: Map<string, TrialJob>, { id, setup }: TrialResult): boolean {
  return trials.get(id)?.setup === setup && trials.delete(id);
}

import { hostname } from 'node:os';
import { codeHash, PACKAGES, VERSION } from '#assembly/package.ts';
import { shortHash, type TrialJob, type TrialResult } from '#research/replay/trial.ts';
import type { Unequal } from '#research/sweep/screen.ts';
import type { Way } from '#research/sweep/trial-players.ts';
import type { QueueKey } from './queue-key.ts';
import type { Progress } from './sweep-progress.ts';

/** Boards of the queue. */
export const SWEEPS = 'sweeps';
export const WORKERS = 'workers';
export const STOPS = 'stops';
export const PAUSES = 'pauses';
export const ENDED = 'ended';

/** A notice falls off so long after it was renewed last, and is renewed so often. In milliseconds. */
export const NOTICE_MS = 10_000;
export const RENEW_MS = 1_000;

/** What plays trials: results of two that are called the same are the same to the last bit. */
export interface EngineBuild {
  readonly version: string;
  /** Hash of the code of this Kairos, its packages, the Node that runs it and the processor's kind. */
  readonly hash: string;
}

/** A sweep that is being played, as its coordinator tells of it. */
export interface SweepNotice extends Progress {
  readonly sweep: string;
  /** Which process gives its jobs out. */
  readonly coordinator: string;
  readonly host: string;
  readonly engine: EngineBuild;
  readonly queue: string;
  /** Hash of its quotes, and of the blob that says where these are. */
  readonly dataHash: string;
  readonly recording: string;
  /** Where blobs are. */
  readonly url: string;
  /** True while a person has paused it: no jobs are given out. */
  readonly paused: boolean;
}

/** A sweep that has ended, as its coordinator left it. */
export interface EndedNotice extends Progress {
  readonly sweep: string;
  readonly host: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** `stopped`: it can go on, by the same command on its machine. */
  readonly how: 'finished' | 'stopped' | 'failed';
}

/** A worker, as it tells of itself. */
export interface WorkerNotice {
  readonly worker: string;
  readonly engine: EngineBuild;
  /** The queue that it takes jobs from now. */
  readonly queue: string | null;
  /** Trials that it has played since it began. */
  readonly trials: number;
  /** Sweeps that it takes no jobs of, since they are another engine's. */
  readonly refused: readonly string[];
}

/** A job: some trials of a sweep. */
export interface JobText {
  readonly sweep: string;
  /** Blob of what the trials have in common. */
  readonly study: string;
  readonly url: string;
  readonly way: Way;
  readonly trials: readonly TrialJob[];
}

/** What a worker has finished. */
interface ResultsText {
  readonly worker: string;
  readonly engine: string;
  readonly way: Way;
  readonly results: readonly TrialResult[];
  /** Those of them in which the screen and the engine differ. */
  readonly unequal: readonly Unequal[];
}

export function thisEngine(code = codeHash()): EngineBuild {
  return { version: VERSION, hash: shortHash([code, PACKAGES, process.version, process.arch]) };
}

/** `Kairos 0.1.0 (engine 12ab34cd)`. */
export const engineText = ({ version, hash }: EngineBuild): string => `Kairos ${version} (engine ${hash.slice(0, 8)})`;

/** `host-pid`, for people and as a name on boards. */
export const processName = (): string => `${hostname()}-${process.pid}`;

/** The queue of a recording: those who cannot play its jobs, or may not, never see them. */
export const queueName = (dataHash: string, engine: EngineBuild, key: QueueKey): string =>
  `${dataHash.slice(0, 16)}-${engine.hash}-${key.id}`;

/** The channel of a sweep's results. */
export const resultsOf = (sweep: string): string => `results-${sweep}`;

/** What was signed with this key is what this Kairos, or another of its kind, has written. */
export const sweepNotice = (key: QueueKey, text: string): SweepNotice | undefined => key.read('sweep', text) as SweepNotice | undefined;
export const endedNotice = (key: QueueKey, text: string): EndedNotice | undefined => key.read('ended', text) as EndedNotice | undefined;
export const workerNotice = (key: QueueKey, text: string): WorkerNotice | undefined => key.read('worker', text) as WorkerNotice | undefined;
export const jobText = (key: QueueKey, text: string): JobText | undefined => key.read('job', text) as JobText | undefined;
export const resultsText = (key: QueueKey, text: string): ResultsText | undefined => key.read('results', text) as ResultsText | undefined;

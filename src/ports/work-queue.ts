/** A piece of work as text; giving the same id again while it waits or is played changes nothing. */
export interface QueuedJob {
  readonly id: string;
  readonly text: string;
}

/** What becomes of a job that was taken: it is finished, or waits for the next who takes it. */
export type JobEnd = 'done' | 'back';

/** How the jobs of a queue stand, by id. What is finished stands nowhere. */
export interface QueueState {
  readonly waiting: readonly string[];
  readonly active: readonly string[];
  /** Given up after several tries, or after several who took it were gone. */
  readonly failed: readonly { readonly id: string; readonly why: string }[];
}

/** A message of a channel; a later one has a later id. */
export interface ChannelMessage {
  readonly id: string;
  readonly text: string;
}

/** Plays a job. `lost` comes when another may have taken it, or when no more is taken. A throw counts as a failed try. */
export type TakeJob = (job: QueuedJob, lost: AbortSignal) => Promise<JobEnd>;

/**
 * What machines that share work have in common: queues of jobs, each taken by one at a time until it is done or whoever took it is
 * gone; boards of notices that fall off unless renewed; channels of messages that stay until they are trimmed. Texts alone: what
 * they say, and who may say it, is for those who read them. No time in it hangs on the clock of a machine.
 */
export interface WorkQueue {
  give(queue: string, jobs: readonly QueuedJob[]): Promise<void>;
  /** Takes back jobs that nobody plays now. */
  takeBack(queue: string, ids: readonly string[]): Promise<void>;
  state(queue: string): Promise<QueueState>;
  /** Takes jobs, one at a time, until it is closed; one that is being played then is told so and waited for. */
  consume(queue: string, play: TakeJob): { close(): Promise<void> };
  /** Removes what is left of a queue that nobody gives jobs to. */
  remove(queue: string): Promise<void>;
  /** Puts up a notice, or renews it, for a time in milliseconds. */
  post(board: string, id: string, notice: { readonly text: string; readonly keepMs: number }): Promise<void>;
  unpost(board: string, id: string): Promise<void>;
  /** The notices of a board by id. */
  notices(board: string): Promise<ReadonlyMap<string, string>>;
  send(channel: string, text: string): Promise<void>;
  /** Messages behind one (`0`: from the first), waited for so long where there are none. */
  receive(channel: string, behind: string, waitMs: number): Promise<readonly ChannelMessage[]>;
  /** Removes messages up to and with one; all of them without it. */
  trim(channel: string, upTo?: string): Promise<void>;
  close(): Promise<void>;
}

import { seeded } from '#domain/seeded.ts';

/** What a sweep by queue is made of. Times in milliseconds. */
export interface Figures {
  readonly trials: number;
  /** Threads of a machine. */
  readonly threads: number;
  readonly trialMs: number;
  readonly quotesBytes: number;
  readonly resultBytes: number;
  /** Time of the Redis for a job, given, taken and finished, and for a message of results. */
  readonly jobRedisMs: number;
  readonly messageRedisMs: number;
  /** Time of the coordinator for a result. */
  readonly keepMs: number;
  readonly linkBytesPerMs: number;
  readonly roundTripMs: number;
}

export interface Outcome {
  readonly ms: number;
  /** Against one thread that does nothing else. */
  readonly speedUp: number;
  /** Of what as many threads could do. */
  readonly share: number;
  /** Shares of the time in which each had something to do. */
  readonly busy: { readonly coordinator: number; readonly redis: number; readonly link: number };
  /** What would shorten it most if it took no time. */
  readonly why: string;
}

/** As in the coordinator. */
const MAX_TRIALS = 200;
const JOBS = 64;
const JOBS_A_WORKER = 4;
const MESSAGE = 50;

/** One after the other, in the order in which they come. */
class Server {
  busyMs = 0;
  private freeAt = 0;

  /** When work that comes at a time is done. */
  done(at: number, workMs: number): number {
    this.freeAt = Math.max(this.freeAt, at) + workMs;
    this.busyMs += workMs;
    return this.freeAt;
  }
}

/** The sweep on paper, and what holds it up: the part without which it would be done soonest. */
export function simulated(figures: Figures, machines: number): Outcome {
  const own = played(figures, machines);
  const without: readonly (readonly [why: string, ms: number])[] = [
    ['fetching the quotes', played({ ...figures, quotesBytes: 0 }, machines).ms],
    ['the coordinator, which keeps results', played({ ...figures, keepMs: 0 }, machines).ms],
    ['Redis', played({ ...figures, jobRedisMs: 0, messageRedisMs: 0 }, machines).ms],
    ['the last jobs, while others idle', played(figures, machines, 1).ms],
  ];
  const [why, ms] = without.toSorted(([, a], [, b]) => a - b)[0] ?? ['nothing', own.ms];
  return { ...own, why: own.ms - ms < own.ms * 0.03 ? 'nothing' : why };
}

/**
 * Plays the sweep on paper, event by event: machines fetch the quotes over the coordinator's one link, take jobs from the one Redis, play each in all
 * their threads, and send results that the one coordinator keeps.
 */
function played(figures: Figures, machines: number, size = jobSize(figures.trials, machines)): Omit<Outcome, 'why'> {
  const { trials, threads, trialMs, roundTripMs } = figures;
  const [link, redis, coordinator] = [new Server(), new Server(), new Server()];
  const random = seeded('a sweep on paper');
  const jobs = Array.from({ length: Math.ceil(trials / size) }, (_, n) => Math.min(size, trials - n * size));
  const fetchMs = figures.quotesBytes / figures.linkBytesPerMs;
  // Next free machine first.
  const free = Array.from({ length: machines }, () => link.done(0, fetchMs));
  const messages: { readonly at: number; readonly count: number }[] = [];
  let workMs = 0;
  while (jobs.length > 0) {
    free.sort((a, b) => a - b);
    const at = free.shift() ?? 0;
    const count = jobs.pop() ?? 0;
    const begun = redis.done(at, figures.jobRedisMs) + roundTripMs;
    const ends = Array.from({ length: Math.min(threads, count) }, () => begun);
    const finished: number[] = [];
    for (let n = 0; n < count; n += 1) {
      ends.sort((a, b) => a - b);
      const took = trialMs * (0.8 + 0.4 * random.next());
      workMs += took;
      const done = (ends.shift() ?? begun) + took;
      ends.push(done);
      finished.push(done);
    }
    finished.sort((a, b) => a - b);
    for (let from = 0; from < finished.length; from += MESSAGE) {
      const part = finished.slice(from, from + MESSAGE);
      messages.push({ at: part.at(-1) ?? 0, count: part.length });
    }
    free.push(Math.max(...finished) + roundTripMs);
  }
  const last = Math.max(...free);
  // No worker waits for the coordinator, so that what it keeps can be reckoned afterwards, in the order of time.
  const sending = new Server();
  let end = last;
  for (const { at, count } of messages.sort((a, b) => a.at - b.at)) {
    const sent = sending.done(at, figures.messageRedisMs) + roundTripMs;
    end = Math.max(end, coordinator.done(sent, count * figures.keepMs));
  }
  const idealMs = workMs / (machines * threads);
  const share = idealMs / end;
  return {
    ms: end,
    speedUp: workMs / end,
    share,
    busy: { coordinator: coordinator.busyMs / end, redis: (redis.busyMs + sending.busyMs) / end, link: link.busyMs / end },
  };
}

const jobSize = (trials: number, machines: number): number =>
  Math.min(MAX_TRIALS, Math.max(1, Math.ceil(trials / Math.max(JOBS, machines * JOBS_A_WORKER))));

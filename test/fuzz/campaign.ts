import { Worker } from 'node:worker_threads';

export interface CampaignData {
  readonly name: string;
  readonly seed: string;
  /** It ends after so many milliseconds or inputs, whichever comes first. */
  readonly milliseconds: number;
  readonly inputs: number;
  readonly begin: readonly Uint8Array[];
  /** Without a new input for as long, one hangs; 30,000 unless given. */
  readonly hangMs?: number;
  /** The input under way: its length and how many there were, then its bytes. */
  readonly shared: SharedArrayBuffer;
}

export type CampaignEnd =
  | {
      readonly kind: 'held';
      readonly runs: number;
      readonly reached: { readonly of: number; readonly ran: number };
      readonly found: readonly Uint8Array[];
    }
  | { readonly kind: 'broken'; readonly why: string; readonly input: Uint8Array };

export const LENGTH_AT = 0;
export const RUNS_AT = 1;
const MAX_INPUT = 1 << 20;
const HANG_MS = 30_000;
const LOOK_MS = 1_000;
/** Megabytes of the heap of a thread. */
const HEAP_MB = 512;

/** Held its target, and takes the next: it has the sources instrumented, which takes longer than hundreds of inputs. */
let idle: Worker | undefined;

/** Fuzzes one target in a thread, so that what hangs or eats the heap ends the thread and is named. */
export async function campaign(options: Omit<CampaignData, 'shared'>): Promise<CampaignEnd> {
  const { hangMs = HANG_MS } = options;
  const shared = new SharedArrayBuffer(8 + MAX_INPUT);
  const words = new Int32Array(shared, 0, 2);
  const input = () => new Uint8Array(shared, 8, Atomics.load(words, LENGTH_AT)).slice();
  const worker =
    idle ??
    new Worker(new URL('worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
  idle = undefined;
  worker.ref();
  worker.postMessage({ ...options, shared } satisfies CampaignData);
  let said: CampaignEnd | undefined;
  let runs = -1;
  let sinceMs = performance.now();
  const watch = setInterval(() => {
    const now = Atomics.load(words, RUNS_AT);
    // Before the first input the thread is still loading what it is to try.
    if (now !== runs || now === 0) sinceMs = performance.now();
    else if (performance.now() - sinceMs > hangMs) {
      said = { kind: 'broken', why: `it hangs: nothing came of it in ${hangMs / 1000} s`, input: input() };
      void worker.terminate();
    }
    runs = now;
  }, LOOK_MS);
  try {
    return await new Promise<CampaignEnd>((resolve) => {
      worker.on('message', (message: CampaignEnd) => {
        idle = worker;
        resolve(message);
      });
      worker.on('error', (error) => {
        said = { kind: 'broken', why: error instanceof Error ? (error.stack ?? error.message) : String(error), input: input() };
      });
      worker.on('exit', () => resolve(said ?? { kind: 'broken', why: 'its thread ended without a word', input: input() }));
    });
  } finally {
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
    worker.unref();
    clearInterval(watch);
  }
}

import { tokenOf } from '#adapters/outside-signals/tokens.ts';
import type { NotificationPost } from '#lab/simulator/daemon/beside.ts';
import type { Draws } from '#lab/simulator/world/draws.ts';
import { type Scene, SIGNALS_SECRET } from './scene.ts';

/** What became of the signals of a source, by id. */
export interface SentSignals {
  /** Answered 2xx: in the journal once. */
  readonly taken: ReadonlySet<string>;
  /** Forged, or without what is wanted: never in the journal. */
  readonly false: ReadonlySet<string>;
}

interface SenderOptions {
  readonly scene: Scene;
  /** The daemon's route; null while nobody listens. */
  readonly door: () => ((delivery: NotificationPost) => Promise<number>) | null;
}

const TRIES = 5;
const RETRY_MS = 2_000;
const WAYS = ['as it should', 'as it should', 'as it should', 'repeated', 'late', 'forged', 'wrong', 'flood', 'clock', 'down'] as const;

/** A source of signals from outside that repeats, overtakes itself, floods, lies about the time and falls silent; others forge its signals. */
export class Sender implements SentSignals {
  readonly taken = new Set<string>();
  readonly false = new Set<string>();
  private readonly options: SenderOptions;
  private readonly draws: Draws;
  private count = 0;

  constructor(options: SenderOptions) {
    this.options = options;
    const { world, plan, draws } = options.scene;
    this.draws = draws.fork('sender');
    const everyMs = plan.signalsEveryMs ?? 0;
    if (everyMs === 0) return;
    const again = (): void => {
      const way = this.draws.pick(WAYS);
      this.make(way);
      const pauseMs = way === 'down' ? this.draws.between(30_000, 180_000) : everyMs * this.draws.between(0.2, 1.8);
      world.after(pauseMs, again);
    };
    world.after(everyMs, again);
  }

  private make(way: (typeof WAYS)[number]): void {
    const { draws } = this;
    const { scene } = this.options;
    if (way === 'down') return scene.history.tell('the source of signals falls silent');
    const token = way === 'forged' ? tokenOf(SIGNALS_SECRET, 'another') : tokenOf(SIGNALS_SECRET, 'model');
    for (let left = way === 'flood' ? draws.whole(12, 40) : 1; left > 0; left -= 1) {
      this.count += 1;
      const id = `signal-${this.count}`;
      const shiftMs = way === 'clock' ? draws.between(-120_000, 120_000) : 0;
      const side = way === 'wrong' ? 'hold' : draws.pick(['buy', 'sell', 'sell', 'buy', 'more']);
      const body = JSON.stringify({ id, made: (scene.machine.wallMs() + shiftMs) / 1000, side, command: 'halt' });
      if (way === 'forged' || way === 'wrong') this.false.add(id);
      const copies = way === 'repeated' ? draws.whole(2, 6) : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        const delayMs = (way === 'late' ? draws.between(0, 90_000) : 0) + copy * draws.between(0, 5_000);
        scene.world.after(delayMs, () => this.send(id, { headers: { 'x-signal-token': token }, body }));
      }
    }
  }

  /** Sends a signal until it is answered, a few times. */
  private send(id: string, delivery: NotificationPost, tries = 1): void {
    const { scene, door } = this.options;
    const { world, machine, plan } = scene;
    world.after(this.draws.between(...plan.latencyMs), () =>
      machine.receive(() => {
        const answered = (status: number): void => {
          if (status >= 200 && status < 300) this.taken.add(id);
          if ((status === 0 || status === 503) && tries < TRIES) world.after(RETRY_MS, () => this.send(id, delivery, tries + 1));
        };
        const open = door();
        if (open) open(delivery).then(answered, () => answered(0));
        else answered(0);
      }),
    );
  }
}

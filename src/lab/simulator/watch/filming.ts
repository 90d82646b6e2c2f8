import type { Disk } from '#lab/simulator/daemon/disk.ts';
import type { ActWatch } from '#lab/simulator/daemon/operator.ts';
import type { LivesWatch, Supervisor } from '#lab/simulator/daemon/supervisor.ts';
import type { SimulatedFault } from '#lab/simulator/plan/faults.ts';
import type { FeedWatch } from '#lab/simulator/service/feed-connection.ts';
import type { HttpWatch } from '#lab/simulator/service/http-connection.ts';
import type { NotifierWatch } from '#lab/simulator/service/notifier.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { SimulatedService } from '#lab/simulator/service/service.ts';

/** Everything that is visible of a history from outside. */
type Watch = FeedWatch & HttpWatch & LivesWatch & ActWatch & NotifierWatch;

/** Films a history: sees what the auditor sees, and changes nothing. */
export interface FilmObserver extends Partial<Watch> {
  /** Called after each task. */
  step(): void;
  /** A fault has struck; `words` may be empty. */
  struck?(fault: SimulatedFault, words: string): void;
}

/** What a history is made of. */
export interface Stage {
  readonly scene: Scene;
  readonly disk: Disk;
  readonly service: SimulatedService;
  readonly supervisor: Supervisor;
}

export type OpenFilm = (stage: Stage) => FilmObserver;

/** Reports to the film first, then to the watch. */
export function besides<Watched extends Watch>(watch: Watched, filming: () => Partial<Watch> | undefined): Watched {
  return new Proxy(watch, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      return (...given: unknown[]): unknown => {
        const other = filming();
        const heard: unknown = other && Reflect.get(other, name);
        if (typeof heard === 'function') Reflect.apply(heard, other, given);
        return Reflect.apply(own, target, given);
      };
    },
  });
}

import type { Subject } from 'rxjs';
import { invariant } from '#domain/errors.ts';
import type { LaneId, StrategyId } from '#domain/names.ts';
import type { StrategyInstance } from './instance.ts';
import type { StrategyRunner } from './strategy-runner.ts';

/** A stream of a strategy's further input. */
export interface FedStream {
  readonly slot: StrategyRunner;
  readonly stream: Subject<unknown>;
}

/** The strategies that trade on a lane, and those that have it as a further input. */
export interface Audience {
  readonly slots: readonly StrategyRunner[];
  readonly fed: readonly FedStream[];
}

/** Every strategy of a host, found by its id, by the lane it trades on, and by the subscriptions that feed its further inputs. */
export class Slots {
  private readonly byId = new Map<StrategyId, StrategyRunner>();
  private readonly byLane = new Map<LaneId, StrategyRunner[]>();
  private readonly bySource = new Map<LaneId, FedStream[]>();

  constructor(instances: readonly StrategyInstance[], slotFor: (instance: StrategyInstance) => StrategyRunner) {
    for (const instance of instances) {
      invariant(!this.byId.has(instance.id), `two strategies are called ${instance.id}`);
      const slot = slotFor(instance);
      this.byId.set(instance.id, slot);
      const others = this.byLane.get(instance.lane);
      if (others) others.push(slot);
      else this.byLane.set(instance.lane, [slot]);
      for (const [name, { source }] of Object.entries(instance.inputs ?? {})) {
        const stream = slot.inputs[name];
        if (stream) this.bySource.set(source, [...this.fedBy(source), { slot, stream }]);
      }
    }
  }

  all(): Iterable<StrategyRunner> {
    return this.byId.values();
  }

  get(id: StrategyId): StrategyRunner | undefined {
    return this.byId.get(id);
  }

  on(lane: LaneId): readonly StrategyRunner[] {
    return this.byLane.get(lane) ?? NONE;
  }

  audience(lane: LaneId): Audience {
    return { slots: this.on(lane), fed: this.fedBy(lane) };
  }

  fedBy(source: LaneId): readonly FedStream[] {
    return this.bySource.get(source) ?? NONE;
  }
}

const NONE: readonly never[] = [];

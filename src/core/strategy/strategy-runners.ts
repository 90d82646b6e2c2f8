import type { Subject } from 'rxjs';
import { invariant } from '#domain/errors.ts';
import type { LaneId, StrategyId } from '#domain/names.ts';
import type { StrategyInstance } from './instance.ts';
import type { StrategyRunner } from './strategy-runner.ts';

/** A stream of a strategy's further input. */
export interface FedStream {
  readonly runner: StrategyRunner;
  readonly stream: Subject<unknown>;
}

/** The strategies that trade on a lane, and those that have it as a further input. */
export interface Audience {
  readonly runners: readonly StrategyRunner[];
  readonly fed: readonly FedStream[];
}

/** Every strategy of a host, found by its id, by the lane it trades on, and by the subscriptions that feed its further inputs. */
export class StrategyRunners {
  readonly byId: ReadonlyMap<StrategyId, StrategyRunner>;
  private readonly byLane = new Map<LaneId, StrategyRunner[]>();
  private readonly bySource = new Map<LaneId, FedStream[]>();

  constructor(instances: readonly StrategyInstance[], runnerFor: (instance: StrategyInstance) => StrategyRunner) {
    const byId = new Map<StrategyId, StrategyRunner>();
    this.byId = byId;
    for (const instance of instances) {
      invariant(!byId.has(instance.id), `two strategies are called ${instance.id}`);
      const runner = runnerFor(instance);
      byId.set(instance.id, runner);
      const others = this.byLane.get(instance.lane);
      if (others) others.push(runner);
      else this.byLane.set(instance.lane, [runner]);
      for (const [name, { source }] of Object.entries(instance.inputs ?? {})) {
        const stream = runner.inputs[name];
        if (stream) this.bySource.set(source, [...this.fedBy(source), { runner, stream }]);
      }
    }
  }

  on(lane: LaneId): readonly StrategyRunner[] {
    return this.byLane.get(lane) ?? NONE;
  }

  audience(lane: LaneId): Audience {
    return { runners: this.on(lane), fed: this.fedBy(lane) };
  }

  fedBy(source: LaneId): readonly FedStream[] {
    return this.bySource.get(source) ?? NONE;
  }
}

const NONE: readonly never[] = [];

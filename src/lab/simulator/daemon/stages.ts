import { Commands } from '#core/engine/commands.ts';
import { Engine, QuotePath } from '#core/engine/engine.ts';
import { ManualOrders } from '#core/engine/manual-orders.ts';
import { MoneyIn } from '#core/engine/money-in.ts';
import { OrderOutcomes } from '#core/engine/order-outcomes.ts';
import { ScheduledActions } from '#core/engine/scheduled-actions.ts';
import { Silences } from '#core/engine/silences.ts';
import { ExecutionReports } from '#core/execution/execution-reports.ts';
import { LanePool } from '#core/execution/lane-pool.ts';
import { OrderPlacer } from '#core/execution/order-placer.ts';
import { ParentOrders } from '#core/execution/parent-orders.ts';
import { MarketData } from '#core/market/market.ts';
import { Books } from '#core/portfolio/books.ts';
import { ExitBounds } from '#core/risk/exit-bounds.ts';
import { LossStreaks } from '#core/risk/loss-limits.ts';
import { RiskMonitor } from '#core/risk/risk-monitor.ts';
import { ClockState } from '#core/risk/service-state.ts';
import { StrategyHost } from '#core/strategy/host.ts';

interface Stage {
  readonly of: object;
  readonly name: string;
  /** A stage that is due from time to time: the engine's part, and its field that says when. */
  readonly due?: readonly [part: string, field: string];
}

const stagesOf = (part: { readonly name: string; readonly prototype: object }, ...names: readonly string[]): readonly Stage[] =>
  names.map((name) => ({ of: part.prototype, name }));

/** Where the engine may be drawn to throw: what it does with an event, with what fell due before it, and after it. */
const STAGES: readonly Stage[] = [
  ...stagesOf(StrategyHost, 'runTimers', 'outcome'),
  { of: ClockState.prototype, name: 'poll', due: ['clockState', 'standsUntil'] },
  ...stagesOf(QuotePath, 'process'),
  ...stagesOf(ParentOrders, 'onQuote', 'settled', 'begin'),
  ...stagesOf(OrderPlacer, 'place'),
  ...stagesOf(LanePool, 'acquire', 'release'),
  ...stagesOf(ExecutionReports, 'report'),
  ...stagesOf(Books, 'track', 'apply'),
  ...stagesOf(LossStreaks, 'filling'),
  ...stagesOf(RiskMonitor, 'filled', 'settled', 'answered'),
  ...stagesOf(ExitBounds, 'settled'),
  ...stagesOf(OrderOutcomes, 'outcome'),
  ...stagesOf(MarketData, 'change'),
  ...stagesOf(Commands, 'perform'),
  ...stagesOf(MoneyIn, 'notified'),
  ...stagesOf(ManualOrders, 'poll', 'heard'),
  ...stagesOf(ScheduledActions, 'due', 'answered', 'passOnHalt'),
  { of: Silences.prototype, name: 'poll', due: ['silences', 'nextLook'] },
];

/** Has one stage of the engine throw at its next call, for which `throws` makes the error. `figure` in [0, 1) names the stage; the result undoes it. */
export function breakStage(figure: number, throws: (stage: string) => Error | null): () => void {
  const stage = STAGES[Math.floor(figure * STAGES.length)];
  if (!stage) throw new Error(`no stage is at ${figure}`);
  const { of, name, due } = stage;
  const whole: unknown = Reflect.get(of, name);
  if (typeof whole !== 'function') throw new Error(`the engine has no stage ${name}`);
  const hurried = due && hurry(...due);
  const undo = (): void => {
    Reflect.set(of, name, whole);
    hurried?.undo();
  };
  Reflect.set(of, name, function broken(this: unknown, ...given: readonly unknown[]): unknown {
    hurried?.calm();
    const error = throws(`${of.constructor.name}.${name}`);
    if (error === null) return Reflect.apply(whole, this, given);
    undo();
    throw error;
  });
  return undo;
}

/** Has a part be due at each event. `calm` gives it its own time back, as the end of the event does. */
function hurry(name: string, field: string): { readonly calm: () => void; readonly undo: () => void } {
  const { handle } = Engine.prototype;
  let calm = (): void => {};
  Engine.prototype.handle = function hurried(event) {
    const part: object = this.inspect((parts) => Reflect.get(parts, name));
    const at: unknown = Reflect.get(part, field);
    Reflect.set(part, field, Number.NEGATIVE_INFINITY);
    calm = () => {
      if (Reflect.get(part, field) === Number.NEGATIVE_INFINITY) Reflect.set(part, field, at);
    };
    try {
      handle.call(this, event);
    } finally {
      calm();
    }
  };
  return { calm: () => calm(), undo: () => void Reflect.set(Engine.prototype, 'handle', handle) };
}

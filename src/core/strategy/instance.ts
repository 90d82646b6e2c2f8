import type { Hold, Intent } from '#domain/intent.ts';
import type { Amount } from '#domain/lane.ts';
import type { LaneId, ProductCode, StrategyId } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';
import type { MarkedStrategy, StateEvent } from './contract.ts';
import type { BoundInput } from './inputs.ts';
import type { StrategyError, StrategyOrigin } from './origin.ts';

/** A strategy module bound to one product and amount, with its parameters. */
export interface StrategyInstance {
  readonly id: StrategyId;
  readonly definition: MarkedStrategy;
  readonly lane: LaneId;
  readonly product: ProductCode;
  readonly amount: Amount;
  /** Further inputs by name, as the configuration binds them. */
  readonly inputs?: Readonly<Record<string, BoundInput>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** With the id, decides the numbers of `view.random()`. */
  readonly seed: string;
  /** Where its source is; undefined for a strategy made by code. */
  readonly origin?: StrategyOrigin | undefined;
}

/** Where a strategy trades: on its own lane, then on its lane inputs. */
export function tradedOn({ lane, product, inputs = {} }: Pick<StrategyInstance, 'lane' | 'product' | 'inputs'>) {
  const others = Object.values(inputs).filter(({ kind }) => kind === 'lane');
  return [{ lane, product }, ...others.map((input) => ({ lane: input.source, product: input.product }))];
}

/** Values named by `observe`, and the last signal under `signal`, as they stood at the decision. */
export type SignalValues = Readonly<Record<string, unknown>>;

/** The result of asking a strategy. */
export type HostResult =
  | { readonly kind: 'intents'; readonly instance: StrategyInstance; readonly intents: readonly Intent[]; readonly signals: SignalValues }
  | {
      readonly kind: 'hold';
      readonly instance: StrategyInstance;
      readonly reason: Hold['reason'];
      readonly withdraws: boolean;
      readonly signals: SignalValues;
    }
  | { readonly kind: 'warming'; readonly instance: StrategyInstance; readonly why: string }
  /** The strategy's state has changed: its JSON, and the event that changed it. */
  | { readonly kind: 'state'; readonly instance: StrategyInstance; readonly text: string; readonly by: StateEvent['type'] }
  /** Nothing was decided on a signal that is not a number. */
  | { readonly kind: 'nan'; readonly instance: StrategyInstance; readonly why: string; readonly signals: SignalValues }
  | { readonly kind: 'bad_intent'; readonly instance: StrategyInstance; readonly why: string; readonly inARow: number }
  /** `anew`: its streams begin anew. */
  | {
      readonly kind: 'threw';
      readonly instance: StrategyInstance;
      readonly thrown: StrategyError;
      readonly inARow: number;
      readonly anew: boolean;
    }
  | { readonly kind: 'disabled'; readonly instance: StrategyInstance; readonly why: string; readonly reason: Reason };

/** The exports of `kairos/testing`, for tests of strategies. */
export { checkOperator, type OperatorCheck } from './check-operator.ts';
export { type Mark, marbles, type Values } from './diagram.ts';
export type { Price } from './quotes.ts';
export type { ScenarioOrder, ScenarioRefusal } from './results.ts';
export { type Lines, type Scenario, type SignalFields, scenario } from './scenario.ts';
export type { AmountEntry, ScenarioOptions } from './scenario-options.ts';
export { type SignalOptions, signalsOf } from './signals.ts';

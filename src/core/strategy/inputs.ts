import type { BasicQuote, FullQuote } from '#domain/indicative-quote.ts';
import type { LaneId, Millis, ProductCode } from '#domain/names.ts';
import { type FieldValue, type SignalSchema, schemaFault } from '#domain/outside-signal.ts';
import type { Quote } from '#domain/quote.ts';
import { type Duration, durationMs } from './duration.ts';

/** A further input of a strategy, bound to a product in the configuration. `Value` is what its stream brings. */
export interface InputSpec<Value = unknown> {
  readonly kind: 'lane' | 'fullBook' | 'basic' | 'signal';
  /** For the compiler alone: never there. */
  readonly value?: Value;
}

export type InputSpecs = Readonly<Record<string, InputSpec>>;

/** What the stream of an input brings. */
export type InputValue<Spec> = Spec extends InputSpec<infer Value> ? Value : never;

/** Trading quotes of another product or amount; intents may go there with `on`. */
export function lane(): InputSpec<Quote> {
  return Object.freeze({ kind: 'lane' });
}

/** Order books, for looking at; without a binding those of the strategy's own product. */
export function fullBook(): InputSpec<FullQuote> {
  return Object.freeze({ kind: 'fullBook' });
}

/** Plain prices, for looking at; without a binding those of the strategy's own product. */
export function basic(): InputSpec<BasicQuote> {
  return Object.freeze({ kind: 'basic' });
}

/** A signal from outside. Times in Unix milliseconds. */
export interface Received<Value> {
  readonly value: Value;
  /** When it arrived, in engine time. */
  readonly at: Millis;
  /** Since its arrival, in milliseconds. */
  readonly age: Millis;
  /** When its sender made it, by his own clock; null where he did not say. */
  readonly madeAt: Millis | null;
  readonly id: string;
}

/** An input of signals from outside, with the fields that each must have. */
export interface SignalInput<Value> extends InputSpec<Received<Value>> {
  readonly kind: 'signal';
  readonly schema: SignalSchema;
  /** Age from which it counts as missing, in milliseconds; null: never. */
  readonly staleAfterMs: number | null;
}

interface SignalOptions<Schema extends SignalSchema> {
  /** Each field is `'number'`, `'text'`, `'flag'` or a list of words. */
  readonly schema: Schema;
  /** Age from which it counts as missing, such as `30s`; without it never. */
  readonly staleAfter?: Duration;
}

/** Signals from the source of the same name in `signals.sources`: of a chart service, or of a model of yours. */
export function signal<const Schema extends SignalSchema>({
  schema,
  staleAfter,
}: SignalOptions<Schema>): SignalInput<{ readonly [Name in keyof Schema]: FieldValue<Schema[Name]> }> {
  return Object.freeze({ kind: 'signal', schema, staleAfterMs: staleAfter === undefined ? null : durationMs(staleAfter, 'staleAfter') });
}

/** The inputs of a strategy that are signals from outside, by name. */
export function signalInputs(inputs: InputSpecs = {}): readonly (readonly [name: string, input: SignalInput<unknown>])[] {
  return Object.entries(inputs).flatMap(([name, input]) => (isSignalInput(input) ? [[name, input] as const] : []));
}

const isSignalInput = (input: InputSpec): input is SignalInput<unknown> => input.kind === 'signal' && 'schema' in input;

/** An input as it was bound: the subscription that feeds it. */
export interface BoundInput {
  readonly kind: InputSpec['kind'];
  readonly source: LaneId;
  readonly product: ProductCode;
}

/** What is wrong with a definition's `inputs`, and the word at fault; or undefined. */
export function inputsFault(inputs: unknown): { readonly what: string; readonly word: string } | undefined {
  if (inputs === undefined) return undefined;
  if (typeof inputs !== 'object' || inputs === null)
    return { what: 'inputs must be an object of lane(), basic(), fullBook(), signal()', word: 'inputs' };
  for (const [name, spec] of Object.entries(inputs)) {
    if (name === 'main') return { what: "inputs.main: 'main' is the configured lane; choose another name", word: 'main' };
    const kind: unknown = typeof spec === 'object' && spec !== null && 'kind' in spec ? spec.kind : undefined;
    if (kind !== 'lane' && kind !== 'fullBook' && kind !== 'basic' && kind !== 'signal') {
      return { what: `inputs.${name}: declare it with lane(), basic(), fullBook() or signal()`, word: name };
    }
    const fault = kind === 'signal' ? schemaFault('schema' in spec ? spec.schema : undefined) : undefined;
    if (fault !== undefined) return { what: `inputs.${name}: ${fault}`, word: name };
  }
  return undefined;
}

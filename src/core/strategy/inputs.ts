import type { BasicQuote, FullQuote } from '#domain/indicative-quote.ts';
import type { LaneId, ProductCode } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';

/** A further input of a strategy, bound to a product in the configuration. `Value` is what its stream brings. */
export interface InputSpec<Value = unknown> {
  readonly kind: 'lane' | 'fullBook' | 'basic';
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
    return { what: 'inputs must be an object of lane(), basic(), fullBook()', word: 'inputs' };
  for (const [name, spec] of Object.entries(inputs)) {
    if (name === 'main') return { what: "inputs.main: 'main' is the configured lane; choose another name", word: 'main' };
    const kind: unknown = typeof spec === 'object' && spec !== null && 'kind' in spec ? spec.kind : undefined;
    if (kind !== 'lane' && kind !== 'fullBook' && kind !== 'basic') {
      return { what: `inputs.${name}: declare it with lane(), basic() or fullBook()`, word: name };
    }
  }
  return undefined;
}

/** Why an intent's `on` leads nowhere, or undefined. */
export function unboundInput(
  intents: readonly { readonly on: string | null }[],
  { inputs }: { readonly inputs?: Readonly<Record<string, BoundInput>> },
): string | undefined {
  const lost = intents.find(({ on }) => on !== null && inputs?.[on]?.kind !== 'lane');
  return lost && `the intent names the input '${lost.on}', which is not a lane`;
}

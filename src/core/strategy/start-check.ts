import { messageOf } from '#domain/errors.ts';
import type { MarkedStrategy } from './contract.ts';
import { keptStateOf } from './kept-state.ts';
import { paramValues } from './params.ts';
import { WarmUp } from './warm-up.ts';

/** What keeps a strategy with these parameters from starting, in one line, or undefined: its state or its warm-up. */
export function startFault(definition: MarkedStrategy, params: Readonly<Record<string, unknown>>): string | undefined {
  try {
    const values = paramValues(params);
    keptStateOf(definition, values);
    new WarmUp(definition.warmup?.(values));
    return undefined;
  } catch (error) {
    // The strategy's own code may throw anything; its words are for the one line that refuses to start.
    return messageOf(error);
  }
}

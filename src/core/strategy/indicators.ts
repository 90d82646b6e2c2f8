import { defer, type OperatorFunction, tap } from 'rxjs';
import { ambient } from './ambient.ts';
import { stepped } from './stepped.ts';

/** Takes one value after another and returns the indicator's, or undefined while it has none to give. */
export type Step<In = number, Out = number> = (value: In) => Out | undefined;

/**
 * An indicator: an rxjs operator that emits once it is warm, one value per value in; and `start()`, a fresh run of it, so
 * that `crossing` and `above` compare two on the same value without a zip.
 */
export interface Indicator<In = number, Out = number> extends OperatorFunction<In, Out> {
  start(): Step<In, Out>;
}

/** Makes an indicator from what begins a run of it. */
export function indicator<In = number, Out = number>(start: () => Step<In, Out>): Indicator<In, Out> {
  return Object.assign(stepped(start), { start });
}

/** As `indicator`, of numbers; what is no finite number is passed over, as if it had not come. */
export function overNumbers<Out>(start: () => Step<number, Out>): Indicator<number, Out> {
  return indicator(() => {
    const step = start();
    return (x) => (Number.isFinite(x) ? step(x) : undefined);
  });
}

/** One figure of an indicator that has several, to compare it: `crossing(select(macd(), (m) => m.histogram), 0)`. */
export function select<In, Out, Picked>(of: Indicator<In, Out>, pick: (value: Out) => Picked): Indicator<In, Picked> {
  return indicator(() => {
    const step = of.start();
    return (value) => {
      const out = step(value);
      return out === undefined ? undefined : pick(out);
    };
  });
}

/**
 * Names what a stream emits, for journal, chart and `why`: `pipe(mid(), observe('mid'))`. Around an indicator it does the
 * same where the indicator is compared: `above(observe('fast', sma(20)), sma(60))`.
 */
export function observe<T>(name: string): OperatorFunction<T, T>;
export function observe<In, Out>(name: string, of: Indicator<In, Out>): Indicator<In, Out>;
export function observe<In, Out>(name: string, of?: Indicator<In, Out>): OperatorFunction<unknown, unknown> | Indicator<In, Out> {
  if (of === undefined) return observed(name);
  return indicator(() => {
    const owner = ambient(`observe('${name}')`);
    const step = of.start();
    return (x) => {
      const y = step(x);
      if (y !== undefined) owner.observe(name, y);
      return y;
    };
  });
}

function observed(name: string): OperatorFunction<unknown, unknown> {
  return (source) =>
    defer(() => {
      const owner = ambient(`observe('${name}')`);
      return source.pipe(tap((value) => owner.observe(name, value)));
    });
}

/** Throws on what is no whole number from `least`; `what` names who asks. */
export function period(n: number, what: string, least = 1): void {
  if (!Number.isSafeInteger(n) || n < least) throw new RangeError(`${what}: a period is a whole number from ${least}, not ${n}`);
}

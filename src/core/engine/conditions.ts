import type { EngineContext } from './engine-context.ts';
import type { EventOf } from './event-handlers.ts';

/** Takes note of what was measured outside: certificates, the token, the clock, and how late this machine is. */
export function takeCondition({ name, on, figure }: EventOf<'condition'>, { state, clockState, escalateHalt }: EngineContext): void {
  if (name === 'certificate' && on) state.halt('CERTIFICATE', 'kairos', 'the service could not prove who it is');
  // A halt that could not be passed on must not find more at risk than there is.
  if (name === 'token' && on && escalateHalt) {
    state.reduce(
      'TOKEN_GONE',
      'kairos',
      `no valid bearer token for ${figure / 1000} s, so a halt could not pause the service's strategies`,
    );
  }
  clockState.condition(name, on, figure);
}

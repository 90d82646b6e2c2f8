import { never } from '#domain/errors.ts';
import type { EngineContext } from './engine-context.ts';
import type { EventOf } from './event-handlers.ts';

/** Takes note of what was measured outside: certificates, the token, the clock, and how late this machine is. */
export function takeCondition({ name, on, figure }: EventOf<'condition'>, { state, clockState, escalateHalt }: EngineContext): void {
  switch (name) {
    case 'certificate':
      if (on) state.halt('CERTIFICATE', 'kairos', 'the service could not prove who it is');
      return;
    case 'token': {
      const why = `no valid bearer token for ${figure / 1000} s, so a halt could not pause the service's strategies`;
      // A halt that could not be passed on must not find more at risk than there is.
      if (on && escalateHalt) state.reduce('TOKEN_GONE', 'kairos', why);
      return;
    }
    case 'clock-step':
    case 'clock':
    case 'lag':
      return clockState.condition(name, on, figure);
    default:
      return never(name);
  }
}

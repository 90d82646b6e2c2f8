import type { StrategyStatus } from './record.ts';

export type StrategyAction = 'start' | 'stop' | 'pause' | 'schedule-opening-pause' | 'flush' | 'modify';

/**
 * What an action makes of a state, or undefined where it is refused. Asking again for what is already so is no fault,
 * since an answer may have been lost. Stopped is final (notes, "Strategies"; wire names of states are our own choice).
 */
export function nextStatus(status: StrategyStatus, action: StrategyAction): StrategyStatus | undefined {
  switch (action) {
    case 'start':
      return status === 'STOPPED' ? undefined : 'ACTIVE';
    case 'pause':
      return status === 'ACTIVE' || status === 'PAUSED' ? 'PAUSED' : undefined;
    case 'stop':
      return status === 'CREATED' ? undefined : 'STOPPED';
    case 'schedule-opening-pause':
    case 'flush':
    case 'modify':
      return status === 'STOPPED' ? undefined : status;
  }
}

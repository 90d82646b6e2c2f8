/** How a daemon trades: on a venue of its own on loopback, on a real service's quotes without orders, or with real money. */
export type Mode = 'paper' | 'dry' | 'live';

/** What differs by mode, all of it. Nothing else in the code compares modes. */
interface ModeFacts {
  /** Orders go to a service on the wire; false: they are executed in this process, and the service is asked for nothing but quotes and time. */
  readonly sendsOrders: boolean;
  /** An order spends money that somebody has. */
  readonly isRealMoney: boolean;
  /** The service is a venue to try things on: a drill may send an order, and a strategy whose source changed is enabled again. */
  readonly isForTrials: boolean;
  /** Begins each line of the log. */
  readonly logPrefix: string;
  /** What a user sees as the mode of a run. */
  readonly words: string;
  /** What quotes are worth to somebody without `service.userId`. */
  readonly withoutUser: string;
}

const MODES: Readonly<Record<Mode, ModeFacts>> = {
  paper: {
    sendsOrders: true,
    isRealMoney: false,
    isForTrials: true,
    logPrefix: '',
    words: 'paper',
    withoutUser: 'none: quotes are for display only',
  },
  dry: {
    sendsOrders: false,
    isRealMoney: false,
    isForTrials: false,
    // Nobody who reads one line of a log should take a dry run for real trading.
    logPrefix: 'DRY: ',
    words: 'DRY: no order is sent',
    withoutUser: 'none: quotes are anonymous',
  },
  live: {
    sendsOrders: true,
    isRealMoney: true,
    isForTrials: false,
    logPrefix: '',
    words: 'live',
    withoutUser: 'none: quotes are for display only',
  },
};

export function modeFacts(mode: Mode): ModeFacts {
  return MODES[mode];
}

/** As `modeFacts`, of a mode that a journal or a daemon names; undefined for one that no daemon has, as a backtest's. */
export function modeFactsNamed(mode: string | null | undefined): ModeFacts | undefined {
  return new Map<string | null | undefined, ModeFacts>(Object.entries(MODES)).get(mode);
}

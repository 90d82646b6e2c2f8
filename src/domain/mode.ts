/** How a daemon trades: on a venue of its own on loopback, on a real service's quotes without orders, or with real money. */
export type Mode = 'paper' | 'dry' | 'live';

/** Everything that differs by mode. Nothing else in the code compares modes. */
interface ModeFacts {
  /** True if orders go to a service; false if they are executed in this process and the service gives quotes and time only. */
  readonly sendsOrders: boolean;
  /** True if orders spend real money. */
  readonly isRealMoney: boolean;
  /** True if the service is a test venue: a drill may send an order, and a strategy whose source changed is enabled again. */
  readonly isForTrials: boolean;
  /** The prefix of each log line. */
  readonly logPrefix: string;
  /** The mode's name for users. */
  readonly words: string;
  /** What quotes are good for without `service.userId`. */
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
    // No line of a dry run's log may be taken for real trading.
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

/** What differs in a mode. */
export function modeFacts(mode: Mode): ModeFacts {
  return MODES[mode];
}

/** As `modeFacts`, for a mode's name from a journal or a daemon; undefined for any other, such as a backtest's. */
export function modeFactsNamed(mode: string | null | undefined): ModeFacts | undefined {
  return new Map<string | null | undefined, ModeFacts>(Object.entries(MODES)).get(mode);
}

/** True of a run that a backtest played, by its mode in a journal. */
export const isBacktest = (mode: string | null | undefined): boolean => mode === 'backtest';

/** How a daemon trades: on a Kairos venue, on a real service's quotes without orders, or with real money. */
export type Mode = (typeof MODE_NAMES)[number];

/** Every mode by its name in the settings. */
export const MODE_NAMES = ['paper', 'dry', 'live'] as const;

/** Everything that differs by mode. Nothing else in the code compares modes. */
interface ModeFacts {
  /** True if orders go to a service; false if they are executed in this process and the service gives quotes and time only. */
  readonly sendsOrders: boolean;
  /** True if orders spend real money. */
  readonly isRealMoney: boolean;
  /** True if the service is a Kairos venue: a drill may send an order, a changed strategy is enabled again, keys are public, clocks are one. */
  readonly isForTrials: boolean;
  /** The mode's name for users, and what it means. */
  readonly words: string;
  /** What quotes are good for without `service.userId`. */
  readonly withoutUser: string;
}

const MODES: Readonly<Record<Mode, ModeFacts>> = {
  paper: {
    sendsOrders: true,
    isRealMoney: false,
    isForTrials: true,
    words: 'PAPER: no real money',
    withoutUser: 'none: quotes are for display only',
  },
  dry: {
    sendsOrders: false,
    isRealMoney: false,
    isForTrials: false,
    words: 'DRY: no order is sent',
    withoutUser: 'none: quotes are anonymous',
  },
  live: {
    sendsOrders: true,
    isRealMoney: true,
    isForTrials: false,
    words: 'LIVE: real money',
    withoutUser: 'none: quotes are for display only',
  },
};

/** True where the settings do not say the mode, so that the service decides it. */
export const isUndeclared = (declared: Mode | null): boolean => declared === null;

/** What decides the mode of a run. */
interface ModeInput {
  /** The setting `mode`; null for none. */
  readonly declared: Mode | null;
  /** The setting `service.baseUrl`; null where Kairos starts a venue of its own. */
  readonly baseUrl: string | null;
  /** True if the service has proved to be a Kairos venue of this user's. Its address proves nothing. */
  readonly isVenue: boolean;
  /** The word at the start, `--live` or KAIROS_LIVE=yes: given or not; undefined for a command that starts no trading. */
  readonly live: boolean | undefined;
}

/**
 * The mode by settings, service and start, and why it is refused, if it is. Live needs two keys: the setting and the word; one of them
 * alone starts nothing.
 */
export function modeAsked({ declared, baseUrl, isVenue, live }: ModeInput): { readonly mode: Mode; readonly refusal: string | null } {
  const fitting = baseUrl === null || isVenue ? 'paper' : 'dry';
  const mode = declared ?? fitting;
  const refusal = (): string | null => {
    if (live === true && mode !== 'live')
      return '--live or KAIROS_LIVE=yes is given, and the settings do not say `mode: live`: write it there, or leave the word out; nothing was sent';
    if (live === false && mode === 'live')
      return 'mode: live needs a word at the start as well: `--live`, or KAIROS_LIVE=yes under a supervisor (`--set mode=dry` runs dry); nothing was sent';
    if (mode !== 'paper' && baseUrl === null) return `mode: ${mode} needs service.baseUrl, and it is not set: set KAIROS_BASE_URL`;
    if (mode === 'paper' && fitting !== 'paper')
      return `mode: paper needs a Kairos venue of your own, and ${baseUrl} has not proved to be one: start \`kairos venue\` there as this user, or set mode: dry`;
    return null;
  };
  return { mode, refusal: refusal() };
}

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

/** True of a daemon that sends no order, by its mode in a journal: Kairos answers each one itself. */
export const isDry = (mode: string | null | undefined): boolean => modeFactsNamed(mode)?.sendsOrders === false;

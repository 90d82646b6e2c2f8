import type { SimulatedFault } from './faults.ts';

/** One fault of a seed: what, when, and how much of it. Times in milliseconds from the start. */
export interface Trouble {
  /** Names its draws, which stay the same when another fault is removed. */
  readonly id: number;
  readonly fault: SimulatedFault;
  readonly from: number;
  readonly to: number;
  readonly share: number;
  readonly figure: number;
}

export type PlannedAmount = { readonly base: string } | { readonly quote: string };

/** A strategy as the configuration names it. */
export interface PlannedStrategy {
  readonly id: string;
  readonly use: string;
  readonly product: string;
  readonly amount: PlannedAmount;
  /** The lanes or display inputs to which its inputs are bound. */
  readonly inputs?: Readonly<Record<string, { readonly product: string; readonly amount?: PlannedAmount }>>;
  readonly params: Readonly<Record<string, number | string | boolean>>;
  readonly exits: Readonly<Record<string, number | boolean>> | null;
  /** In dollars; 50,000 without it. */
  readonly budget?: number;
  readonly enabled?: false;
  readonly hours?: PlannedHours;
}

/** When a strategy may open positions. */
export interface PlannedHours {
  readonly windows: Readonly<Record<string, string | readonly string[]>>;
  /** Where it may not, in milliseconds from the start: from the first up to the second. */
  readonly closed: readonly (readonly [number, number])[];
}

/** An act of a person, in addition to looking after the daemon. */
export interface PlannedAct {
  readonly at: number;
  readonly act:
    | 'halt'
    | 'halt-in-resume'
    | 'close'
    | 'flatten'
    | 'end'
    | 'pause'
    | 'stop-file'
    | 'book'
    | 'correct'
    | 'order'
    | 'line'
    | 'halt-away'
    | 'resume-away'
    | 'create'
    | 'remote-pause'
    | 'remote-start';
  /** Percent of the position for a `close`. */
  readonly figure?: number;
  /** The product of a manual order; `amount` is in base currency, of a booking in dollars, of a correction in quote currency. */
  readonly product?: string;
  readonly side?: 'buy' | 'sell';
  readonly amount?: string;
  /** The line of the schedule that a `line` does, twice. */
  readonly name?: string;
  /** A `flatten` ends a halt, so that it can close. */
  readonly resume?: true;
}

/** A line of the schedule, which falls due once, or again and again. */
export interface PlannedLine {
  readonly name: string;
  readonly cron: string;
  /** UTC without it. */
  readonly timezone?: string;
  readonly action: string;
  readonly strategy?: string;
  readonly strategyId?: string;
  readonly missed: 'alert' | 'skip' | 'run';
  /** When it falls due first, in milliseconds from the start. */
  readonly at: number;
  /** From one time to the next, in milliseconds; absent where it falls due once. */
  readonly everyMs?: number;
}

/** Everything that a seed draws, as plain data. It replays the same history, and can be shrunk. */
export interface SimulationPlan {
  readonly seed: string;
  readonly hours: number;
  /** Unix milliseconds at which it begins; absent: a morning. */
  readonly startsAt?: number;
  /** Milliseconds between two quotes of a connection. */
  readonly cadenceMs: number;
  readonly validityMs: number;
  /** The loop reads its sockets together, once in so many milliseconds; absent: each by itself. */
  readonly turnMs?: number;
  /** Milliseconds to the service, least and most. */
  readonly latencyMs: readonly [number, number];
  readonly answerMs: readonly [number, number];
  readonly market: { readonly volatility: number; readonly spreadPct: number; readonly feePct: number; readonly jumps: number };
  readonly products: readonly string[];
  readonly strategies: readonly PlannedStrategy[];
  /** Further settings of the daemon, `KEY=VALUE`. */
  readonly settings: readonly string[];
  readonly dialect: readonly string[];
  /** Milliseconds between two notifications of deposits; 0 for none. */
  readonly depositsEveryMs: number;
  /** Milliseconds between two signals from outside; absent for none. */
  readonly signalsEveryMs?: number;
  readonly schedule: readonly PlannedLine[];
  /** True if the service has strategies of its own for the user and the daemon signs in. */
  readonly remote?: boolean;
  readonly acts: readonly PlannedAct[];
  readonly troubles: readonly Trouble[];
}

/** Time from the end of faults to the end of the history, in milliseconds, within which everything must be live again (I26). */
export const CALM_MS = 60_000;

/** The length of a plan's history in milliseconds, the calm at its end included. */
export const lengthMs = ({ hours }: SimulationPlan): number => hours * 3_600_000;

import type { Mode } from '#domain/mode.ts';
import type { MadeView } from '#server/page/view.ts';

/** `GET /api/fleet`, and what `kairos fleet --json` prints: what is known of every daemon. Times are ISO 8601 UTC. */
export interface FleetView {
  readonly at: string;
  readonly daemons: readonly DaemonView[];
  /** Of all daemons by their modes, live ones first. */
  readonly sums: readonly ModeSums[];
  /** The sweeps of a queue; null where no queue was named. */
  readonly sweeps: SweepsView | null;
}

/** Profits of the daemons of one mode. */
export interface ModeSums extends Pick<DaemonReport, 'mode' | 'profitOfDayIn' | 'profitIn'> {
  /** Daemons that have never answered, by name: they may be of this mode, and are not in it. */
  readonly without: readonly string[];
}

/** What is played on a queue. */
export interface SweepsView {
  /** Address of the queue, without a password. */
  readonly place: string;
  /** Why nothing newer is known, in words; null while the queue answers. */
  readonly why: string | null;
  readonly sweeps: readonly SweepView[];
  readonly workers: readonly {
    readonly worker: string;
    readonly version: string;
    /** Sweeps whose jobs it takes. */
    readonly sweeps: readonly string[];
    readonly trials: number;
  }[];
  /** Those that have ended within a week, the newest first. */
  readonly ended: readonly (SweepFigures & {
    readonly sweep: string;
    readonly host: string;
    readonly at: string;
    readonly how: 'finished' | 'stopped' | 'failed';
  })[];
}

/** A sweep that goes on. */
export interface SweepView extends SweepFigures {
  readonly sweep: string;
  /** Host and process of its coordinator. */
  readonly host: string;
  readonly version: string;
  readonly paused: boolean;
  /** Workers that take its jobs. */
  readonly workers: number;
}

interface SweepFigures {
  /** Trials of the present round. */
  readonly finished: number;
  readonly wanted: number;
  /** Trials of all rounds since its coordinator began. */
  readonly played: number;
  /** What earned most so far; null where nothing traded. */
  readonly best: { readonly params: string; readonly netProfit: number } | null;
}

/** One daemon of a fleet. */
export interface DaemonView {
  readonly name: string;
  /** As it was named: an address, or the file of its journal. */
  readonly place: string;
  /** Its page; null while it is not known where it listens. */
  readonly url: string | null;
  /** `asking`: nothing was heard yet; `slow`: it answers late; `silent`: it does not answer. */
  readonly reach: 'asking' | 'answers' | 'slow' | 'silent';
  /** Why it is silent, in words; null while it is not. */
  readonly why: string | null;
  /** When it last answered; null where it never has. While it is silent that is since when. */
  readonly heardAt: string | null;
  readonly silentSince: string | null;
  /** How long its last answer took. */
  readonly tookMs: number | null;
  /** Whether it may be halted from here. `files`: by the file HALT beside its journal, which needs no token. `read token`: it is for looks alone. */
  readonly access: 'files' | 'token' | 'read token' | 'wrong token' | 'no token' | 'unknown';
  /** What it said last, which may be old while it is silent. */
  readonly said: DaemonReport | null;
  /** The newest row of its journal that tells of trouble. */
  readonly newestAlarm: { readonly at: string; readonly kind: string; readonly words: string } | null;
}

/** What a daemon says of itself, as far as a fleet shows it. */
export interface DaemonReport {
  readonly at: string;
  readonly run: string;
  readonly mode: Mode;
  readonly version: string;
  readonly pid: number;
  readonly trading: 'ACTIVE' | 'REDUCING' | 'DISARMED' | 'HALTED';
  readonly currency: string;
  readonly equity: number | null;
  /** Since the day began (UTC), and of all runs. */
  readonly profitOfDay: number | null;
  readonly profit: number | null;
  /** The same, and beside it what it leaves out, each in its own currency: null where a position has no price. */
  readonly profitOfDayIn: readonly MadeView[];
  readonly profitIn: readonly MadeView[];
  /** Why equity and profits in `currency` leave something out, in words; empty where they hold all. */
  readonly leftOut: readonly string[];
  readonly strategies: readonly StrategyReport[];
  /** What needs somebody before it trades as it should, in words. */
  readonly alarms: readonly string[];
  /** Strategies that have waited or been refused for long, and go on by themselves, in words. */
  readonly waits: readonly string[];
}

/** A strategy of a daemon of a fleet. */
export interface StrategyReport {
  readonly id: string;
  /** False for one that the settings leave out. */
  readonly enabled: boolean;
  readonly product: string;
  readonly state: string;
  /** Since when, what is behind the state, and what ends it, in words. */
  readonly why: string;
  readonly position: string;
  readonly unrealised: number | null;
  readonly quoteCcy: string | null;
  /** What it holds of other products. */
  readonly legs: readonly Pick<StrategyReport, 'product' | 'position' | 'unrealised' | 'quoteCcy'>[];
}

/** What came of a halt of one daemon or of all: `POST /api/halt`, `{daemon, who, why}`. */
export interface FleetHaltResult {
  readonly halted: readonly {
    readonly name: string;
    readonly failed: string | null;
    /** The journals whose daemons are halted, where it is not the one of the settings alone. */
    readonly journals: readonly string[];
  }[];
}

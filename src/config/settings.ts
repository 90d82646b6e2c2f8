import type { AlertSettings } from '#adapters/alerts/settings.ts';
import type { ServiceSettings } from '#adapters/service/rest/settings.ts';
import type { ExitRules } from '#core/execution/exits.ts';
import type { Arming } from '#core/risk/trading-state.ts';
import type { Windows } from '#core/schedule/windows.ts';
import type { FinancingRules } from '#domain/financing.ts';
import type { Amount } from '#domain/lane.ts';
import type { ScheduleLine } from '#domain/schedule.ts';
import type { MillisOrRange, VenuePrices, VenueSettings } from '#venue/settings.ts';

export type { ServiceSettings };

/** A limit on value: a number in `account.currency`, a map by currency, or off. Decimal text. */
export type ValueLimit = 'off' | { readonly byCurrency: Readonly<Record<string, string>> };

export interface StrategySettings {
  readonly id: string;
  /** Module name in `strategies/`, or a path. */
  readonly use: string;
  readonly product: string;
  readonly amount: Amount;
  readonly params: Readonly<Record<string, unknown>>;
  /** Opening capital by currency, decimal text; null for the paper default of 10,000 of the quote currency. */
  readonly budget: Readonly<Record<string, string>> | null;
  /** What further inputs are bound to, by name. */
  readonly inputs: Readonly<Record<string, { readonly product: string; readonly amount: Amount | null }>>;
  /** When positions are closed without the strategy's word; null: never. */
  readonly exits: ExitRules | null;
  /** When it may open positions; null: always. */
  readonly windows: Windows | null;
  readonly enabled: boolean;
  /** Where it stands, for error lines: `kairos.yaml:14`. */
  readonly origin: string;
}

export interface AccountSettings {
  readonly currency: string;
  /** What the account holds at first, decimal text by currency; null where nobody said. */
  readonly opening: Readonly<Record<string, string>> | null;
  readonly allowShort: readonly string[];
  /** Null where no rate is set. */
  readonly financing: FinancingRules | null;
}

type Off<T> = T | 'off';

/** Percentages in percent, times in milliseconds. */
export interface RiskSettings {
  readonly maxOrderValue: ValueLimit;
  readonly maxPositionValue: ValueLimit;
  readonly maxExitValue: ValueLimit;
  readonly maxStrategyValue: ValueLimit;
  readonly maxTotalValue: ValueLimit;
  readonly maxDayValue: ValueLimit;
  readonly maxDayLoss: ValueLimit;
  readonly maxDrawdownPct: Off<number>;
  readonly maxOrdersPerMinute: Off<number>;
  readonly maxOrdersPerMinuteOfStrategy: Off<number>;
  readonly maxOrdersPerMinuteOfProduct: Off<number>;
  readonly maxThrottledPerMinute: Off<number>;
  readonly maxSpreadPct: Off<number>;
  readonly maxSlippagePct: Off<number>;
  readonly maxFeePct: Off<number>;
  readonly collarPct: Off<number>;
  readonly reducing: { readonly collarPct: Off<number>; readonly orderSharePct: Off<number> };
  readonly minTimeLeftMs: Off<number>;
  readonly duplicateWindowMs: Off<number>;
  readonly maxUnknown: Off<number>;
  readonly maxRejectionStreak: Off<number>;
  readonly maxLossStreak: Off<number>;
  readonly maxLossStreakOfAll: Off<number>;
  readonly lossCooldown: number;
}

/** When a start moves the journal's decisions to an archive: once there are so many (null: never), and in another month. */
export interface RotateSettings {
  readonly decisions: number | null;
  readonly monthly: boolean;
}

export interface BackupSettings {
  readonly dir: string | null;
  readonly everyMs: number | null;
  readonly keep: number;
}

/** The receiver of notifications. Secrets as Base64; `secret` null: `service.apiSecret`. */
export interface WebhookReceiverSettings {
  readonly enabled: boolean;
  readonly host: string;
  /** 0 for one that is free. */
  readonly port: number;
  readonly path: string;
  readonly windowMs: number;
  readonly secret: string | null;
  readonly secretPrevious: string | null;
}

/** Where the service's time is known from: the dates of its answers, or this machine's own clock. */
export interface ClockSettings {
  readonly source: 'date' | 'system';
}

export type { MillisOrRange, VenuePrices, VenueSettings };

/** Settings of backtests alone. `latency`: milliseconds each way, or round trips that own runs have measured. */
export interface BacktestSettings {
  readonly latency: 'measured' | MillisOrRange;
  readonly slippagePct: number;
  readonly onHalt: 'end' | 'continue';
  /** `off`: without budgets and the limits of `risk`. */
  readonly limits: 'on' | 'off';
  readonly atEnd: 'keep' | 'close';
  readonly deposits: string | null;
}

export interface LaneSettings {
  readonly max: number;
  readonly opensPerSecond: number;
  /** Connections kept for lanes that are lent. */
  readonly reserve: number;
  /** How long such a lane may take to bring a quote. */
  readonly waitMs: number;
  /** How long lanes of a product may be silent before no order uses them, by product; 2 s where none is named. */
  readonly staleAfterMs: Readonly<Record<string, number>>;
}

/** The configuration, resolved, checked and frozen. */
export interface Settings {
  readonly service: ServiceSettings;
  readonly account: AccountSettings;
  readonly strategies: readonly StrategySettings[];
  readonly risk: RiskSettings;
  /** `sendMarginMs`: no order leaves later than this before its quote dies. `seed` feeds the strategies' random numbers. */
  readonly trading: {
    readonly arming: Arming;
    /** Longest silence over which signals are fed with recorded quotes; null: they are not. */
    readonly warmUpMaxGapMs: number | null;
    readonly sendMarginMs: number;
    readonly seed: string;
    /** What strategies may take of the machine; null: as much as they like. */
    readonly maxStrategyMs: number | null;
    readonly maxMemoryMb: number | null;
  };
  readonly lanes: LaneSettings;
  readonly schedule: readonly ScheduleLine[];
  readonly recording: { readonly enabled: boolean; readonly dir: string; readonly keepDays: number };
  /** `backup.dir` null: none are made; `everyMs` null: only when asked for; `keep`: so many, the newest. */
  readonly journal: { readonly path: string; readonly backup: BackupSettings; readonly rotate: RotateSettings };
  readonly halt: { readonly escalate: 'none' | 'pauseAll' };
  /** The control server. `port` null: 8080 or the next free one; `token` null: the one in `ops-token` beside the journal. */
  readonly ops: { readonly host: string; readonly port: number | null; readonly token: string | null };
  readonly webhooks: WebhookReceiverSettings;
  readonly alerts: AlertSettings;
  readonly backtest: BacktestSettings;
  readonly log: { readonly level: string; readonly pretty: boolean | 'auto' };
  readonly venue: VenueSettings;
  readonly clock: ClockSettings;
}

import type { AlertSettings } from '#adapters/alerts/settings.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import type { ExitRules } from '#core/execution/exits.ts';
import type { Arming } from '#core/risk/trading-state.ts';
import type { Windows } from '#core/schedule/windows.ts';
import type { FinancingRules } from '#domain/financing.ts';
import type { Amount } from '#domain/lane.ts';
import type { RiskSettings } from '#domain/limits.ts';
import type { ValuesOf } from '#domain/settings/key.ts';
import type { VenueSettings } from '#paper-venue/settings.ts';
import type { KEYS } from './keys.ts';

export type { ServiceSettings };

/** One instance of a strategy: an entry of `strategies` for one product. Amounts are decimals, or text by currency. */
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
  /** Rules that close positions without the strategy; null for none. */
  readonly exits: ExitRules | null;
  /** When it may open positions; null: always. */
  readonly windows: Windows | null;
  readonly enabled: boolean;
  /** Its place for error lines, as in `kairos.yaml:14`. */
  readonly origin: string;
}

/** A lane that is there for its price alone. */
export interface RateLane {
  readonly product: string;
  readonly amount: Amount;
  /** Its place for error lines, as in `kairos.yaml:14: account.rates[0]`. */
  readonly origin: string;
}

/**
 * `opening`: the account's opening balances, decimal text by currency, null if not known; `isOpeningGiven`: the user set them, so that a
 * currency without one holds nothing; `financing` is null without rates.
 */
type AccountSettings = Omit<ValuesOf<Keys['account']>, 'financing' | 'rates'> & {
  readonly isOpeningGiven: boolean;
  readonly rates: readonly RateLane[];
  readonly financing: FinancingRules | null;
};

type Keys = typeof KEYS;

/** The source of the service's time: the dates of its answers, or this machine's clock. */
export type ClockSettings = ValuesOf<Keys['clock']>;

/** When the journal's decisions are moved to an archive: from a number of decisions (null: never), and with a new month; `at` null: only by a start. */
type RotateSettings = Omit<ValuesOf<Keys['journal']['rotate']>, 'at'> & { readonly at: string | null };

/** `dir` null: no backups; `everyMs` null: only on request; `keep`: number of newest backups to keep. */
type BackupSettings = Omit<ValuesOf<Keys['journal']['backup']>, 'every'> & { readonly everyMs: number | null };

/** `staleAfterMs`: how long lanes of a product may be silent before no order uses them, by product; 2 s by default. */
type LaneSettings = Omit<ValuesOf<Keys['lanes']>, 'staleAfter'> & { readonly staleAfterMs: Readonly<Record<string, number>> };

type AsDeclared = 'mode' | 'recording' | 'halt' | 'ops' | 'webhooks' | 'signals' | 'backtest' | 'queue' | 'log' | 'clock' | 'schedule';

/** The configuration, resolved, checked and frozen. Its names are those of `KEYS`; sections of another shape are below. */
export interface Settings extends Pick<ValuesOf<Keys>, AsDeclared> {
  readonly service: ServiceSettings;
  readonly account: AccountSettings;
  readonly strategies: readonly StrategySettings[];
  readonly risk: RiskSettings;
  /** `seed` feeds the strategies' random numbers. */
  readonly trading: Pick<ValuesOf<Keys['trading']>, 'sendMarginMs' | 'seed'> & {
    readonly arming: Arming;
    /** Longest gap in recorded quotes that still warm up signals; null: no warm-up. */
    readonly warmUpMaxGapMs: number | null;
    /** Limits of strategies' use of the machine; null for none. */
    readonly maxStrategyMs: number | null;
    readonly maxMemoryMb: number | null;
  };
  readonly lanes: LaneSettings;
  readonly journal: { readonly path: string; readonly backup: BackupSettings; readonly rotate: RotateSettings };
  readonly alerts: AlertSettings;
  readonly venue: VenueSettings;
}

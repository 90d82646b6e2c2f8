/** The amount of an order, as in `kairos.yaml`: a size in base currency or a value in quote currency. */
export type AmountEntry = { readonly base: number | string } | { readonly quote: number | string };

/** How a strategy is run; names and values are those of `kairos.yaml`. */
export interface ScenarioOptions {
  /** A product of the paper venue; btcusd by default. */
  readonly product?: string;
  /** Amount of one trade; `{ base: 0.01 }` by default. */
  readonly amount?: AmountEntry;
  readonly params?: Readonly<Record<string, number | boolean | string>>;
  /** Bindings of further inputs. */
  readonly inputs?: Readonly<Record<string, { readonly product: string; readonly amount?: AmountEntry }>>;
  readonly exits?: Readonly<Record<string, number | boolean>>;
  /** Opening capital by currency; 10,000 of the product's quote currency by default. */
  readonly budget?: Readonly<Record<string, number | string>>;
  /** Any other setting by its key, as in `{ 'risk.maxSpreadPct': 0.1 }`. Defaults are those of paper. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Start time, ISO 8601; the beginning of 2026 by default. */
  readonly startAt?: string;
  /** Latency of an order to the service, and of its answer back, in milliseconds; 0 by default. */
  readonly latencyMs?: number;
  /** Fee in percent of an order's value; 0.1 by default. */
  readonly feePercentage?: number;
}

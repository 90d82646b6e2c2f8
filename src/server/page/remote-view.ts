/** `GET /api/remote`: the service's own strategies as it read them back at `at`; it is asked at most once every two seconds. */
export interface RemoteStrategiesView {
  readonly at: string;
  readonly strategies: readonly RemoteStrategyView[];
  /** Why there is no list, or not all of it; null where it is whole. */
  readonly why: string | null;
}

/** Names and words of state and parameters are the service's own. */
export interface RemoteStrategyView {
  readonly id: string;
  /** When it changed last, as the service says. */
  readonly changedAt: string | null;
  readonly state: readonly NamedText[];
  readonly params: readonly NamedText[];
}

/** A name with its value as text. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Why a strategy has no order, in words: as people and programs are told. */
export interface WhyNotAnswer {
  readonly strategy: string;
  /** ISO 8601. */
  readonly at: string;
  /** Null where no daemon ran. */
  readonly run: string | null;
  readonly answer: string;
  readonly advice: string;
  readonly facts: readonly { readonly about: string; readonly text: string }[];
}

/** `GET /api/why-not`: what a running daemon answers, of all its strategies, now. */
export interface WhyNotView {
  readonly pid: number;
  readonly version: string;
  readonly run: string;
  readonly answers: readonly WhyNotAnswer[];
}

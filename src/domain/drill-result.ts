/** What a halt drill came to. Times count from the writing of the file, in milliseconds; null: it did not come that far. */
export interface DrillResult {
  readonly verdict: 'passed' | 'failed' | 'inconclusive';
  readonly outcome: string;
  /** The order that was tried. */
  readonly orderId: string | null;
  /** Until the main loop knew that the gate was shut. */
  readonly shutMs: number | null;
  /** Until the gate had stopped the order. */
  readonly stoppedMs: number | null;
}

/** The result of a halt drill. Times are in milliseconds since the file was written; null for a stage that was not reached. */
export interface DrillResult {
  readonly verdict: 'passed' | 'failed' | 'inconclusive';
  readonly outcome: string;
  /** The order that the drill tried to send. */
  readonly orderId: string | null;
  /** When the main loop knew that the gate was shut. */
  readonly shutMs: number | null;
  /** When the gate had stopped the order. */
  readonly stoppedMs: number | null;
}

/** The service's own strategies, as far as schedules drive them (spec 4.1). */
export interface Orchestrator {
  /** Asks for a pause of every strategy; 202 means asked, not done. Rejects with a KairosError. */
  pauseAll(): Promise<{ readonly httpStatus: number; readonly response: string }>;
}

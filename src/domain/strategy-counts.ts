/** What is counted of a strategy since its run began. Each starts at zero here, `StrategyRunner` has them, and the page's state tells them. */
export class StrategyCounts {
  /** How often `decide` was called. */
  asked = 0;
}

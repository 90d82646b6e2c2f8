/**
 * Changes of what the engine makes of the same events, numbered from 1 as they came. Each run records the last of them, so that a replay
 * that differs can name what came since. A change of decisions adds its line of the changelog here, and none is ever removed.
 */
export const BEHAVIOURS: readonly string[] = [
  'The first strategy order at a service follows a rehearsal, or `kairos arm --unrehearsed`.',
  'Exits sell what is certain beside an unknown order. `close` and `flatten` go on until the position is gone.',
  '`kairos resume` ends the pause of all and leaves those of single strategies.',
  'Tests of a walk-forward begin with warm signals. A backtest has no rows `blocked`.',
  'An imported bar that ends a candle completes it: strategies on candles decide a bar earlier.',
  'A restart counts what was traded today, and a strategy of several products keeps what it spent.',
  'An answer whose value includes the fee is booked right; a value that fits nothing is unknown.',
  'A fee in the coin is taken out of what may be sold.',
  '`maxHoldSeconds` and a trailing stop count from the entry, not from earlier dust.',
  'Signals begin anew after a hole between recordings.',
  'Rows of unknown orders tell what may be held.',
  'An unknown order without a lane counts towards limits at its own price.',
  'After a restart a budget counts what was traded in its other products before they are quoted.',
  'After a restart limits of loss count a silent product at its last recorded, else at its entry price. Strategies that a change of products disabled come back by themselves.',
  'A due exit waits for nothing beside it. Undoing sells no more than is held, and reopens nothing that is refused for good.',
  '`close --pct` is done by its own orders. A permission for large exits ends with the position.',
  '`risk.maxDrawdownPct` is of the enabled budgets. A fee in a third currency leaves the quote currency alone.',
  'Exits also watch products that a strategy trades on lane inputs.',
  'What `flatten` stopped stays so over restarts, rotations and `trading.rearmAfter`. A product that is missing at a restart disables its strategies alone.',
  "A disabled strategy's state knows of its orders and deposits.",
  'A 4xx of a closed market is a refusal. An absurd amount is an error of its strategy.',
  'Schedule lines with lists come once a day when the clocks change.',
  'A journal that another program holds halts nothing.',
  "A backtest sizes amounts of quote currency by each side's price.",
  'Live, a start with `trading.arm: auto` ends no REDUCING, and a crash begins one.',
  'A price that jumps beyond `risk.reducing.collarPct` is not acted on.',
  'After a 429 an exit that never left was no try. Exits are watched on another lane where their own is lost.',
  'A restart withdraws openings of strategies that no longer trade on their lane.',
  'Exits retry stand-in lanes and take lanes of waiting plans. Partly executed undoing goes on.',
  'A position below `minNotionalValue` counts as flat; its exits go on once its price rises.',
  'Exits leave a lane that is set aside. A refused price does not move the collar.',
  'Signals warm up on no quote that live refuses.',
  'Losses in a row count by lots; without a quote a product counts at its entry price.',
  'A missed line gives way only to one that undoes it or does its work. A start passes on a halt.',
  'A stop holds back orders that wait for connections.',
  '`above()` says nothing before its sides differ. Infinities of own operators are nothing.',
  'State that JSON cannot keep is an error. Strategies read outside signals by their own schema.',
  'Local time of strategies is UTC. Warm-ups span restarts.',
  '`close --pct` leaves what orders in flight add.',
  'A flatten ends a halt before its own row.',
  'After a restart a first leg ends with its quote, what opened since a flatten stays, and closing uses another lane. Undoing that reopens goes on after a partial execution. A manual close leaves a silent lane.',
  'A budget counts every product that its strategy traded. Parts of a position closed in a row are one close. Closings take turns on temporary lanes. A correction needs an earlier fill.',
  'A flatten or close ends what a strategy waits for. The fee of an exit is within `risk.maxFeePct` or `risk.reducing.collarPct`.',
  'No schedule line ends the pause of a person. A transfer that comes twice at once is booked once.',
  'What a strategy waits for ends when its order of unknown outcome turns out executed.',
  'An intent that is tried again and again counts once towards `risk.maxThrottledPerMinute`.',
  'A plan waits for a leg of unknown outcome.',
  'Without shorts, a sale of more than is held closes.',
  'A missing field of a state has its initial value.',
  'Signals go on after a throw of `decide`.',
];

/** What this version does: the number of the last change. */
export const BEHAVIOUR = BEHAVIOURS.length;

/** What changed since a run, each as a line with its number. Runs of 0.1.0 recorded none: all of it. */
export function changedSince(behaviour: number | undefined): readonly string[] {
  return BEHAVIOURS.flatMap((text, index) => (index < (behaviour ?? 0) ? [] : [`decisions changed since the run, ${index + 1}: ${text}`]));
}

import type { BacktestView, ParameterView } from '#server/page/view.ts';
import type { ActRequest, FormField } from './act-request.ts';

const HOURS: Readonly<Record<string, number | null>> = {
  'all recordings': null,
  'the last week': 168,
  'the last day': 24,
  'the last hour': 1,
};
const QUOTES: FormField = { kind: 'choice', name: 'quotes', label: 'Quotes', initial: 'all recordings', choices: Object.keys(HOURS) };

const FIGURES: Readonly<Record<string, string>> = {
  'net profit over drawdown': 'profitOverDrawdown',
  'net profit': 'netProfit',
  'profit factor': 'profitFactor',
  Sharpe: 'sharpe',
  'least drawdown': 'maxDrawdown',
};
const [USUAL = ''] = Object.keys(FIGURES);

const beside = {
  tone: 'plain',
  facts: [],
  button: 'Start',
  act: 'backtest',
  done: 'Started. It goes on when this is shut, and stands under Runs and reports.',
  follow: 'backtest',
} as const;

const BEHIND = 'It plays in a process behind trading, whose orders it does not slow, for an hour at most.';

/** A backtest of a strategy as it is set, or of another module in its place. */
export function backtest(strategy: string, modules: readonly string[]): ActRequest {
  const own = `${strategy}, as it is set`;
  return {
    ...beside,
    title: `Backtest of ${strategy}`,
    says: [
      `Plays the recorded quotes of this daemon through ${strategy}, or another strategy with its product, amount and budget. ${BEHIND}`,
    ],
    fields: [{ kind: 'choice', name: 'use', label: 'Strategy', initial: own, choices: [own, ...modules] }, QUOTES],
    body: ({ quotes = '', use }) => ({ strategy, hours: HOURS[quotes] ?? null, ...(use !== own && { use }) }),
  };
}

/** Backtests of a strategy with other parameters, ranked. */
export const sweep = (strategy: string, parameters: readonly ParameterView[]): ActRequest => ({
  ...beside,
  title: `Sweep of ${strategy}`,
  says: [
    `Backtests ${strategy} with each combination of these values, and ranks them. Leave empty what stays as it is.`,
    `Write FROM..TO:STEP, or values with commas. ${BEHIND}`,
  ],
  fields: [
    ...parameters.map(
      ({ name, value, range }): FormField => ({
        kind: 'text',
        name: `vary ${name}`,
        label: `${name}, now ${value}`,
        initial: range ?? '',
        isOptional: true,
      }),
    ),
    { kind: 'choice', name: 'by', label: 'Rank by', initial: USUAL, choices: Object.keys(FIGURES) },
    QUOTES,
  ],
  body: ({ quotes = '', by = '', ...filled }) => ({
    strategy,
    hours: HOURS[quotes] ?? null,
    by: FIGURES[by],
    vary: parameters.map(({ name }) => `${name}=${(filled[`vary ${name}`] ?? '').replaceAll(' ', '')}`).filter((one) => !one.endsWith('=')),
  }),
});

export const stopBacktest = ({ kind, strategy }: BacktestView): ActRequest => ({
  ...beside,
  title: `Stop the ${kind}`,
  says: [`Ends the ${kind} of ${strategy}, without a report. Trials that are finished are kept: a sweep of the same goes on from there.`],
  fields: [],
  button: 'Stop',
  act: 'stop-backtest',
  body: () => ({}),
  done: 'Stopped.',
});

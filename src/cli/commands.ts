import type { Command } from 'commander';
import { emptyProgram } from './base.ts';

/** A command: one line of what it does, and where its arguments, options and action are. */
interface Row {
  readonly summary: string;
  /** Loads what adds them to the command. Kairos is quick because only that of the command that was typed is loaded. */
  readonly load: () => Promise<(command: Command) => void>;
}

interface Group {
  readonly heading: string;
  readonly commands: Readonly<Record<string, Row>>;
}

/** Every command, as \`kairos --help all\` shows them. */
const GROUPS: readonly Group[] = [
  {
    heading: 'Trade:',
    commands: {
      run: {
        summary: 'trade until stopped: on paper, dry or live',
        load: async () => (await import('./run.ts')).addRun,
      },
      record: {
        summary: 'record the configured lanes, or one, and trade nothing',
        load: async () => (await import('./record.ts')).addRecord,
      },
      venue: { summary: 'run the paper service alone, for bots of your own', load: async () => (await import('./venue.ts')).addVenue },
      arena: {
        summary: 'play a simulation of the daemon with drawn faults, in the browser',
        load: async () => (await import('./arena.ts')).addArena,
      },
      trial: {
        summary: 'put any bot on trial: a service drawn from a seed judges it',
        load: async () => (await import('./trial.ts')).addTrial,
      },
    },
  },
  {
    heading: 'See the state and the results:',
    commands: {
      status: {
        summary: 'the present state: the run, each strategy at a glance, open orders, and latches',
        load: async () => (await import('./status.ts')).addStatus,
      },
      top: {
        summary: 'a live screen: state, money, strategies, open orders, the nearest limits, the last decisions',
        load: async () => (await import('./top.ts')).addTop,
      },
      fleet: {
        summary: 'several daemons on one page, with halt for one and all',
        load: async () => (await import('./fleet.ts')).addFleet,
      },
      positions: {
        summary: 'what each strategy holds, valued at the last recorded quote',
        load: async () => (await import('./positions.ts')).addPositions,
      },
      orders: {
        summary: 'the last orders with their outcomes; `kairos why ORDER` explains one',
        load: async () => (await import('./orders.ts')).addOrders,
      },
      trades: {
        summary: 'round trips, entry against exit, first in first out; profit is net of fees',
        load: async () => (await import('./trades.ts')).addTrades,
      },
      profit: {
        summary: 'profit of round trips, net of fees, beside financing and open positions',
        load: async () => (await import('./profit.ts')).addProfit,
      },
      report: {
        summary: 'the results of a run, beside what holding or luck would have made',
        load: async () => (await import('./report.ts')).addReport,
      },
      export: {
        summary: 'write a run as tables for a notebook: Parquet files, and the same in bundle.sqlite',
        load: async () => (await import('./export.ts')).addExport,
      },
      why: {
        summary: 'the history of an order: what was seen, checked, sent and answered',
        load: async () => (await import('./why.ts')).addWhy,
      },
      'why-not': {
        summary: 'why there was no order: the refusal or, without one, what the strategy saw',
        load: async () => (await import('./why-not.ts')).addWhyNot,
      },
      journal: { summary: 'the decision journal: what was decided, and why', load: async () => (await import('./journal.ts')).addJournal },
      trace: { summary: 'send orders as spans to a tracing tool (OTLP)', load: async () => (await import('./trace.ts')).addTrace },
      signals: {
        summary: 'what senders of signals from outside need: a token, a test',
        load: async () => (await import('./signals.ts')).addSignals,
      },
      notifications: {
        summary: 'webhooks that were received, with their states',
        load: async () => (await import('./notifications.ts')).addNotifications,
      },
    },
  },
  {
    heading: 'Act on a running daemon:',
    commands: {
      halt: { summary: 'stop all orders until `resume`, openings and exits alike', load: async () => (await import('./halt.ts')).addHalt },
      resume: {
        summary: 'end a halt and the pause of all, or the pause of one strategy',
        load: async () => (await import('./acts.ts')).addResume,
      },
      pause: { summary: 'open nothing until `resume`; positions are still closed', load: async () => (await import('./acts.ts')).addPause },
      enable: {
        summary: 'let a strategy run again that was disabled because it failed',
        load: async () => (await import('./acts.ts')).addEnable,
      },
      arm: {
        summary: 'allow this configuration to trade: shows its limits and changes, asks, and ends DISARMED and REDUCING',
        load: async () => (await import('./arm.ts')).addArm,
      },
      close: {
        summary: 'close the positions of a strategy, or of the book manual; tried until they are closed',
        load: async () => (await import('./close.ts')).addClose,
      },
      flatten: {
        summary: 'close every book, each by its own order, and open nothing until `arm` or `resume`',
        load: async () => (await import('./flatten.ts')).addFlatten,
      },
      order: {
        summary: 'a manual order, into the book manual: sized, checked and journaled like every other',
        load: async () => (await import('./order.ts')).addOrder,
      },
      rehearse: {
        summary: 'buy and sell the least order, also while disarmed: latency, slippage, fee',
        load: async () => (await import('./rehearse.ts')).addRehearse,
      },
    },
  },
  {
    heading: 'Money:',
    commands: {
      ledger: {
        summary: 'money by book and currency: opening balances, and every movement since',
        load: async () => (await import('./ledger.ts')).addLedger,
      },
      reconcile: {
        summary: 'compare the ledger with the real account; shows differences, asks, and books corrections',
        load: async () => (await import('./reconcile.ts')).addReconcile,
      },
    },
  },
  {
    heading: 'Test on recorded quotes:',
    commands: {
      data: { summary: 'recordings: list, verify, convert', load: async () => (await import('./data.ts')).addData },
      backtest: {
        summary: 'plays recorded quotes through the configured strategies, in virtual time',
        load: async () => (await import('./backtest.ts')).addBacktest,
      },
      sweep: {
        summary: 'backtest combinations of parameters, and say whether the best is more than luck',
        load: async () => (await import('./sweep.ts')).addSweep,
      },
      'walk-forward': {
        summary: 'choose parameters on one stretch and test them on the next, repeatedly',
        load: async () => (await import('./walk-forward.ts')).addWalkForward,
      },
      worker: {
        summary: 'play trials for the sweeps of other machines on a queue',
        load: async () => (await import('./worker.ts')).addWorker,
      },
      queue: {
        summary: 'show, stop, pause or resume the sweeps on a queue',
        load: async () => (await import('./queue.ts')).addQueue,
      },
      parity: {
        summary: 'replay a run and compare every decision with its journal; exit 4 where one differs',
        load: async () => (await import('./parity.ts')).addParity,
      },
    },
  },
  {
    heading: 'Strategies of your own:',
    commands: {
      strategies: {
        summary: 'strategy modules, shipped and yours, their parameters, and which are in use',
        load: async () => (await import('./strategies.ts')).addStrategies,
      },
      new: { summary: 'write something new to begin with', load: async () => (await import('./new.ts')).addNew },
      init: {
        summary: 'lay out a project: settings, a strategy with tests, package.json',
        load: async () => (await import('./init.ts')).addInit,
      },
    },
  },
  {
    heading: 'Set up and maintain:',
    commands: {
      config: {
        summary: 'the settings: check them, print them, describe them to an editor',
        load: async () => (await import('./config.ts')).addConfig,
      },
      doctor: {
        summary: 'check everything that would stop trading, and say what to do',
        load: async () => (await import('./doctor.ts')).addDoctor,
      },
      docs: {
        summary: 'the documentation of this version: its pages, one page, or a search',
        load: async () => (await import('./docs.ts')).addDocs,
      },
      schedule: {
        summary: 'what is done at set times: lines of cron, their last and their next runs',
        load: async () => (await import('./schedule.ts')).addSchedule,
      },
      alerts: { summary: 'alerts: to people who are not watching', load: async () => (await import('./alerts.ts')).addAlerts },
      watch: {
        summary: "watch this configuration's daemon from outside; alert when it is gone or hangs",
        load: async () => (await import('./watch.ts')).addWatch,
      },
      completion: {
        summary: 'print what your shell sources so that Tab completes commands and options of kairos',
        load: async () => (await import('./completion.ts')).addCompletion,
      },
    },
  },
  {
    heading: 'The service:',
    commands: {
      accounts: {
        summary: 'your exchange accounts at the service; needs a token or a sign-in',
        load: async () => (await import('./accounts.ts')).addAccounts,
      },
      products: {
        summary: 'tradable products with their limits',
        load: async () => (await import('./products.ts')).addProducts,
      },
      quotes: { summary: 'live quotes of a product, until Ctrl-C', load: async () => (await import('./quotes.ts')).addQuotes },
      remote: {
        summary: "the service's own strategies: create, start, pause, flush and the rest, through the running daemon or by itself",
        load: async () => (await import('./remote.ts')).addRemote,
      },
    },
  },
];

/** The first commands of a newcomer, in the order of use. */
const FIRST: readonly string[] = ['init', 'run', 'status', 'why', 'backtest'];

const ROWS: Readonly<Record<string, Row>> = Object.assign({}, ...GROUPS.map(({ commands }) => commands));

/** Options of which a halt may lack the value. */
const WITH_VALUE: ReadonlySet<string> = new Set(['--config', '--set', '--list', '--token-file', '--queue', '--port']);

/** What was typed; a halt, of a fleet as well, so that the parser refuses it for no form: its options stand behind it, each with a value. */
export function haltWords(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => Object.hasOwn(ROWS, word));
  const command = words[at] ?? '';
  const isHalt = command === 'halt' || (command === 'fleet' && words.some((word) => /^--halt(=|$)/.test(word)));
  if (!isHalt || (at > 0 && !words[0]?.startsWith('-'))) return words;
  const options = words.toSpliced(at, 1);
  return [
    command,
    ...options.flatMap((word, index) => (WITH_VALUE.has(word) && (options[index + 1] ?? '-').startsWith('-') ? [word, ''] : word)),
  ];
}

/** The program for what was typed: all commands by name, and the one that was typed with all that is its own. */
export async function programFor(words: readonly string[]): Promise<Command> {
  const [word = '', ...others] = words;
  if (others.length === 0 && ['-h', '--help'].includes(word)) return firstCommands();
  // What completes commands is made of all of them.
  return word === 'completion' ? wholeProgram() : programWith((name) => name === word);
}

/** The program with all that belongs to each command. Nothing runs before \`parseAsync\`. */
export const wholeProgram = (): Promise<Command> => programWith(() => true);

async function programWith(isWhole: (name: string) => boolean): Promise<Command> {
  const program = emptyProgram();
  for (const { heading, commands } of GROUPS) {
    program.commandsGroup(heading);
    for (const [name, { summary, load }] of Object.entries(commands)) {
      const command = program.command(name).description(summary).helpCommand(false);
      if (isWhole(name)) (await load())(command);
    }
  }
  return program;
}

/** The short list of \`kairos --help\`. */
function firstCommands(): Command {
  const program = emptyProgram().commandsGroup('To begin with:');
  for (const name of FIRST) program.command(name).description(ROWS[name]?.summary ?? '');
  return program.addHelpText(
    'after',
    '\n  kairos --help all         lists every command by what it is for\n  kairos why --help         explains one, with an example',
  );
}

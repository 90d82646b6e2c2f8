import type { Command } from 'commander';
import { addAccounts } from './accounts.ts';
import { addActs } from './acts.ts';
import { addAlerts } from './alerts.ts';
import { addArena } from './arena.ts';
import { addArm } from './arm.ts';
import { addBacktest } from './backtest.ts';
import { emptyProgram } from './base.ts';
import { addClose } from './close.ts';
import { addCompletion } from './completion.ts';
import { addConfig } from './config.ts';
import { addData } from './data.ts';
import { addDoctor } from './doctor.ts';
import { addFlatten } from './flatten.ts';
import { addFleet } from './fleet.ts';
import { addHalt } from './halt.ts';
import { addInit } from './init.ts';
import { addJournal } from './journal.ts';
import { addLedger } from './ledger.ts';
import { addNew } from './new.ts';
import { addNotifications } from './notifications.ts';
import { addOrder } from './order.ts';
import { addOrders } from './orders.ts';
import { addParity } from './parity.ts';
import { addPositions } from './positions.ts';
import { addProducts } from './products.ts';
import { addProfit } from './profit.ts';
import { addQueue } from './queue.ts';
import { addQuotes } from './quotes.ts';
import { addReconcile } from './reconcile.ts';
import { addRecord } from './record.ts';
import { addRehearse } from './rehearse.ts';
import { addRemote } from './remote.ts';
import { addReport } from './report.ts';
import { addRun } from './run.ts';
import { addSchedule } from './schedule.ts';
import { addStatus } from './status.ts';
import { addStrategies } from './strategies.ts';
import { addSweep } from './sweep.ts';
import { addTrades } from './trades.ts';
import { addTrial } from './trial.ts';
import { addVenue } from './venue.ts';
import { addWalkForward } from './walk-forward.ts';
import { addWatch } from './watch.ts';
import { addWhy } from './why.ts';
import { addWhyNot } from './why-not.ts';
import { addWorker } from './worker.ts';

/** The commands as `--help` shows them. */
const GROUPS: readonly (readonly [string, readonly ((program: Command) => void)[]])[] = [
  ['Trade:', [addRun, addRecord, addVenue, addArena, addTrial]],
  [
    'See the state and the results:',
    [addStatus, addFleet, addPositions, addOrders, addTrades, addProfit, addReport, addWhy, addWhyNot, addJournal, addNotifications],
  ],
  ['Act on a running daemon:', [addHalt, addActs, addArm, addClose, addFlatten, addOrder, addRehearse]],
  ['Money:', [addLedger, addReconcile]],
  ['Test on recorded quotes:', [addData, addBacktest, addSweep, addWalkForward, addWorker, addQueue, addParity]],
  ['Strategies of your own:', [addStrategies, addNew, addInit]],
  ['Set up and maintain:', [addConfig, addDoctor, addSchedule, addAlerts, addWatch, addCompletion]],
  ['The service:', [addAccounts, addProducts, addQuotes, addRemote]],
];

/** All commands with their options. Nothing runs before `parseAsync`. */
export function kairosProgram(): Command {
  const program = emptyProgram();
  for (const [heading, adds] of GROUPS) {
    program.commandsGroup(heading);
    for (const add of adds) add(program);
  }
  for (const command of program.commands) command.helpCommand(false);
  return program;
}

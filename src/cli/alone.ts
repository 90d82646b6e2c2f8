import type { Command } from 'commander';
import { emptyProgram } from './base.ts';

type Add = (program: Command) => void;

/** The commands that are typed beside a running daemon, each loaded without the others: that takes half the time. */
export const ALONE: Readonly<Record<string, () => Promise<Add>>> = {
  accounts: async () => (await import('./accounts.ts')).addAccounts,
  arm: async () => (await import('./arm.ts')).addArm,
  close: async () => (await import('./close.ts')).addClose,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  enable: async () => (await import('./acts.ts')).addActs,
  flatten: async () => (await import('./flatten.ts')).addFlatten,
  halt: async () => (await import('./halt.ts')).addHalt,
  journal: async () => (await import('./journal.ts')).addJournal,
  ledger: async () => (await import('./ledger.ts')).addLedger,
  notifications: async () => (await import('./notifications.ts')).addNotifications,
  order: async () => (await import('./order.ts')).addOrder,
  orders: async () => (await import('./orders.ts')).addOrders,
  pause: async () => (await import('./acts.ts')).addActs,
  positions: async () => (await import('./positions.ts')).addPositions,
  products: async () => (await import('./products.ts')).addProducts,
  profit: async () => (await import('./profit.ts')).addProfit,
  quotes: async () => (await import('./quotes.ts')).addQuotes,
  rehearse: async () => (await import('./rehearse.ts')).addRehearse,
  report: async () => (await import('./report.ts')).addReport,
  resume: async () => (await import('./acts.ts')).addActs,
  run: async () => (await import('./run.ts')).addRun,
  schedule: async () => (await import('./schedule.ts')).addSchedule,
  status: async () => (await import('./status.ts')).addStatus,
  strategies: async () => (await import('./strategies.ts')).addStrategies,
  trades: async () => (await import('./trades.ts')).addTrades,
  why: async () => (await import('./why.ts')).addWhy,
  'why-not': async () => (await import('./why-not.ts')).addWhyNot,
};

/** The program with the command that was typed and none of the others; undefined where the first word is none of these. */
export async function aloneProgram([word = '']: readonly string[]): Promise<Command | undefined> {
  if (!Object.hasOwn(ALONE, word)) return undefined;
  const program = emptyProgram();
  (await ALONE[word]?.())?.(program);
  for (const command of program.commands) command.helpCommand(false);
  return program;
}

import { amountText } from '#domain/money-text.ts';
import { isoTime } from '#domain/names.ts';
import { oneLine } from '#domain/one-line.ts';
import type { DaemonReport, DaemonView, FleetView } from '#server/fleet/view.ts';
import { printLine, printTable } from './output.ts';
import { printSweeps } from './sweep-table.ts';

/** Prints a fleet for people: a row for each daemon, and below what is wrong with it. */
export function printFleet({ at, daemons, sums, sweeps }: FleetView): void {
  if (sweeps) printQueue(sweeps);
  if (daemons.length === 0) return;
  printTable(
    ['daemon', 'state', 'mode', 'today', 'in all', 'strategies', 'alarms', 'page'],
    daemons.map((daemon) => {
      const { name, said, url } = daemon;
      return [
        name,
        stateText(daemon),
        said?.mode ?? '-',
        profitsText(said?.profitOfDayIn),
        profitsText(said?.profitIn),
        said ? String(said.strategies.length) : '-',
        String(alarmWords(daemon).length),
        url ?? '-',
      ];
    }),
  );
  if (daemons.length > 1)
    for (const { mode, profitOfDayIn, profitIn, without } of sums) {
      const rest = without.length === 0 ? '' : `; without ${without.join(', ')}, not heard yet`;
      printLine(oneLine(`all ${mode}: today ${profitsText(profitOfDayIn)}, in all ${profitsText(profitIn)}${rest}`));
    }
  for (const daemon of daemons) {
    for (const alarm of alarmWords(daemon)) printLine(oneLine(`${daemon.name}: ${alarm}`));
    const { newestAlarm, said, reach } = daemon;
    for (const wait of reach === 'silent' ? [] : (said?.waits ?? [])) printLine(oneLine(`${daemon.name}: ${wait}`));
    if (said && said.leftOut.length > 0) printLine(oneLine(`${daemon.name}: not counted in ${said.currency}: ${said.leftOut.join(', ')}`));
    if (newestAlarm) printLine(oneLine(`${daemon.name}: newest alarm ${newestAlarm.at}: ${newestAlarm.kind}, ${newestAlarm.words}`));
  }
  printLine(`as of ${isoTime(Date.parse(at))}; profits at present prices, since midnight UTC and of all runs`);
}

function printQueue({ place, why, sweeps, workers }: NonNullable<FleetView['sweeps']>): void {
  if (why !== null) printLine(oneLine(`the queue at ${place}: ${why}`));
  if (sweeps.length === 0) printLine(`no sweep is played on the queue at ${place}; workers: ${workers.length}`);
  else printSweeps(sweeps.map((sweep) => ({ ...sweep, engine: sweep.version })));
}

function stateText({ reach, said }: DaemonView): string {
  if (reach === 'silent') return 'SILENT';
  return said === null ? '-' : `${said.trading}${reach === 'slow' ? ', slow' : ''}`;
}

/** Silence and a token that halts nothing beside what the daemon says of itself. */
export function alarmWords({ reach, place, why, heardAt, silentSince, access, said }: DaemonView): readonly string[] {
  return [
    ...(reach === 'silent'
      ? [`${heardAt === null ? `never answered since ${silentSince}` : `silent since ${heardAt}`} (${place}): ${why}`]
      : []),
    ...(access === 'wrong token' ? ['its token is wrong: it cannot be halted from here'] : []),
    ...(access === 'read token' ? ['its token is for read alone: it cannot be halted from here'] : []),
    ...(reach === 'silent' ? [] : (said?.alarms ?? [])),
  ];
}

/** Profits by currency: that of the account first, what it leaves out beside it. */
export const profitsText = (amounts: DaemonReport['profitIn'] = []): string =>
  amounts.map(({ currency, profit }) => (profit === null ? `n/a ${currency}` : amountText(profit, currency))).join(' and ') || 'n/a';

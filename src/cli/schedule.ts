import { type Command, InvalidArgumentError } from 'commander';
import { doubtIn } from '#daemon/operations/remote/doubt.ts';
import { KairosError } from '#domain/errors.ts';
import type { ScheduledAction } from '#domain/schedule.ts';
import { type ActOptions, addActOptions, askDaemon } from './act.ts';
import { askYes } from './ask.ts';
import { printJson, printNote, printResult, printTable } from './output.ts';
import { lookText } from './remote/asking.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

interface ListOptions extends ConfigOptions {
  readonly json?: boolean;
}

interface PreviewOptions extends ListOptions {
  readonly days: number;
}

interface RunOptions extends ActOptions {
  readonly yes?: boolean;
}

/** Adds `schedule` with its subcommands: what is done at set times. */
export function addSchedule(schedule: Command): void {
  addConfigOptions(schedule.command('list'))
    .description('every line with its last and its next run')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos schedule list')
    .action(list);

  addConfigOptions(schedule.command('preview'))
    .description('what falls due in the next days')
    .option('--days <n>', 'how many days', daysOf, 7)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos schedule preview --days 7')
    .action(preview);

  addActOptions(schedule.command('run'))
    .description('run a line now on the running daemon, whatever its time')
    .argument('<name>', 'name of the line; `kairos schedule list` has them')
    .option('--yes', 'do not ask before what cannot be undone')
    .addHelpText('after', '\nExample:\n  kairos schedule run weekend --reason "leaving early"')
    .action(run);
}

async function list(options: ListOptions): Promise<void> {
  const { scheduleView } = await import('#daemon/operations/schedule-view.ts');
  const { inForceNow } = await import('#daemon/operations/in-force.ts');
  const config = configFrom(options);
  const { schedule, differing } = inForceNow(config);
  const lines = scheduleView({ schedule, journal: config.settings.journal }, Date.now());
  if (hasOtherSchedule(differing))
    printNote(`the schedule of the running daemon; ${config.files.join(', ')} has another one, for the next start`);
  if (options.json) return printJson(lines);
  if (lines.length === 0) return printNote('the schedule is empty: add lines to `schedule` in the configuration');
  printTable(
    ['line', 'cron', 'zone', 'action', 'missed', 'last run (due)', 'status', 'next run', 'next, UTC'],
    lines.map(({ name, cron, timezone, action, arguments: given, missed, last, next }) => [
      name,
      cron,
      timezone,
      [action, ...Object.entries(given).map(([key, value]) => `${key}=${value}`)].join(' '),
      missed,
      last?.dueAt ?? 'never',
      last ? `${last.status}${last.httpStatus === null ? '' : ` ${last.httpStatus}`}` : '',
      next?.local ?? 'never',
      next?.utc ?? '',
    ]),
  );
}

async function preview({ days, json, ...options }: PreviewOptions): Promise<void> {
  const { upcoming } = await import('#daemon/operations/schedule-view.ts');
  const { inForceNow } = await import('#daemon/operations/in-force.ts');
  const config = configFrom(options);
  const { times, cut } = upcoming(config.settings.schedule, Date.now(), days);
  if (hasOtherSchedule(inForceNow(config).differing)) printNote('the running daemon has another schedule: `kairos schedule list` shows it');
  if (json) return printJson(times);
  if (times.length === 0) return printNote(`nothing falls due within ${days} days`);
  printTable(
    ['UTC', 'local', 'zone', 'line', 'action'],
    times.map(({ utc, local, timezone, name, action }) => [utc, local, timezone, name, action]),
  );
  for (const name of cut) printNote(`${name}: only its first 1000 times are listed`);
}

const hasOtherSchedule = (differing: readonly string[]): boolean => differing.some((key) => /^schedule\b/.test(key));

/** Actions that a person must confirm. */
const ASKED_FIRST: readonly ScheduledAction[] = ['remote.deleteAll', 'remote.flush', 'bot.flatten'];
const ANSWER_MS = 60_000;

async function run(name: string, options: RunOptions): Promise<void> {
  const { lineResult } = await import('#daemon/operations/schedule-run.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const { inForceNow } = await import('#daemon/operations/in-force.ts');
  const config = configFrom(options);
  const { schedule, place } = inForceNow(config);
  const line = schedule.find((one) => one.name === name);
  if (!line) {
    const names = schedule.map((one) => one.name).join(', ') || 'nothing';
    throw new KairosError('NOT_FOUND', `the schedule of ${place} has no line ${JSON.stringify(name)}; it has ${names}`);
  }
  if (ASKED_FIRST.includes(line.action) && !options.yes) await askYes(`Do ${line.action} now?`, 'schedule run', 'nothing was done');
  const { id } = await askDaemon('schedule', { name }, options);
  const done = await lineResult(id, config.settings, { timers: systemTimers, withinMs: Math.min(ANSWER_MS, line.deadlineMs) });
  const answer = `${done.httpStatus === null ? '' : `answered ${done.httpStatus} `}${done.response ?? ''}`.trim();
  const told = `${name}: ${line.action} ${done.status}${answer === '' ? '' : `: ${answer}`}`;
  const doubt = line.action.startsWith('remote.') ? doubtIn(done) : null;
  const isUndone = done.status === 'failed' || done.status === 'skipped';
  if (options.json || (doubt === null && !isUndone)) printResult({ name, action: line.action, ...done }, told, options);
  if (doubt !== null)
    throw new KairosError('REMOTE_UNKNOWN', `${name}: the outcome of ${line.action} is unknown (${doubt}): ${lookText(line.action)}`);
  if (isUndone) throw new KairosError('ACT_UNFINISHED', told);
}

function daysOf(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= 366) return days;
  throw new InvalidArgumentError('It must be a number of days from 1 to 366.');
}

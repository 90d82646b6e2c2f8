import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { JournalReader } from '#adapters/journal/reader.ts';
import { userName } from '#assembly/user-name.ts';
import type { Settings } from '#config/settings.ts';
import { DECISION_KINDS } from '#domain/decision-kinds.ts';
import { ERRORS, KairosError } from '#domain/errors.ts';
import { farFromQuote, type ResolvedFigures } from '#domain/resolved-fill.ts';
import { fillWords } from '#report/decision-words.ts';
import { askYes } from './ask.ts';
import { addRotate } from './journal-rotate.ts';
import { wholeNumber } from './numbers.ts';
import { printColoured, printJson, printLine, printNote, printTable } from './output.ts';
import { outputFile } from './output-file.ts';
import { addJournalOptions, type ConfigOptions, configFrom, runningConfigFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
}

interface ResolveFlags extends Options, ResolvedFigures {
  readonly as: 'accepted' | 'rejected';
  readonly reason: string;
  readonly yes?: boolean;
}

/** How often a followed journal is read, in milliseconds. */
const FOLLOW_MS = 250;
const FOLLOW_ROWS = 1_000;

/** Adds `journal` with its subcommands: everything about the decision journal. */
export function addJournal(journal: Command): void {
  withJson(journal.command('runs'))
    .description('all runs, with how they ended')
    .addHelpText('after', '\nExample:\n  kairos journal runs')
    .action(runs);

  withJson(journal.command('tail'))
    .description('the last decisions')
    .option('-n, --lines <count>', 'how many', wholeNumber(1, 1_000_000_000), 20)
    .option('-f, --follow', 'follow new decisions')
    .option('--wide', 'whole rows and ids, beyond the width of the terminal')
    .option('--local', 'the time of this machine beside UTC')
    .addHelpText('after', '\nExample:\n  kairos journal tail -n 50 -f')
    .action(tail);

  withJson(journal.command('show'))
    .description('the whole history of an order, or one row')
    .argument('<order|seq>', "an order's id, the first digits of its quote, or a row's number")
    .addHelpText('after', '\nExample:\n  kairos journal show 123-1')
    .action(show);

  withJson(journal.command('reasons'))
    .description('how often each kind of decision came with each reason')
    .option('--top <count>', 'only the most frequent', wholeNumber(1, 1_000_000_000), 50)
    .option('--kind <kind>', 'only decisions of this kind, such as refused or hold', decisionKind)
    .addHelpText('after', '\nExample:\n  kairos journal reasons --kind refused')
    .action(reasons);

  withJson(journal.command('verify'))
    .description('check hash chain, high-water mark and tables; exit 4 when something is wrong')
    .addHelpText('after', '\nExample:\n  kairos journal verify')
    .action(verify);

  withJson(journal.command('backup'))
    .description('copy the journal to a file, also while the daemon runs')
    .argument('<file>', 'file of the backup', outputFile('backup'))
    .addHelpText('after', '\nExample:\n  kairos journal backup /backup/kairos.db')
    .action(backup);

  addRotate(journal);

  withJson(journal.command('resolve'))
    .description('settle an order of unknown outcome; a running daemon knows it at once')
    .argument('<order>', 'an order id such as 123-1')
    .addOption(new Option('--as <outcome>', 'what became of it').choices(['accepted', 'rejected']).makeOptionMandatory())
    .option('--price <number>', 'price of the execution (default: as quoted)')
    .option('--size <number>', 'size in base currency (default: as quoted)')
    .option('--value <number>', 'value in quote currency (default: price times size)')
    .option('--fee <number>', 'fee (default: as quoted)')
    .option('--fee-ccy <currency>', 'currency of the fee (default: as quoted)')
    .option('--reason <text>', 'how you know', 'settled manually')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  kairos journal resolve 123-1 --as accepted --price 61000.5 --reason "seen in the account"')
    .action(resolve);
}

function withJson(command: Command): Command {
  return addJournalOptions(command).option('--json', 'print JSON');
}

async function reader(options: Options) {
  const { JournalReader } = await import('#adapters/journal/reader.ts');
  return JournalReader.open((await runningConfigFrom(options)).settings.journal.path);
}

function tellUncounted(journal: Pick<JournalReader, 'uncounted'>): void {
  const note = journal.uncounted();
  if (note !== undefined) printNote(note);
}

async function runs(options: Options): Promise<void> {
  const journal = await reader(options);
  try {
    const { archiveOf } = await import('#adapters/journal/archives.ts');
    const found = journal.runs();
    // What a rotation left of the decisions of a run is no count of them.
    const rows = journal.named((database) =>
      found.map((run) => ({ ...run, decisions: archiveOf(database, run.run_id) ? null : run.decisions })),
    );
    tellUncounted(journal);
    if (options.json) return printJson(rows);
    if (rows.some(({ end_state }) => end_state === 'crashed'))
      printNote('a crashed run ended at its last row, which may be that of a command after it');
    const running = journal.holder() === null ? undefined : rows.at(-1)?.run_id;
    const state = (row: (typeof rows)[number]) => row.end_state ?? (row.run_id === running ? 'running' : 'crashed');
    printTable(
      ['run', 'mode', 'book', 'started', 'ended', 'end', 'decisions', 'orders', 'accepted'],
      rows.map((row) => [
        row.run_id,
        row.mode,
        row.book,
        row.started_at,
        row.ended_at ?? '-',
        state(row),
        row.decisions === null ? 'archived' : String(row.decisions),
        String(row.orders),
        String(row.accepted),
      ]),
    );
  } finally {
    journal.close();
  }
}

interface TailOptions extends Options {
  readonly lines: number;
  readonly follow?: boolean;
  readonly wide?: boolean;
  readonly local?: boolean;
}

async function tail(options: TailOptions): Promise<void> {
  const { DecisionLines, decisionJson } = await import('./decision-lines.ts');
  const journal = await reader(options);
  try {
    const lines = new DecisionLines({ ...(options.wide && { isWide: true }), ...(options.local && { isLocal: true }) });
    let rows = journal.tail(options.lines);
    if (options.json && !options.follow) return printJson(rows.map(decisionJson));
    let last = rows.at(-1)?.seq ?? journal.end()?.seq ?? 0;
    for (;;) {
      lines.fit(rows);
      for (const row of rows) options.json ? printLine(JSON.stringify(decisionJson(row))) : printColoured(lines.line(row));
      if (!options.follow) return;
      if (rows.length < FOLLOW_ROWS) await pause(FOLLOW_MS);
      rows = journal.after(last, FOLLOW_ROWS);
      last = rows.at(-1)?.seq ?? last;
    }
  } finally {
    journal.close();
  }
}

async function show(wanted: string, options: Options): Promise<void> {
  const { decisionJson } = await import('./decision-lines.ts');
  const { storyLines } = await import('./order-story.ts');
  const { ordersNamed } = await import('#adapters/journal/named-rows.ts');
  const journal = await reader(options);
  try {
    const row = /^\d{1,15}$/.test(wanted) ? journal.decision(Number(wanted)) : undefined;
    if (row) return options.json ? printJson(decisionJson(row)) : printLine(storyLines({ order: null, decisions: [row], ledger: [] }));
    const [id = wanted] = journal.named((database) => ordersNamed(database, wanted));
    const story = journal.story(id);
    if (!story) {
      throw new KairosError(
        'NOT_FOUND',
        `no order and no row ${JSON.stringify(wanted)} in journal ${journal.path}: see kairos journal tail`,
      );
    }
    if (options.json) printJson({ ...story, decisions: story.decisions.map(decisionJson) });
    else printLine(storyLines(story));
  } finally {
    journal.close();
  }
}

function decisionKind(text: string): string {
  if (Object.hasOwn(DECISION_KINDS, text)) return text;
  throw new InvalidArgumentError(`It must be one of ${Object.keys(DECISION_KINDS).join(', ')}.`);
}

async function reasons(options: Options & { readonly top: number; readonly kind?: string }): Promise<void> {
  const journal = await reader(options);
  try {
    const rows = journal.reasons(options.top, options.kind);
    tellUncounted(journal);
    if (options.json) return printJson(rows);
    printTable(
      ['count', 'kind', 'reason', 'last'],
      rows.map((row) => [String(row.count), row.kind, row.reason ?? '-', row.last_at]),
    );
  } finally {
    journal.close();
  }
}

async function verify(options: Options): Promise<void> {
  const { verifyJournal } = await import('#adapters/journal/verify.ts');
  const { progressBar } = await import('./progress.ts');
  const { path } = configFrom(options).settings.journal;
  const bar = progressBar('checking the journal');
  const verdict = verifyJournal(path, bar.show);
  bar.end();
  if (options.json) {
    printJson(verdict);
    if (!verdict.ok) process.exitCode = ERRORS.JOURNAL_BROKEN.exit;
    return;
  }
  if (!verdict.ok) {
    const place = verdict.table === 'file' ? '' : `${verdict.table} row ${verdict.row}: `;
    throw new KairosError('JOURNAL_BROKEN', `journal ${path}: ${place}${verdict.what}`);
  }
  const { decisions, orders, ledger, actions, hash, unchecked } = verdict;
  printLine(
    `${path} is whole${behindText(unchecked)}: ${decisions} decisions, ${orders} orders, ${ledger} ledger entries, ${actions} actions; ends with ${hash}`,
  );
}

const behindText = (unchecked: readonly string[]): string =>
  unchecked.length === 0 ? '' : ` behind ${unchecked.join(', ')}, not checked (put missing archives beside the journal)`;

async function backup(file: string, options: Options): Promise<void> {
  const { backupJournal } = await import('#adapters/journal/backup.ts');
  const { path } = configFrom(options).settings.journal;
  const { progressBar } = await import('./progress.ts');
  const bar = progressBar('checking the copy');
  const { decisions, orders, ledger, actions, hash, archives, missing } = await backupJournal(path, file, bar.show).finally(bar.end);
  if (options.json) return printJson({ file, decisions, orders, ledger, actions, hash, archives, missing });
  printLine(
    `${file} is whole${behindText(missing)}: ${decisions} decisions, ${orders} orders, ${ledger} ledger entries, ${actions} actions; ends with ${hash}`,
  );
  const there = archives.filter((archive) => !missing.includes(archive));
  if (there.length > 0)
    printNote(`its archives are files of their own, which \`journal verify\` checks: copy them as well: ${there.join(', ')}`);
}

async function resolve(order: string, options: ResolveFlags): Promise<void> {
  const { price, size, value, fee, feeCcy } = options;
  if (options.as === 'rejected' && (price ?? size ?? value ?? fee ?? feeCcy) !== undefined) {
    throw new KairosError('USAGE', '--price, --size, --value, --fee and --fee-ccy go with --as accepted: a rejected order has no figures');
  }
  const { settings } = configFrom(options);
  const { settleOrder } = await import('#daemon/operations/resolution.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const figures = {
    ...(price !== undefined && { price }),
    ...(size !== undefined && { size }),
    ...(value !== undefined && { value }),
    ...(fee !== undefined && { fee }),
    ...(feeCcy !== undefined && { feeCcy }),
  };
  if (!options.yes) await confirm(order, options.as, figures, settings);
  const asked = { order, as: options.as, figures, far: true, who: userName(), why: options.reason };
  const { as, fill } = await settleOrder(asked, settings, systemTimers);
  if (options.json) return printJson({ order, as, fill });
  const booked = fill ? `: ${fillWords(fill)}` : '';
  printLine(`order ${order} is ${as}${booked}`);
}

/** On a terminal a person is asked. Where nobody can be, a price that none has quoted is refused: it would be booked for good. */
async function confirm(order: string, as: string, figures: ResolvedFigures, { journal: { path }, service }: Settings): Promise<void> {
  const { JournalReader } = await import('#adapters/journal/reader.ts');
  const { decisionsIn } = await import('#adapters/journal/records.ts');
  const { storyLines } = await import('./order-story.ts');
  const journal = JournalReader.open(path);
  try {
    const story = journal.story(order);
    const [approved] = decisionsIn(story?.decisions ?? [], 'approved');
    const far = approved && farFromQuote(approved.detail.order, figures, service.figureTolerancePct);
    if (!process.stdin.isTTY) {
      if (far !== undefined) throw new KairosError('USAGE', `${far}: correct it, or add --yes`);
      return;
    }
    if (story) printNote(storyLines(story));
    if (far !== undefined) printNote(far);
  } finally {
    journal.close();
  }
  await askYes(`Book order ${order} as ${as}, for good?`, 'journal resolve');
}

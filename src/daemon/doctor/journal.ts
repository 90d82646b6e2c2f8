import { existsSync } from 'node:fs';
import path from 'node:path';
import { NOT_NEEDED } from '#adapters/journal/archive-ends.ts';
import { type ControlFiles, controlFiles, standingHalt } from '#adapters/journal/control-files.ts';
import { IN_MEMORY } from '#adapters/journal/files.ts';
import { type JournalHealth, journalHealth } from '#adapters/journal/health.ts';
import { CHECKED } from '#adapters/journal/start-checks.ts';
import { bookOf } from '#assembly/assemble.ts';
import type { LoadedConfig } from '#config/load.ts';
import { callDaemon } from '#daemon/operations/daemon-call.ts';
import { inForce, runsOtherwise } from '#daemon/operations/in-force.ts';
import { publishedIn, tokenIn } from '#daemon/operations/ops-files.ts';
import { orphanFault, orphansAmong } from '#daemon/operations/orphans.ts';
import { messageOf } from '#domain/errors.ts';
import type { Latch } from '#domain/latch.ts';
import { isBacktest, modeFactsNamed } from '#domain/mode.ts';
import type { Reason } from '#domain/reasons.ts';
import { settleMend } from '#domain/settle-text.ts';
import { type Finding, fail, guarded, KEY_MEND, ok, warn } from './finding.ts';
import { folderFinding, type Machine } from './machine.ts';

/** The check whose failures are states of trading, not faults of the set-up. */
export const STATE_CHECK = 'state';

/** Checks the journal, its folder, and latches in it or beside it. */
export async function journalFindings(
  config: LoadedConfig,
  machine: Machine,
): Promise<{ health: JournalHealth; findings: readonly Finding[] }> {
  const { path: file } = config.settings.journal;
  if (file === IN_MEMORY)
    return { health: journalHealth(file), findings: [warn('journal', 'kept in memory: gone with the process', 'set journal.path')] };
  const health = journalHealth(file);
  const files = controlFiles(file);
  const findings = [
    folderFinding('journal folder', path.dirname(file), machine),
    healthFinding(config, health),
    ...archiveFindings(health),
    ...runningFindings(config, health),
    ...(await answerFindings(health.holder, files)),
    ...(existsSync(files.token)
      ? await guarded('secret files', `chmod 600 ${files.token}`, () => {
          tokenIn(files.token);
          return [ok('secret files', `${files.token} is for its owner alone`)];
        })
      : []),
    ...orphanFindings(config, health),
    ...unwatchedFindings(health),
    ...stateFindings(health, standingHalt(files)),
  ];
  return { health, findings };
}

function healthFinding(config: LoadedConfig, { exists, lost, wrong, book, holder }: JournalHealth): Finding {
  const { path: file } = config.settings.journal;
  if (lost) return fail('journal', lost.what, lost.mend);
  if (!exists) return ok('journal', `there is none at ${file} yet; the first start makes it`);
  if (wrong !== null) return fail('journal', wrong, '`kairos journal verify` names the first bad row; restore the newest whole backup');
  const books = [bookOf(config), bookOf({ ...config, mode: 'dry' })];
  if (book !== null && !books.includes(book)) {
    return fail(
      'journal',
      `${file} belongs to the book "${book}", this configuration to "${books[0]}"`,
      'set journal.path to another file',
    );
  }
  const held = holder === null ? 'nobody holds it' : `held by process ${holder.pid ?? 'of another user'}`;
  return ok('journal', `${file}: its last ${CHECKED} rows are whole (\`kairos journal verify\` looks at all), ${held}`);
}

/** Warns of archives that are not beside the journal, cannot be read, or are others. */
const archiveFindings = ({ missingArchives, spoiltArchives }: JournalHealth): readonly Finding[] => [
  ...(missingArchives.length === 0
    ? []
    : [warn('journal', `archives are missing: ${missingArchives.join(', ')}`, 'put them back beside the journal, to see their decisions')]),
  ...spoiltArchives.map(({ file, why }) =>
    warn('journal', `archive ${file} cannot be used: ${why}`, `put back a copy of it, to see its decisions; ${NOT_NEEDED}`),
  ),
];

/** Warns of positions that nobody watches, since the daemon was killed, or trades real money and does not run. */
function unwatchedFindings({ holder, run, positions }: JournalHealth): readonly Finding[] {
  if (holder !== null || run === null || positions.length === 0 || isBacktest(run.mode)) return [];
  if (run.ended_at !== null && modeFactsNamed(run.mode)?.isRealMoney !== true) return [];
  const held = positions.map(({ book, product, size }) => `${book} holds ${size} in ${product}`).join(', ');
  return [warn('positions', `no daemon runs, so that no exit goes out: ${held}`, 'start it again with `kairos run`')];
}

/** Warns of positions that no strategy watches: none of the daemon that runs, else none of the configuration. */
function orphanFindings(config: LoadedConfig, health: JournalHealth): readonly Finding[] {
  const { strategies, place } = inForce(config, health);
  return orphansAmong(health.positions, strategies).map((held) => {
    const { what, mend } = orphanFault(held, place);
    return warn('positions', what, mend);
  });
}

/** Warns of settings that changed since the daemon started, which are not in force (F66). */
function runningFindings(config: LoadedConfig, health: JournalHealth): readonly Finding[] {
  const otherwise = runsOtherwise(config, health);
  return otherwise ? [warn('configuration', otherwise.what, otherwise.mend)] : [];
}

const ANSWER_MS = 2_000;

/** Asks the daemon that holds the journal whether it is there: one that hangs holds it still. */
async function answerFindings(holder: JournalHealth['holder'], { ops }: ControlFiles): Promise<readonly Finding[]> {
  if (holder === null) return [];
  const published = publishedIn(ops);
  const who = `process ${holder.pid ?? 'of another user'}`;
  if (!published || (holder.pid !== null && published.pid !== holder.pid))
    return [ok('daemon', `${who} holds the journal and has not said where it listens: it starts, it ends, or it is no daemon`)];
  try {
    const { ok: isWell, status } = await callDaemon(`${published.url}/healthz`, { withinMs: ANSWER_MS });
    if (isWell) return [ok('daemon', `${who} answers at ${published.url}`)];
    return [fail('daemon', `${who} answered ${status} at ${published.url}`, 'its log may say why')];
  } catch (error) {
    const mend = `its log may say why; if it stays so, \`kill -9 ${published.pid}\` and start again: the next start goes on with what the journal has`;
    return [fail('daemon', `${who} does not answer at ${published.url} (${messageOf(error)}): it hangs, and watches no position`, mend)];
  }
}

const LEAVE: Readonly<Record<Latch['kind'], readonly [verdict: 'warn' | 'fail', mend: string]>> = {
  halted: ['fail', '`kairos resume`, or `kairos flatten` to close everything'],
  disarmed: [
    'fail',
    '`kairos rehearse` where no order was executed yet; then `kairos arm` shows the limits and what has changed, and lets this configuration trade',
  ],
  reducing: ['warn', 'exits pass; `kairos arm` or `kairos resume` lets trading open again'],
  paused: ['warn', '`kairos resume`, with the name of the strategy for its own pause'],
  disabled: ['warn', 'fix the strategy, then `kairos enable` it'],
};

/** What to do before a halt is ended, by its reason. */
const FIRST: Readonly<Partial<Record<Reason, string>>> = {
  SECOND_UNAUTHORIZED: `the service refuses key, time or signature: ${KEY_MEND}; then `,
  HTTP_FORBIDDEN: `the service refuses this user: ${KEY_MEND}, or ask the service why; then `,
};

function stateFindings(
  { latches, unknowns }: JournalHealth,
  note: { readonly who: string; readonly why: string } | undefined,
): readonly Finding[] {
  const halted = latches.some(({ kind }) => kind === 'halted');
  const found = [
    // First: what is frozen by them stays so when a latch is ended.
    ...unknowns.map(({ order, why }) =>
      warn(
        STATE_CHECK,
        `order ${order} has an unknown outcome: nothing is opened in its product${why === null ? '' : `; ${why}`}`,
        `ask the service; ${settleMend(order)}`,
      ),
    ),
    ...(note && !halted ? [fail(STATE_CHECK, `halted by a file: ${note.who}: ${note.why}`, LEAVE.halted[1])] : []),
    ...latches.map(({ kind, strategy, who, why, reason }): Finding => {
      const [verdict, leave] = LEAVE[kind];
      const mend = `${(kind === 'halted' && reason && FIRST[reason]) || ''}${leave}`;
      return { check: STATE_CHECK, verdict, what: `${kind}${strategy === null ? '' : ` (${strategy})`} by ${who}: ${why}`, mend };
    }),
  ];
  return found.length > 0 ? found : [ok(STATE_CHECK, 'nothing is latched, no outcome is unknown')];
}

import type { Command } from 'commander';
import { type ActOptions, actor, addActOptions } from '#cli/act.ts';
import { askDigits, askWord, askYes } from '#cli/ask.ts';
import { printJson, printLine, printNote, printTable } from '#cli/output.ts';
import { configFrom } from '#cli/settings.ts';
import { doubtIn } from '#daemon/operations/remote/doubt.ts';
import { KairosError } from '#domain/errors.ts';
import { isDestructive, type RemoteAsk, type RemoteTask } from '#domain/remote.ts';

export interface AskingOptions extends ActOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** Adds the options of every command for the service's strategies. */
export function addAskingOptions(command: Command): Command {
  return addActOptions(command).option('--yes', 'do not ask').option('--dry-run', 'print the request, send nothing');
}

/**
 * Sends a request and prints its result, or prints the request that would be sent and returns undefined. Throws a
 * KairosError if it was refused or its outcome is unknown.
 */
export async function askService(asked: RemoteAsk, options: AskingOptions): Promise<RemoteTask | undefined> {
  if (options.dryRun) {
    await printRequest(asked, options);
    return undefined;
  }
  if (isDestructive(asked) && !options.yes) await confirm(asked);
  const { performRemote } = await import('#daemon/operations/remote/remote.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const task = await performRemote(
    { act: 'remote', ...actor(options), asked },
    {
      config: configFrom(options),
      timers: systemTimers,
      ...(process.stdin.isTTY && { askDigits }),
      notice: (_level, text) => printNote(text),
      onProgress: ({ httpStatus, response }) =>
        printNote(`${httpStatus === null ? response : `answered ${httpStatus}`}; checking whether it can be read back`),
    },
  );
  if (options.json) printJson(task);
  await throwUnfinished(task, options);
  if (!options.json) for (const line of await linesOf(task)) printLine(line);
  return task;
}

async function confirm(asked: RemoteAsk): Promise<void> {
  switch (asked.action) {
    case 'deleteAll':
      return askWord('This deletes every strategy of the account, those that are not yours included.', 'delete all', 'delete-all');
    case 'flush': {
      const { strategyId, longPositionTargetPercentage: long, shortPositionTargetPercentage: short } = asked;
      return askWord(
        `This sells down strategy ${strategyId}: ${long} % of its long and ${short} % of its short position are kept.`,
        'flush',
        'flush',
      );
    }
    case 'resumeAll':
      return askYes(
        'This lets every paused strategy of the account trade, those that are not yours included. Go on?',
        'resume-all',
        'nothing was sent',
      );
    default:
      return askYes(
        `${asked.action} of strategy ${'strategyId' in asked ? asked.strategyId : ''} cannot be undone. Go on?`,
        asked.action,
        'nothing was sent',
      );
  }
}

async function printRequest(asked: RemoteAsk, options: AskingOptions): Promise<void> {
  const { requestOf } = await import('#daemon/operations/remote/remote-request.ts');
  const request = requestOf(asked, configFrom(options).settings);
  if (options.json) return printJson(request);
  printLine(`${request.method} ${request.url}`);
  for (const [name, value] of Object.entries(request.headers)) printLine(`${name}: ${value}`);
  if (request.body !== null) printLine(`\n${request.body}`);
}

async function linesOf({ id, action, arguments: said, status, response }: RemoteTask): Promise<readonly string[]> {
  const what = `${action.replace('remote.', '')}${typeof said.strategyId === 'string' ? ` of ${said.strategyId}` : ''}`;
  switch (status) {
    case 'confirmed': {
      const { createdId } = await import('#adapters/service-client/rest/orchestrator.ts');
      return action === 'remote.create'
        ? [`created: ${createdId(response) ?? response}`]
        : [`${what}: done, as the service reads it back (action ${id})`];
    }
    case 'asked':
    case 'unverified':
      return [`${what}: asked; ${response || 'its effect was not checked yet'}: \`kairos remote find\` (action ${id})`];
    default:
      return [];
  }
}

/** What a person does who does not know what became of an action. */
export const lookText = (action: string): string => `look with \`kairos remote find\`${action === 'remote.flush' ? ' before another' : ''}`;

/** Throws one line if the service refused or the outcome is unknown, after printing the faulty fields. */
async function throwUnfinished(task: RemoteTask, options: AskingOptions): Promise<void> {
  const { id, action, status, httpStatus, response } = task;
  const what = action.replace('remote.', '');
  if (status === 'unknown') {
    throw new KairosError(
      'REMOTE_UNKNOWN',
      `the outcome of the create is unknown (${httpStatus ?? 'no answer'}): look with \`kairos remote find\`, then \`kairos remote settle ${id}\`; no other is created until then`,
    );
  }
  const doubt = doubtIn(task);
  if (doubt !== null) throw new KairosError('REMOTE_UNKNOWN', `the outcome of the ${what} is unknown (${doubt}): ${lookText(action)}`);
  if (status !== 'failed') return;
  if (httpStatus === null) throw new KairosError('REMOTE_INVALID', response);
  const { refusalIn, refusalText } = await import('#adapters/service-client/rest/refusal-text.ts');
  const refusal = refusalIn(response);
  const inTable = refusal !== null && refusal.fields.length > 0 && !options.json;
  if (inTable) {
    printTable(
      ['field', 'what is wrong', 'given'],
      refusal.fields.map(({ fields, description, rejectedValue }) => [
        fields.join(', '),
        description,
        rejectedValue === undefined ? '' : JSON.stringify(rejectedValue).slice(0, 60),
      ]),
    );
  }
  const word = inTable ? (refusal.error === '' ? '' : ` (${refusal.error})`) : refusalText(response);
  const mend = httpStatus === 401 ? tokenMend(action, options) : '';
  throw new KairosError('SERVICE_REFUSED', `the service answered the ${what} with ${httpStatus}${word}${mend}`);
}

/** What to do about a refused token. A create and a flush are sent once, everything else again with a new token. */
function tokenMend(action: string, options: AskingOptions): string {
  const { username, password, refreshTokenFile } = configFrom(options).settings.service;
  const signsIn = (username !== null && password !== null) || refreshTokenFile !== null;
  if (!signsIn) return '; give a valid token (KAIROS_TOKEN) or service.username and password';
  if (action === 'remote.create' || action === 'remote.flush')
    return ': its token was refused, and nothing was done; the next request signs in anew';
  return '; a token that it had just signed in for was refused: may this user do that?';
}

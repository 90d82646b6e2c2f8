import type { DrillResult } from '#domain/drill-result.ts';
import { type ErrorCode, KairosError, messageOf } from '#domain/errors.ts';
import type { Command, OperatorCommand } from '#domain/event.ts';
import type { ManualTask, TakenRequest } from '#domain/manual-request.ts';
import type { FillText } from '#domain/order.ts';
import { argumentsOf, type RemoteTask } from '#domain/remote.ts';
import type { WhoWhy } from '#domain/who-why.ts';
import type { BodyOf, EndpointName, FieldsOf } from '#server/control/endpoints.ts';
import type { Settlement } from '#server/control/target.ts';
import type { DaemonAccess } from './daemon-access.ts';
import { callDaemon, type DaemonAnswer, type DaemonCall } from './daemon-call.ts';
import { type DaemonAddress, isProven } from './ops-files.ts';

const ANSWER_MS = 5_000;

/**
 * Calls an endpoint of a running daemon's control server; journaled on return. Returns the raw fields of its answer. The token is sent only
 * where it is known. Throws what the daemon throws, CONFIG_INVALID, or OPS_UNAVAILABLE.
 */
export async function ask<Name extends EndpointName>(name: Name, body: BodyOf<Name>, to: DaemonAccess): Promise<Fields> {
  if (!isProven(to.daemon, to.token)) {
    throw new KairosError(
      'CONFIG_INVALID',
      `the daemon at ${to.daemon.url} was started with another token: ops.token, or the file ops-token beside the journal, must be the one that it has; a restart makes them one`,
    );
  }
  return send(name, to.daemon, { post: body, token: to.token });
}

/** What a running daemon answers to an act: whether its row is written, and since when it was armed where arming changed nothing. */
type ActAnswer = { readonly journaled: boolean; readonly armedSince: string | null };

/** Asks a running daemon for an act. Throws what the daemon throws, or OPS_UNAVAILABLE. */
export async function askAct(command: OperatorCommand, to: DaemonAccess): Promise<ActAnswer> {
  // The daemon has the configuration, with whose hash it compares, and the reason of who calls is a person's.
  const strategy = 'strategy' in command ? (command.strategy ?? undefined) : undefined;
  const { act, ...body } = { ...command, config: undefined, reason: undefined, strategy };
  const { journaled, since } = await ask(act, body, to);
  return { journaled: journaled !== false, armedSince: act === 'arm' && typeof since === 'string' ? since : null };
}

/** Asks a running daemon for a halt drill. Throws as `askAct`. */
export async function askDrill(by: WhoWhy, to: DaemonAccess): Promise<DrillResult> {
  const { verdict, outcome, orderId, shutMs, stoppedMs } = await ask('drill', by, to);
  if (verdict !== 'passed' && verdict !== 'failed' && verdict !== 'inconclusive') {
    throw new KairosError('OPS_UNAVAILABLE', `the daemon at ${to.daemon.url} did not say what the drill came to`);
  }
  return {
    verdict,
    outcome: String(outcome),
    orderId: typeof orderId === 'string' ? orderId : null,
    shutMs: typeof shutMs === 'number' ? shutMs : null,
    stoppedMs: typeof stoppedMs === 'number' ? stoppedMs : null,
  };
}

/** Settles an order of unknown outcome by a running daemon; journaled on return. Throws as `askAct`, NOT_OPEN among it. */
export async function askResolution({ figures, ...asked }: FieldsOf<'resolve'>, to: DaemonAccess): Promise<Settlement> {
  const { fill } = await ask('resolve', { ...asked, ...figures }, to);
  return { order: asked.order, as: asked.as, fill: isFill(fill) ? fill : null };
}

function isFill(fill: unknown): fill is FillText {
  return typeof fill === 'object' && fill !== null && 'price' in fill && typeof fill.price === 'string';
}

/** The acts that are manual requests. */
export type ManualAct = ManualTask['act'];

/** Makes a manual request of a running daemon. Throws as `askAct`, ACT_REFUSED among it. */
export async function askManual<Act extends ManualAct>(act: Act, body: BodyOf<Act>, to: DaemonAccess): Promise<TakenRequest> {
  const fields = await ask(act, body, to);
  return { ...taskIn(fields, to.daemon, isManualTask), journaled: fields.journaled !== false };
}

/** The progress of a manual request. Throws OPS_UNAVAILABLE. */
export async function askTask(id: string, daemon: DaemonAddress): Promise<ManualTask> {
  return taskIn(await send(`by-hand/${id}`, daemon), daemon, isManualTask);
}

/** Asks a running daemon about the service's strategies; it is journaled on return. Throws as `askManual`, REMOTE_INVALID among it. */
export async function askRemote({ who, why, asked }: Extract<Command, { act: 'remote' }>, to: DaemonAccess): Promise<RemoteTask> {
  // The caller has asked a person to confirm.
  const body = { who, why, action: asked.action, arguments: argumentsOf(asked), confirm: true };
  return taskIn(await ask('remote', body, to), to.daemon, isRemoteTask);
}

/** Settles a create of unknown outcome by a running daemon. Throws as `askRemote`. */
export async function askSettling(
  { act: _act, ...body }: Extract<Command, { act: 'settle-create' }>,
  to: DaemonAccess,
): Promise<RemoteTask> {
  return taskIn(await ask('settle-create', body, to), to.daemon, isRemoteTask);
}

/** The progress of a request for the service's strategies. Throws OPS_UNAVAILABLE. */
export async function askRemoteTask(id: string, daemon: DaemonAddress): Promise<RemoteTask> {
  return taskIn(await send(`remote/${id}`, daemon), daemon, isRemoteTask);
}

/** The mode of a running daemon, of any version, or the address of its service. Throws OPS_UNAVAILABLE. */
export async function askState(name: 'mode' | 'service', daemon: DaemonAddress): Promise<string> {
  const { [name]: said } = await send('state', daemon);
  if (typeof said === 'string') return said;
  throw new KairosError('OPS_UNAVAILABLE', `the daemon at ${daemon.url} did not say its ${name}`);
}

/** Reads a task from the daemon's answer. */
function taskIn<Task>(fields: Fields, { url }: DaemonAddress, isTask: (fields: unknown) => fields is Task): Task {
  if (isTask(fields)) return fields;
  throw new KairosError('OPS_UNAVAILABLE', `the daemon at ${url} did not say what has come of it: is it of another version?`);
}

function isAsked(fields: unknown): fields is { readonly id: string; readonly ended: boolean } {
  return (
    typeof fields === 'object' &&
    fields !== null &&
    'id' in fields &&
    typeof fields.id === 'string' &&
    'ended' in fields &&
    typeof fields.ended === 'boolean'
  );
}

function isManualTask(fields: unknown): fields is ManualTask {
  return isAsked(fields) && 'parts' in fields && Array.isArray(fields.parts);
}

function isRemoteTask(fields: unknown): fields is RemoteTask {
  return isAsked(fields) && 'response' in fields && typeof fields.response === 'string';
}

type Fields = Readonly<Record<string, unknown>>;

async function send(name: string, { url, pid }: DaemonAddress, call?: Pick<DaemonCall, 'post' | 'token'>): Promise<Fields> {
  let answer: DaemonAnswer;
  try {
    answer = await callDaemon(`${url}/api/${name}`, { ...call, withinMs: ANSWER_MS });
  } catch (error) {
    const way = `\`kairos halt\` needs no answer (it writes a file beside the journal), nor does \`kill -USR2 ${pid}\``;
    const isTaken = call !== undefined && !(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED');
    const next = isTaken ? 'it may have been done, and `kairos journal tail` shows it: look before you ask again' : 'ask again';
    throw new KairosError('OPS_UNAVAILABLE', `the daemon does not answer at ${url} (${messageOf(error)}): ${next}; to halt, ${way}`);
  }
  const { ok, status, said } = answer;
  const fields: Fields = typeof said === 'object' && said !== null ? { ...said } : {};
  if (!ok) throw refusalIn(fields, { url, status });
  return fields;
}

const KNOWN: readonly ErrorCode[] = [
  'NOT_FOUND',
  'USAGE',
  'CONFIG_INVALID',
  'JOURNAL_FAULT',
  'DRILL_REFUSED',
  'NOT_OPEN',
  'ACT_REFUSED',
  'REMOTE_INVALID',
];

function refusalIn({ error, message }: Fields, { url, status }: { readonly url: string; readonly status: number }): KairosError {
  const text = typeof message === 'string' ? message : 'no reason given';
  const code = KNOWN.find((known) => known === error);
  return code ? new KairosError(code, text) : new KairosError('OPS_UNAVAILABLE', `the daemon at ${url} refused (${status}): ${text}`);
}

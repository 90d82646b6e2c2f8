import type { OwnStrategies } from '#lab/simulator/service/own-strategies.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';
import type { JournalEye } from './journal-eye.ts';

interface ActionRow {
  readonly action_id: string;
  readonly action: string;
  readonly status: string;
  readonly response: string | null;
}

interface RemoteParts {
  readonly scene: Scene;
  readonly eye: JournalEye;
  readonly strategies: () => OwnStrategies | undefined;
  /** Start of the present process and its state of trading; null while none runs. */
  readonly running: () => { readonly since: number; readonly trading: string } | null;
  readonly violate: Violate;
}

/** Time without a token after which openings must have ended if halts escalate to the service, in milliseconds (F18). */
const TOKEN_GONE_MS = 220_000;
const KNOWN_MS = 120_000;

const RESUMED = "(SELECT coalesce(max(seq), 0) FROM decisions WHERE kind = 'resumed' AND strategy IS NULL)";
/** Halts that stood when the last process started, and for which nothing was asked. */
const NOT_PASSED_ON = `SELECT 1 FROM decisions WHERE kind = 'halted' AND seq > ${RESUMED}
  AND seq < (SELECT max(seq) FROM decisions WHERE kind = 'started')
  AND NOT EXISTS (SELECT 1 FROM decisions WHERE kind = 'action' AND reason = 'HALTED' AND seq > ${RESUMED})`;

/** Checks requests to the service's own strategies, on the wire and in the journal (I03, F16 to F18). */
export class RemoteWatch {
  private readonly parts: RemoteParts;
  private creates = 0;

  constructor(parts: RemoteParts) {
    this.parts = parts;
    const { scene } = parts;
    if (!this.escalates) return;
    for (const { from, to } of joined(scene.troubles.all('F18').map(({ trouble }) => trouble)))
      if (to - from > TOKEN_GONE_MS) scene.world.at(from + TOKEN_GONE_MS, () => this.judgeToken(from));
  }

  private get escalates(): boolean {
    return this.parts.scene.plan.settings.includes('halt.escalate=pauseAll');
  }

  /** A create is being written. */
  creating(): void {
    const { eye, violate } = this.parts;
    this.creates += 1;
    const asked = eye.rows("SELECT 1 FROM actions WHERE action = 'remote.create'").length;
    if (this.creates > asked) violate('I03', `${this.creates} creates of a strategy are on the wire, and a person has asked for ${asked}`);
  }

  /** Creates of unknown outcome, with what they really created. */
  unsettled(): readonly { readonly actionId: string; readonly strategyId: string | null }[] {
    if (!this.parts.scene.plan.remote) return [];
    const rows = this.parts.eye.rows<ActionRow>("SELECT * FROM actions WHERE action = 'remote.create'");
    const told = new Set(rows.flatMap(({ status, response }) => (status === 'confirmed' ? [createdIn(response)] : [])));
    const left = (this.parts.strategies()?.created ?? []).filter((id) => !told.has(id));
    return rows
      .filter(({ status }) => status === 'unknown')
      .map(({ action_id: actionId }) => ({ actionId, strategyId: left.shift() ?? null }));
  }

  judgeEnd(): void {
    const { eye, strategies, violate } = this.parts;
    const rows = eye.rows<ActionRow>("SELECT * FROM actions WHERE action LIKE 'remote.%'");
    const open = rows.filter(({ action, status }) => action === 'remote.create' && (status === 'unknown' || status === 'asked')).length;
    const told = rows.flatMap(({ action, status, response }) =>
      action === 'remote.create' && status === 'confirmed' ? [createdIn(response)] : [],
    );
    const created = strategies()?.created ?? [];
    for (const id of told)
      if (!created.includes(id)) violate('F16', `strategy ${id} is journaled as created, and the service has none of that id`);
    const unknown = created.filter((id) => !told.includes(id));
    if (unknown.length > open) violate('F16', `the service has ${unknown.join(', ')}, which the journal neither has nor waits for`);
    if (this.escalates && eye.rows(NOT_PASSED_ON).length > 0)
      violate('F20', 'a start has found a halt that was not passed on, and asked for nothing');
  }

  private judgeToken(from: number): void {
    const { scene, eye, running, violate, strategies } = this.parts;
    // A token that was not shown counts as valid.
    const refusedSince = strategies()?.refusedSince ?? scene.world.now;
    if (scene.world.now - refusedSince < KNOWN_MS) return;
    const process = running();
    if (!process || process.since > from || process.trading !== 'ACTIVE' || !scene.troubles.on('F18')) return;
    if (scene.troubles.all('F57').some(({ trouble }) => trouble.from > from - 600_000 && trouble.from < from + TOKEN_GONE_MS)) return;
    const at = new Date(scene.machine.wallMs() - TOKEN_GONE_MS - 10_000).toISOString();
    // Where openings had ended already, a further reason is told and not journaled: a person who resumes after it knows.
    const ended = "(kind = 'reducing' AND reason = 'TOKEN_GONE') OR (kind IN ('resumed', 'armed') AND strategy IS NULL)";
    if (eye.rows(`SELECT 1 FROM decisions WHERE (${ended}) AND at > ?`, at).length === 0)
      violate('F18', `no token was good for ${TOKEN_GONE_MS / 1000} s, a halt could not be passed on, and openings go on`);
  }
}

function createdIn(response: string | null): string {
  return /"strategyId":"([^"]+)"/.exec(response ?? '')?.[1] ?? '';
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Spans that meet, as one: once a person goes on trading without tokens, nothing new is to be said until one is good again. */
function joined(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else all.push({ from, to });
  }
  return all;
}

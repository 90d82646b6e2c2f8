import type { ActionDetail } from './decision.ts';
import { KairosError } from './errors.ts';
import { instantOf } from './utc-day.ts';

/** Fields of a strategy as the service names them: plain JSON values. */
export type StrategyFields = Readonly<Record<string, unknown>>;

/** The requests for the service's own strategies (spec 4.1). `strategyId` stands in the paths as `strategyAppId`. */
export type RemoteAsk =
  | { readonly action: 'create'; readonly fields: StrategyFields }
  /** `productCode` is not sent: sizes and prices are held against its limits, and without them the change is refused. */
  | { readonly action: 'modify'; readonly strategyId: string; readonly changes: StrategyFields; readonly productCode?: string }
  | { readonly action: 'start' | 'stop' | 'pause' | 'delete'; readonly strategyId: string }
  | { readonly action: 'schedule-opening-pause'; readonly strategyId: string; readonly fromTime: string; readonly toTime: string }
  | {
      readonly action: 'flush';
      readonly strategyId: string;
      /** Shares of the present position to keep, in percent. */
      readonly longPositionTargetPercentage: number;
      readonly shortPositionTargetPercentage: number;
    }
  | { readonly action: 'pauseAll' | 'resumeAll' | 'deleteAll' };

/** What is known of a request to the service. */
export interface RemoteAnswer {
  /**
   * `asked`: answered 202, which shows no effect. `confirmed`: read back. `unverified`: it may not have been accepted,
   * or its effect could not be read back. `unknown`: a create whose answer was lost. `failed`: refused, or never sent.
   */
  readonly status: 'asked' | 'confirmed' | 'unverified' | 'unknown' | 'failed';
  readonly httpStatus: number | null;
  /** The answer's body, why there is none, or why an effect is `unverified`. */
  readonly response: string;
  /** The service's list should show the effect by now, and does not. */
  readonly notShown?: boolean;
}

/** One of the service's strategies as listed by the service (notes, "Strategies"); every field may be missing. */
export interface RemoteStrategy {
  readonly strategyId: string;
  /** Counts the changes of the strategy at the service. */
  readonly version: number | null;
  readonly eventTime: string | null;
  readonly state: Readonly<Record<string, string>>;
  readonly uiParams: StrategyFields;
}

const STRATEGY_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
const FIELD = /^[A-Za-z_]\w{0,63}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const MAX_LEVELS = 5;

/** True for what cannot be undone or makes strategies of others trade. A person must confirm it first (B41). */
export function isDestructive({ action }: RemoteAsk): boolean {
  return action === 'stop' || action === 'flush' || action === 'delete' || action === 'deleteAll' || action === 'resumeAll';
}

/** The first journal row of a request, before any answer. `at` is an ISO time. */
export function askedDetail(
  asked: RemoteAsk,
  { actionId, at, who, why }: { readonly actionId: string; readonly at: string; readonly who: string; readonly why: string },
): ActionDetail {
  const action = `remote.${asked.action}`;
  const times = { dueAt: at, askedAt: at };
  return {
    actionId,
    name: 'manual',
    action,
    arguments: argumentsOf(asked),
    ...times,
    status: 'asked',
    httpStatus: null,
    response: '',
    who,
    why,
  };
}

/** The arguments of a request, for the journal. */
export function argumentsOf({ action: _action, ...rest }: RemoteAsk): Readonly<Record<string, unknown>> {
  return rest;
}

/**
 * Reads a request from its action and arguments. Throws REMOTE_INVALID for an id that would rewrite the path, a number
 * that JSON would turn into null, and percentages outside 0 to 100 (B01, B08, B41).
 */
export function remoteAskOf(action: string, said: Readonly<Record<string, unknown>>): RemoteAsk {
  switch (action) {
    case 'create':
      return { action, fields: newFields(only(action, said, ['fields']).fields) };
    case 'modify': {
      const { strategyId, changes, productCode } = only(action, said, ['strategyId', 'changes', 'productCode']);
      const known = typeof productCode === 'string' ? { productCode } : {};
      return { action, strategyId: idIn(strategyId), changes: changesIn(changes), ...known };
    }
    case 'start':
    case 'stop':
    case 'pause':
    case 'delete':
      return { action, strategyId: idIn(only(action, said, ['strategyId']).strategyId) };
    case 'schedule-opening-pause': {
      const { strategyId, fromTime, toTime } = only(action, said, ['strategyId', 'fromTime', 'toTime']);
      const from = momentIn('fromTime', fromTime);
      const to = momentIn('toTime', toTime);
      if (Date.parse(from) >= Date.parse(to)) throw invalid(`fromTime ${from} must be before toTime ${to}`);
      return { action, strategyId: idIn(strategyId), fromTime: from, toTime: to };
    }
    case 'flush': {
      const names = ['strategyId', 'longPositionTargetPercentage', 'shortPositionTargetPercentage'];
      const { strategyId, longPositionTargetPercentage: long, shortPositionTargetPercentage: short } = only(action, said, names);
      return {
        action,
        strategyId: idIn(strategyId),
        longPositionTargetPercentage: percentIn('longPositionTargetPercentage', long),
        shortPositionTargetPercentage: percentIn('shortPositionTargetPercentage', short),
      };
    }
    case 'pauseAll':
    case 'resumeAll':
    case 'deleteAll':
      only(action, said, []);
      return { action };
    default:
      throw invalid(`the service's strategies have no action ${JSON.stringify(action.slice(0, 50))}`);
  }
}

/** The fields of a create. Starting is a request of its own, since only that may be repeated. */
function newFields(value: unknown): StrategyFields {
  const fields = fieldsIn('fields', value);
  const { strategyType, autoRun = false } = fields;
  if (typeof strategyType !== 'string' || strategyType === '') throw invalid('strategyType is missing: AI, or the name of another type');
  if (autoRun !== false) throw invalid('autoRun: leave it out; a strategy is created idle and started by a request of its own');
  return fields;
}

function changesIn(value: unknown): StrategyFields {
  const changes = fieldsIn('changes', value);
  if (Object.keys(changes).length > 0) return changes;
  throw invalid('the request changes nothing: name at least one field');
}

function fieldsIn(what: string, value: unknown): StrategyFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${what} must be a JSON object`);
  for (const [name, field] of Object.entries(value)) checkField(name, field, MAX_LEVELS);
  return { ...value };
}

function checkField(path: string, value: unknown, levels: number): void {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (!FIELD.test(name) && !/^\d+$/.test(name)) throw invalid(`${JSON.stringify(name.slice(0, 80))} is not the name of a field`);
  if (name in Object.prototype) throw invalid(`${name} is not the name of a field`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      if (!Number.isFinite(value)) throw invalid(`${path} is ${value}, which JSON would turn into null`);
      if (Object.is(value, -0)) throw invalid(`${path} is -0; give 0`);
      return;
    case 'object':
      if (value === null) return;
      if (levels === 1) throw invalid(`${path} is nested deeper than ${MAX_LEVELS} levels`);
      for (const [key, inner] of Object.entries(value)) checkField(`${path}.${key}`, inner, levels - 1);
      return;
    default:
      throw invalid(`${path} is not a JSON value`);
  }
}

function idIn(value: unknown): string {
  if (typeof value === 'string' && STRATEGY_ID.test(value)) return value;
  throw invalid(`${JSON.stringify(String(value).slice(0, 80))} is not the id of a strategy; \`kairos remote find\` lists them`);
}

function percentIn(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= 100) return value + 0;
  throw invalid(`${name} must be a number from 0 to 100: the share of the present position to keep`);
}

function momentIn(name: string, value: unknown): string {
  if (typeof value === 'string' && MOMENT.test(value) && !Number.isNaN(instantOf(value))) return value;
  throw invalid(`${name} must be a time with a zone, such as 2026-01-01T00:00:00Z`);
}

function only(action: string, said: Readonly<Record<string, unknown>>, known: readonly string[]): Readonly<Record<string, unknown>> {
  const foreign = Object.keys(said).find((name) => !known.includes(name));
  if (foreign === undefined) return said;
  throw invalid(`${action} takes ${known.length === 0 ? 'nothing more' : known.join(', ')}, not ${JSON.stringify(foreign.slice(0, 50))}`);
}

const invalid = (text: string): KairosError => new KairosError('REMOTE_INVALID', text);

/** The progress of a person's request for the service's strategies. */
export interface RemoteTask {
  readonly id: string;
  /** `remote.pause` and so on. */
  readonly action: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: RemoteAnswer['status'] | 'skipped';
  readonly httpStatus: number | null;
  readonly response: string;
  /** True once no further answer can come. */
  readonly ended: boolean;
  /** Why it was refused here and not sent; null if it was sent. */
  readonly refused: string | null;
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OWN_DIALECT } from '#adapters/service-client/dialect/dialect.ts';
import { isoTime } from '#domain/names.ts';
import { ACCOUNTS, LIMITS } from '#paper-venue/defaults.ts';
import { FLUSH_BODY, OPENING_PAUSE_BODY } from '#paper-venue/orchestrator/bodies.ts';
import { foundOf, nextStatus, type StrategyAction, type StrategyRecord } from '#paper-venue/orchestrator/record.ts';
import { changesOf, newStrategyOf } from '#paper-venue/orchestrator/requests.ts';
import { bearerOf } from './bearer.ts';
import type { VenueContext } from './context.ts';
import { bodyBy, jsonBody } from './json.ts';
import { type ErrorResponse, fieldRefusal, refusal, sendRefusal } from './refusal.ts';

export const STRATEGIES_PATH = '/strategy-orchestrator/strategies';

/** The owner of every created strategy: the one user who can sign in. */
const OWNER = ACCOUNTS[0].userId;

/** The result of an action: undefined, or its refusal. */
type ActionResult = ErrorResponse | undefined;

/** The orchestrator's endpoints (spec 4.1, notes): 202 without content, save create and find. */
export function orchestratorRoutes(app: FastifyInstance, context: VenueContext): void {
  const { timers, counts, store, strategies, accounts, log } = context;
  const dialect = context.dialect?.dialect ?? OWN_DIALECT;
  const refuse = (request: FastifyRequest, reply: FastifyReply, fault: ErrorResponse) =>
    sendRefusal(request, reply, { ...fault, atMs: timers.wallMs() });

  /** Checks the token, runs `act`, and answers 202 or the refusal. */
  const asked = (act: (request: FastifyRequest) => ActionResult) => async (request: FastifyRequest, reply: FastifyReply) => {
    const bearer = await bearerOf(context, request);
    const fault = 'fault' in bearer ? bearer.fault : act(request);
    if (fault) return refuse(request, reply, fault);
    note(request);
    return reply.code(202).send();
  };

  app.post(`${STRATEGIES_PATH}/action/create`, async (request, reply) => {
    const bearer = await bearerOf(context, request);
    if ('fault' in bearer) return refuse(request, reply, bearer.fault);
    const body = jsonBody(request);
    const made = 'fault' in body ? body : newStrategyOf(body.value, OWNER, { strategies, accounts, dialect });
    if ('fault' in made) return refuse(request, reply, made.fault);
    if (strategies.of(OWNER).length >= LIMITS.strategies) {
      return refuse(
        request,
        reply,
        refusal(422, 'TOO_MANY', `the account has ${LIMITS.strategies} strategies, the maximum; delete one first`),
      );
    }
    const { strategyId } = strategies.create(made.value);
    note(request);
    return reply.code(201).send({ strategyId });
  });

  app.post(`${STRATEGIES_PATH}/find`, async (request, reply) => {
    const bearer = await bearerOf(context, request);
    if ('fault' in bearer) return refuse(request, reply, bearer.fault);
    const wanted = new URLSearchParams(request.raw.url?.split('?')[1] ?? '').get('createdByUserId');
    return reply.send(strategies.of(wanted ?? OWNER).map(foundOf));
  });

  for (const [action, act] of Object.entries(actionsOn(context))) {
    const method = action === 'delete' ? 'DELETE' : action === 'modify' ? 'PATCH' : 'PUT';
    const handler = asked((request) => onRoot(context, request, (record) => act(record, request)));
    app.route({ method, url: `${STRATEGIES_PATH}/:strategyAppId/action/${action}`, handler });
  }

  const onAll = (act: (record: StrategyRecord) => void) => (): ActionResult => {
    strategies.of(OWNER).forEach(act);
    return undefined;
  };
  const pauseAll = onAll((record) => record.status === 'ACTIVE' && strategies.setStatus(record, 'PAUSED'));
  const resumeAll = onAll((record) => record.status === 'PAUSED' && strategies.setStatus(record, 'ACTIVE'));
  const deleteAll = onAll((record) => strategies.delete(record));
  const counted = (name: 'pauseAll' | 'resumeAll', act: () => ActionResult) => () => {
    counts[name] += 1;
    return act();
  };
  app.put(`${STRATEGIES_PATH}/pauseAll`, asked(counted('pauseAll', pauseAll)));
  app.put(`${STRATEGIES_PATH}/resumeAll`, asked(counted('resumeAll', resumeAll)));
  app.delete(`${STRATEGIES_PATH}/deleteAll`, asked(deleteAll));

  function note(request: FastifyRequest): void {
    const action = pathParts(request).join('/').slice(0, 100);
    store.action(action, isoTime(timers.wallMs()));
    log(`strategies: ${action}`);
  }
}

/** The handlers of actions on one root strategy. */
function actionsOn({
  strategies,
  accounts,
}: VenueContext): Readonly<Record<StrategyAction | 'delete', (record: StrategyRecord, request: FastifyRequest) => ActionResult>> {
  const step = (action: StrategyAction) => (record: StrategyRecord) => {
    const status = nextStatus(record.status, action);
    if (status === undefined) return stateFault(record, action);
    strategies.setStatus(record, status);
    return undefined;
  };
  return {
    start: step('start'),
    stop: step('stop'),
    pause: step('pause'),
    delete: (record) => {
      strategies.delete(record);
      return undefined;
    },
    'schedule-opening-pause': (record, request) => {
      const body = jsonBody(request);
      const read = 'fault' in body ? body : bodyBy(OPENING_PAUSE_BODY, body.value);
      if ('fault' in read) return read.fault;
      const { fromTime, toTime } = read.value;
      if (Date.parse(fromTime) >= Date.parse(toTime)) {
        return fieldRefusal(422, 'INVALID_TIMES', [{ fields: ['fromTime', 'toTime'], description: 'fromTime must be before toTime' }]);
      }
      if (nextStatus(record.status, 'schedule-opening-pause') === undefined) return stateFault(record, 'schedule-opening-pause');
      strategies.pauseOpenings(record, isoTime(Date.parse(fromTime)), isoTime(Date.parse(toTime)));
      return undefined;
    },
    flush: (record, request) => {
      const body = jsonBody(request);
      const read = 'fault' in body ? body : bodyBy(FLUSH_BODY, body.value);
      if ('fault' in read) return read.fault;
      const beyond = Object.entries(read.value).filter(([, percent]) => !(percent >= 0 && percent <= 100));
      if (beyond.length > 0) {
        const wrong = beyond.map(([field, percent]) => ({
          fields: [field],
          description: `${field} must be from 0 to 100`,
          rejectedValue: percent,
        }));
        return fieldRefusal(422, 'INVALID_PERCENTAGE', wrong);
      }
      if (nextStatus(record.status, 'flush') === undefined) return stateFault(record, 'flush');
      const { longPositionTargetPercentage: long, shortPositionTargetPercentage: short } = read.value;
      strategies.flush(record, { long, short });
      return undefined;
    },
    modify: (record, request) => {
      const body = jsonBody(request);
      const read = 'fault' in body ? body : changesOf(body.value, record, { strategies, accounts });
      if ('fault' in read) return read.fault;
      if (nextStatus(record.status, 'modify') === undefined) return stateFault(record, 'modify');
      if (Object.keys(read.value).length > 0) strategies.modify(record, read.value);
      return undefined;
    },
  };
}

/** Runs `act` on the root strategy that the path names; only roots take actions (notes, "Strategies"). */
function onRoot({ strategies }: VenueContext, request: FastifyRequest, act: (record: StrategyRecord) => ActionResult): ActionResult {
  const id = pathParts(request)[0] ?? '';
  const found = strategies.find(OWNER, id);
  if (found === undefined) return refusal(404, 'NOT_FOUND', 'there is no such strategy');
  if (found === 'child') {
    const description = 'only a root strategy accepts actions; its children follow it';
    return fieldRefusal(422, 'NOT_A_ROOT', [{ fields: ['strategyAppId'], description, rejectedValue: id }]);
  }
  return act(found);
}

/** The parts of the path below that of strategies, as sent. */
function pathParts(request: FastifyRequest): readonly string[] {
  const path = (request.raw.url ?? '').split('?')[0] ?? '';
  return path.slice(STRATEGIES_PATH.length + 1).split('/');
}

function stateFault(record: StrategyRecord, action: StrategyAction): ErrorResponse {
  const description = `a strategy that is ${record.status} does not accept ${action}`;
  return fieldRefusal(422, 'STATE', [{ fields: ['strategyAppId'], description, rejectedValue: record.strategyId }]);
}

import { z } from 'zod';
import { ADMIN_PATH, DEPOSIT_BODY, DEPOSITED, NOTIFICATIONS, PROVED, REVOKED } from '#paper-venue/http/admin.ts';
import { LOGIN_PATH } from '#paper-venue/http/login.ts';
import { CHALLENGE_BODY, CHALLENGED, PASSWORD_BODY, REFRESH_BODY, SIGNED_IN } from '#paper-venue/http/login-body.ts';
import { STRATEGIES_PATH } from '#paper-venue/http/orchestrator.ts';
import {
  AI_BODY,
  AI_CHANGES,
  CREATED,
  FLUSH_BODY,
  FOUND,
  OPEN_BODY,
  OPEN_CHANGES,
  OPENING_PAUSE_BODY,
} from '#paper-venue/orchestrator/bodies.ts';
import { EXCHANGE_CODES } from '#paper-venue/products.ts';
import { PROOF_PATH } from '#paper-venue/proof.ts';
import { type Json, schemaOfInput, schemaOfOutput } from './json-schema.ts';
import { ACCOUNT, BALANCES, ERROR_BODY, ORDER, ORDER_ANSWER, PRODUCT } from './records.ts';

const SIGNED = [{ apiKey: [], apiTimestamp: [], apiSignature: [], apiUser: [] }];
const BEARER = [{ bearer: [] }];

interface Operation {
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly parameters?: readonly Json[];
  readonly security?: readonly Json[];
  /** Status of success, with its body if it has one. */
  readonly success: readonly [status: number, body?: z.ZodType];
  /** Statuses of refusal, all with the same error body; those for oversize bodies and wrong types are added. */
  readonly refusals: readonly number[];
}

/** The paper venue's HTTP side as an OpenAPI 3.1 document, with the schemas that check the requests. */
export function openApi(brand: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kairos paper venue',
      version: '1',
      description:
        'Orders, products, accounts, strategies and sign-in of the service, on paper. Paths under /venue are the paper venue’s own.',
    },
    servers: [{ url: 'http://127.0.0.1:8090' }],
    paths: named({ ...strategyPaths(), ...servicePaths(brand), ...ownPaths() }),
    components: {
      schemas: { Error: schemaOfOutput(ERROR_BODY) },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        apiTimestamp: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Timestamp',
          description: 'Unix time in milliseconds, within 5000 of ours',
        },
        apiSignature: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Signature',
          description: 'Base64 of HMAC-SHA256 over timestamp, method, path with query, user id and raw body, joined without separators',
        },
        apiUser: { type: 'apiKey', in: 'header', name: 'X-API-User-ID' },
      },
    },
  };
}

type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** Each operation by the last word of its path, which generators of clients make a method of. */
const named = (paths: Paths): Json =>
  Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => {
      const word = path.slice(path.lastIndexOf('/') + 1);
      const operationId = word.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
      return [path, Object.fromEntries(Object.entries(operations).map(([method, one]) => [method, { operationId, ...one }]))];
    }),
  );

function strategyPaths(): Paths {
  const id = { name: 'strategyAppId', in: 'path', required: true, schema: { type: 'string' } };
  const version = { name: 'se-api-version', in: 'header', required: false, schema: { type: 'string' } };
  const action = (summary: string, body?: z.ZodType): Json =>
    operation({
      summary,
      ...(body && { body }),
      parameters: [id, version],
      security: BEARER,
      success: [202],
      refusals: body ? [400, 401, 404, 422] : [401, 404, 422],
    });
  const onAll = (summary: string): Json => operation({ summary, parameters: [version], security: BEARER, success: [202], refusals: [401] });
  const one = `${STRATEGIES_PATH}/{strategyAppId}/action`;
  return {
    [`${STRATEGIES_PATH}/action/create`]: {
      post: operation({
        summary: 'Create a strategy',
        body: z.union([AI_BODY, OPEN_BODY]),
        security: BEARER,
        success: [201, CREATED],
        refusals: [400, 401, 422],
      }),
    },
    [`${one}/start`]: { put: action('Start, or go on after a pause') },
    [`${one}/pause`]: { put: action('Pause') },
    [`${one}/stop`]: { put: action('Stop for good') },
    [`${one}/schedule-opening-pause`]: { put: action('Open nothing between two times', OPENING_PAUSE_BODY) },
    [`${one}/flush`]: { put: action('Close open positions down to shares of them', FLUSH_BODY) },
    [`${one}/modify`]: { patch: action('Change fields: null erases, a missing one is left', z.union([AI_CHANGES, OPEN_CHANGES])) },
    [`${one}/delete`]: { delete: action('Delete') },
    [`${STRATEGIES_PATH}/resumeAll`]: { put: onAll('Resume every paused strategy') },
    [`${STRATEGIES_PATH}/pauseAll`]: { put: onAll('Pause every active strategy') },
    [`${STRATEGIES_PATH}/deleteAll`]: { delete: onAll('Delete every strategy') },
    [`${STRATEGIES_PATH}/find`]: {
      post: operation({
        summary: 'Read strategies back',
        parameters: [{ name: 'createdByUserId', in: 'query', required: false, schema: { type: 'string' } }, version],
        security: BEARER,
        success: [200, z.array(FOUND)],
        refusals: [401],
      }),
    },
  };
}

function servicePaths(brand: string): Paths {
  const exchange = { name: 'exchangeCode', in: 'query', required: false, schema: { enum: EXCHANGE_CODES } };
  return {
    '/as/v3/accounts': {
      get: operation({ summary: 'Exchange accounts', security: BEARER, success: [200, z.array(ACCOUNT)], refusals: [401] }),
    },
    '/mms/v2/productDetails': {
      get: operation({ summary: 'Products', parameters: [exchange], success: [200, z.array(PRODUCT)], refusals: [400] }),
    },
    [`/${brand}-broker/api/orders`]: {
      post: operation({
        summary: 'Order on a quote; what is executed is executed whole, at the figures of the quote',
        body: ORDER,
        security: SIGNED,
        success: [201, ORDER_ANSWER],
        refusals: [400, 401, 403, 422],
      }),
    },
    [LOGIN_PATH]: {
      post: operation({
        summary: 'Sign in, answer the second factor, or prolong; the token is in the response header Authorization',
        body: z.union([PASSWORD_BODY, CHALLENGE_BODY, REFRESH_BODY]),
        success: [200, z.union([SIGNED_IN, CHALLENGED])],
        refusals: [400, 401],
      }),
    },
  };
}

function ownPaths(): Paths {
  const text = (name: string) => ({ name, in: 'query', required: false, schema: { type: 'string' } });
  return {
    [`${ADMIN_PATH}/deposits`]: {
      post: operation({
        summary: 'Money arrives for a user',
        body: DEPOSIT_BODY,
        success: [201, DEPOSITED],
        refusals: [400, 403],
      }),
    },
    [`${ADMIN_PATH}/notifications`]: {
      get: operation({ summary: 'Notifications, newest first', success: [200, NOTIFICATIONS], refusals: [403] }),
    },
    [`${ADMIN_PATH}/balances`]: {
      get: operation({
        summary: 'Balances of a user of the broker, or of an exchange account',
        parameters: [text('userId'), text('accountId')],
        success: [200, BALANCES],
        refusals: [400, 403],
      }),
    },
    [PROOF_PATH]: {
      get: operation({
        summary: 'Prove to be a Kairos venue of the same user',
        parameters: [text('nonce')],
        success: [200, PROVED],
        refusals: [400, 403],
      }),
    },
    [`${ADMIN_PATH}/sessions/revoke`]: {
      post: operation({ summary: 'End every session', success: [200, REVOKED], refusals: [403] }),
    },
  };
}

function operation({ summary, body, parameters, security = [], success, refusals }: Operation): Json {
  const [status, answer] = success;
  const refusal = { description: 'refused', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
  return {
    summary,
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: schemaOfInput(body) } } } }),
    responses: {
      [status]: answer
        ? { description: 'done', content: { 'application/json': { schema: schemaOfOutput(answer) } } }
        : { description: 'asked; no content' },
      ...Object.fromEntries([...refusals, ...(body ? [413, 415] : [])].map((code) => [code, refusal])),
    },
    security,
  };
}

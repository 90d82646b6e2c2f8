import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { decimalOf } from '#domain/decimal.ts';
import { ACCOUNTS, OTHER_PARTNER, PARTNER_USERS } from '#paper-venue/defaults.ts';
import { PROOF_PATH, proofOf, venueKey } from '#paper-venue/proof.ts';
import type { VenueContext } from './context.ts';
import { bodyBy, jsonBody } from './json.ts';
import { type ErrorResponse, fieldRefusal, refusal, sendRefusal } from './refusal.ts';

/** Prefix of the venue's own paths, beyond the specification, for events from outside such as deposits. */
export const ADMIN_PATH = '/venue';

/** Maximum length of a list. */
const MAX_LISTED = 1000;

const KNOWN_USERS: ReadonlySet<string> = new Set([...PARTNER_USERS, ...OTHER_PARTNER.users]);

/** The body of a manual deposit. */
export const DEPOSIT_BODY = z.object({
  userId: z.string().refine((id) => KNOWN_USERS.has(id), `must be one of ${[...KNOWN_USERS].join(', ')}`),
  currency: z.string().regex(/^[A-Za-z0-9]{2,16}$/, 'must be a currency code such as btc'),
  amount: z
    .string()
    .regex(/^\d{1,16}(\.\d{1,18})?$/, 'must be a decimal in quotes, such as "0.5"')
    .refine((text) => /[1-9]/.test(text), 'must be above 0'),
  source: z.string().min(1).max(200).default('paper-transfer').describe('address that sent the transfer'),
});

/** The answer to a manual deposit. */
export const DEPOSITED = z.object({
  transferId: z.string(),
  notificationId: z.number().int().nullable().describe("null if the user's partner has not set a URL"),
});

/** The list of notifications with their states. */
export const NOTIFICATIONS = z.array(
  z.object({
    id: z.number().int(),
    createdAt: z.string(),
    userId: z.string(),
    type: z.string(),
    body: z.string(),
    state: z.enum(['pending', 'delivered', 'failed', 'abandoned']),
    attempts: z.number().int(),
    firstTimestamp: z.string().nullable(),
    nextAtMs: z.number().int().nullable(),
    lastAt: z.string().nullable(),
    lastResult: z.string().nullable(),
  }),
);

/** The answer to a challenge: 64 hexadecimal digits. */
export const PROVED = z.object({ proof: z.string() });

export const REVOKED = z.object({ revoked: z.number().int() });

/** Adds the venue's own paths: the proof that it is a Kairos venue, deposits, the queue of notifications, balances, and the end of all sessions. */
export function adminRoutes(app: FastifyInstance, context: VenueContext): void {
  const { timers, deposits, notifications, sessions, store, accounts, watch } = context;
  const refuse = (request: FastifyRequest, reply: FastifyReply, fault: ErrorResponse) =>
    sendRefusal(request, reply, { ...fault, atMs: timers.wallMs() });
  const guarded =
    (answer: (request: FastifyRequest, reply: FastifyReply) => FastifyReply) => async (request: FastifyRequest, reply: FastifyReply) => {
      const fault = foreignFault(request, context.settings.host);
      return fault ? refuse(request, reply, fault) : answer(request, reply);
    };

  if (watch) {
    app.post(
      `${ADMIN_PATH}/books`,
      guarded((request, reply) => {
        const body = jsonBody(request);
        return 'fault' in body ? refuse(request, reply, body.fault) : reply.send(watch.verdict(body.value));
      }),
    );
  }
  app.post(
    `${ADMIN_PATH}/deposits`,
    guarded((request, reply) => {
      const body = jsonBody(request);
      const read = 'fault' in body ? body : bodyBy<z.output<typeof DEPOSIT_BODY>>(DEPOSIT_BODY, body.value);
      if ('fault' in read) return refuse(request, reply, read.fault);
      const { userId, currency, amount, source } = read.value;
      const made = deposits.confirm({ userId, currency: currency.toLowerCase(), amount: decimalOf(amount), source });
      return reply.code(201).send(made);
    }),
  );
  app.get(
    `${ADMIN_PATH}/notifications`,
    guarded((_request, reply) => reply.send(notifications.newest(MAX_LISTED))),
  );
  app.get(
    `${ADMIN_PATH}/balances`,
    guarded((request, reply) => {
      const query = new URLSearchParams(request.raw.url?.split('?')[1] ?? '');
      const userId = query.get('userId') ?? '';
      const accountId = query.get('accountId') ?? '';
      if (KNOWN_USERS.has(userId)) return reply.send(store.balances(userId));
      if (ACCOUNTS.some(({ id }) => id === accountId)) return reply.send(accounts.balances(accountId));
      const description = 'the query needs a userId or an accountId that the venue knows';
      return refuse(request, reply, fieldRefusal(400, 'INVALID_QUERY', [{ fields: ['userId', 'accountId'], description }]));
    }),
  );
  app.get(
    PROOF_PATH,
    guarded((request, reply) => {
      const key = venueKey();
      const proof = key && proofOf(key, new URLSearchParams(request.raw.url?.split('?')[1] ?? '').get('nonce') ?? '');
      if (proof !== undefined) return reply.send({ proof });
      const description = 'the query needs a nonce of 64 hexadecimal digits, and the venue a key';
      return refuse(request, reply, fieldRefusal(400, 'INVALID_QUERY', [{ fields: ['nonce'], description }]));
    }),
  );
  app.post(
    `${ADMIN_PATH}/sessions/revoke`,
    guarded((_request, reply) => reply.send({ revoked: sessions.revokeEvery() })),
  );
}

/** Refuses requests of other sites' pages and of rebound host names (B33). */
function foreignFault(request: FastifyRequest, host: string): ErrorResponse | undefined {
  const name = (request.headers.host ?? '').replace(/:\d+$/, '');
  const isHere = ['localhost', '127.0.0.1', '[::1]', host].includes(name);
  if (isHere && request.headers.origin === undefined) return undefined;
  return refusal(403, 'FOREIGN_HOST', 'these paths answer only this machine, by its address, and no page of a browser');
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TokenOwner } from '#paper-venue/users/sessions.ts';
import { isRightPassword, SecondFactor } from '#paper-venue/users/sign-in.ts';
import type { VenueContext } from './context.ts';
import { bodyBy, type JsonObject, jsonBody } from './json.ts';
import { CHALLENGE_BODY, PASSWORD_BODY, REFRESH_BODY } from './login-body.ts';
import { type ErrorResponse, refusal, sendRefusal } from './refusal.ts';

export const LOGIN_PATH = '/httpserver/main/v2/auth/login';

/** The result of a sign-in: a session with the lifetime to report, a challenge for the second factor, or a refusal. */
type SignIn =
  | { readonly owner: TokenOwner; readonly expirationTime: number }
  | { readonly challenged: string }
  | { readonly fault: ErrorResponse };

/**
 * Sign-in with user and password, the second factor if configured, and prolonging with a refresh token. All use one path
 * and differ by the body. The token comes in the response header `Authorization`. `expirationTime` is a lifetime in
 * seconds for a sign-in, a Unix time for prolonging (notes, "Bearer token").
 */
export function loginRoute(app: FastifyInstance, context: VenueContext): void {
  const { timers, sessions, settings } = context;
  const { totpSecret, tokenSeconds } = settings.signIn;
  const secondFactor = totpSecret === null ? undefined : new SecondFactor(totpSecret);

  async function signIn(body: JsonObject): Promise<SignIn> {
    if ('refreshToken' in body) return prolong(body);
    if ('challengeAnswer' in body || 'session' in body) return answerChallenge(body);
    const read = bodyBy(PASSWORD_BODY, body);
    if ('fault' in read) return read;
    const { username, password } = read.value;
    if (!isRightPassword(username, password)) return refused('wrong username or password');
    return secondFactor ? { challenged: username } : { owner: sessions.begin(username), expirationTime: tokenSeconds };
  }

  async function answerChallenge(body: JsonObject): Promise<SignIn> {
    const read = bodyBy(CHALLENGE_BODY, body);
    if ('fault' in read) return read;
    const { session, awsUsername, challengeAnswer } = read.value;
    const username = await sessions.challenged(session);
    const isRight = username === awsUsername && secondFactor?.accepts(challengeAnswer, timers.wallMs());
    return isRight ? { owner: sessions.begin(username), expirationTime: tokenSeconds } : refused('wrong or late second factor');
  }

  async function prolong(body: JsonObject): Promise<SignIn> {
    const read = bodyBy(REFRESH_BODY, body);
    if ('fault' in read) return read;
    const owner = await sessions.ownerOf('refresh', read.value.refreshToken);
    const expirationTime = Math.floor(timers.wallMs() / 1000) + tokenSeconds;
    return owner ? { owner, expirationTime } : refused('the refresh token is invalid, was revoked or has expired');
  }

  app.post(LOGIN_PATH, async (request, reply) => {
    const body = jsonBody(request);
    const outcome = 'fault' in body ? body : await signIn(body.value);
    return answer(context, { request, reply, outcome });
  });
}

interface SignInReply {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly outcome: SignIn;
}

async function answer({ timers, sessions }: VenueContext, { request, reply, outcome }: SignInReply): Promise<FastifyReply> {
  if ('fault' in outcome) return sendRefusal(request, reply, { ...outcome.fault, atMs: timers.wallMs() });
  if ('challenged' in outcome) {
    const session = await sessions.challenge(outcome.challenged);
    return reply.send({ awsUsername: outcome.challenged, session, challengeName: 'SOFTWARE_TOKEN_MFA', status: 'CHALLENGE_REQUIRED' });
  }
  const { owner, expirationTime } = outcome;
  return reply
    .header('Authorization', `Bearer ${await sessions.access(owner)}`)
    .send({ refreshToken: await sessions.refresh(owner), expirationTime, isAppConnected: true });
}

function refused(why: string): { readonly fault: ErrorResponse } {
  return { fault: refusal(401, 'LOGIN_REFUSED', why) };
}

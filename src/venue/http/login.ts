import type { FastifyInstance } from 'fastify';
import { LOGIN, REFRESH_TOKEN_SECONDS, TOKEN_SECONDS } from '../defaults.ts';
import { rawBodyOf } from './broker-authentication.ts';
import type { VenueContext } from './context.ts';
import { jsonObjectOf } from './json.ts';
import { refusal, sendRefusal } from './refusal.ts';
import { sameText } from './same-text.ts';

/**
 * Sign-in with user and password, and prolonging with a refresh token: one path, told apart by the body. The token
 * comes in the response header `Authorization`. `expirationTime` is a lifetime in seconds for the one, a Unix time for
 * the other (notes, "Bearer token").
 */
export function loginRoute(app: FastifyInstance, context: VenueContext): void {
  const { timers, tokens } = context;
  app.post('/httpserver/main/v2/auth/login', async (request, reply) => {
    const nowMs = timers.wallMs();
    const refuse = (status: number, code: string, error: string) =>
      sendRefusal(request, reply, { ...refusal(status, code, error), atMs: nowMs });
    const body = jsonObjectOf(rawBodyOf(request.body));
    if (!body) return refuse(400, 'MALFORMED_BODY', 'the body is not a JSON object');
    const { username, password, refreshToken } = body;
    const prolongs = typeof refreshToken === 'string';
    if (!prolongs && (typeof username !== 'string' || typeof password !== 'string')) {
      return refuse(400, 'INVALID_LOGIN', 'username and password, or refreshToken, are needed');
    }
    const subject = prolongs ? tokens.subjectOf('refresh', refreshToken, nowMs) : signIn(username, password);
    if (subject === undefined)
      return refuse(401, 'LOGIN_REFUSED', prolongs ? 'the refresh token is invalid' : 'wrong username or password');
    const token = tokens.issue('access', subject, { nowMs, lifeSeconds: TOKEN_SECONDS });
    return reply.header('Authorization', `Bearer ${token}`).send({
      refreshToken: tokens.issue('refresh', subject, { nowMs, lifeSeconds: REFRESH_TOKEN_SECONDS }),
      expirationTime: prolongs ? Math.floor(nowMs / 1000) + TOKEN_SECONDS : TOKEN_SECONDS,
      isAppConnected: true,
    });
  });
}

function signIn(username: unknown, password: unknown): string | undefined {
  const right = sameText(String(username), LOGIN.username) && sameText(String(password), LOGIN.password);
  return right ? LOGIN.username : undefined;
}

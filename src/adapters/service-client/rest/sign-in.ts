import { printable } from '#adapters/service-client/quotes/decode-frame.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import { type HttpCalls, type HttpResponse, isBadMoment } from './http-call.ts';
import { type LoginAnswer, loginAnswer } from './service-records.ts';
import { totpCode, totpLeftMs } from './totp.ts';

/** What a sign-in gave. */
export interface SignInTokens {
  /** Null where prolonging brought no new one: the old one goes on. */
  readonly token: string | null;
  readonly refreshToken: string | null;
  readonly expiresMs: Millis;
}

/** What a sign-in is made with. */
interface SignInParts {
  readonly calls: HttpCalls;
  readonly timers: Pick<Timers, 'wallMs' | 'after'>;
  readonly path: string;
  /** As in `Patience`. */
  readonly withinMs: number | undefined;
  readonly username: string;
  readonly password: string;
  /** Key of the second factor; null where a person is to be asked. */
  readonly totpKey: Buffer | null;
  /** Asks a person for the six digits; absent where nobody can answer. */
  readonly askDigits?: () => Promise<string>;
}

const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
const DIGITS = /^\d{6}$/;
const CHALLENGE = 'SOFTWARE_TOKEN_MFA';
/** Into the next step of the second factor, for clocks that differ a little. */
const STEP_MARGIN_MS = 500;

/** True for what may stand in the header `Authorization`. */
export const isToken = (text: string): boolean => text.length <= 8192 && TOKEN.test(text);

/**
 * Signs in with user name and password, and the second factor where one is asked for (notes, "Bearer token" 1 and 2). Rejects
 * with SERVICE_UNREACHABLE, SERVICE_REFUSED or SERVICE_UNREADABLE; neither password, token nor digits are ever in an error.
 */
export async function signIn(parts: SignInParts): Promise<SignInTokens> {
  const { username, password } = parts;
  const answer = await post(parts, { username, password });
  if (answer.status !== 200) {
    throw new KairosError(
      'SERVICE_REFUSED',
      `the sign-in was answered with ${answer.status}${mendOf(answer, 'check service.username and password')}`,
    );
  }
  const body = bodyOf(answer);
  if (body.challengeName == null) return signedIn(answer, body, parts.timers.wallMs());
  return answerChallenge(parts, body);
}

/**
 * Prolongs a session with its refresh token (notes, "Bearer token" 3); null where the service does not take it any more.
 * Rejects as `signIn`.
 */
export async function prolong(
  parts: Pick<SignInParts, 'calls' | 'path' | 'timers' | 'withinMs'>,
  refreshToken: string,
): Promise<SignInTokens | null> {
  const answer = await post(parts, { refreshToken });
  if (answer.status >= 400 && !isBadMoment(answer.status)) return null;
  if (answer.status !== 200) throw new KairosError('SERVICE_REFUSED', `the session could not be prolonged: answered with ${answer.status}`);
  const body = bodyOf(answer);
  const fresh = signedIn(answer, body, parts.timers.wallMs(), 'may lack');
  return { ...fresh, refreshToken: fresh.refreshToken ?? refreshToken };
}

/** Reads `expirationTime`: below 1e8 a lifetime in seconds, below 1e11 Unix seconds, else Unix milliseconds. */
export function expiryMs(expirationTime: number | null, nowMs: Millis): Millis {
  if (expirationTime === null) return Number.POSITIVE_INFINITY;
  if (expirationTime < 1e8) return nowMs + expirationTime * 1000;
  return expirationTime < 1e11 ? expirationTime * 1000 : expirationTime;
}

/** When a JWT says that it lapses (RFC 7519, `exp`); infinity where it does not say so. Nothing is verified: that is the service's part. */
export function lapseOfToken(token: string): Millis {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (typeof claims === 'object' && claims !== null && 'exp' in claims && typeof claims.exp === 'number' && claims.exp > 0) {
      return claims.exp * 1000;
    }
  } catch {
    // Not a JWT: the service may use any token.
  }
  return Number.POSITIVE_INFINITY;
}

async function answerChallenge(parts: SignInParts, body: LoginAnswer): Promise<SignInTokens> {
  const { awsUsername, session, challengeName } = body;
  if (challengeName !== CHALLENGE || awsUsername == null || session == null) {
    throw new KairosError(
      'SERVICE_REFUSED',
      `the sign-in asks for a second factor that Kairos does not know (${printable(String(challengeName), 40)}); give a token instead (KAIROS_TOKEN)`,
    );
  }
  const say = (challengeAnswer: string): Promise<HttpResponse> =>
    post(parts, { awsUsername, session, challengeName, status: body.status ?? 'CHALLENGE_REQUIRED', challengeAnswer });
  const { timers, totpKey, askDigits } = parts;
  let answer: HttpResponse;
  if (totpKey !== null) {
    answer = await say(totpCode(totpKey, timers.wallMs()));
    if (isRefused(answer)) {
      // A code is good once: another process may have used this one.
      await pause(timers, totpLeftMs(timers.wallMs()) + STEP_MARGIN_MS);
      answer = await say(totpCode(totpKey, timers.wallMs()));
    }
  } else if (askDigits) {
    const digits = (await askDigits()).replaceAll(' ', '');
    if (!DIGITS.test(digits)) throw new KairosError('USAGE', 'the second factor has six digits');
    answer = await say(digits);
  } else {
    throw new KairosError(
      'SERVICE_REFUSED',
      'the sign-in asks for a second factor: set KAIROS_TOTP_SECRET, run `kairos remote sign-in` with service.refreshTokenFile, or give a token (KAIROS_TOKEN)',
    );
  }
  if (answer.status !== 200) {
    const mend = totpKey === null ? 'try the next code' : 'check service.totpSecret and the clock of this machine';
    throw new KairosError('SERVICE_REFUSED', `the second factor was answered with ${answer.status}${mendOf(answer, mend)}`);
  }
  return signedIn(answer, bodyOf(answer), timers.wallMs());
}

/** What to do about an answer; nothing where it says nothing of what was given. */
const mendOf = ({ status }: HttpResponse, mend: string): string => (isBadMoment(status) ? '' : `; ${mend}`);

const isRefused = ({ status }: HttpResponse): boolean => status === 400 || status === 401 || status === 422;

function signedIn(answer: HttpResponse, body: LoginAnswer, nowMs: Millis, header: 'has' | 'may lack' = 'has'): SignInTokens {
  const token = answer.authorization?.replace(/^Bearer +/i, '') ?? null;
  if (token === null ? header === 'has' : !isToken(token)) {
    throw new KairosError('SERVICE_UNREADABLE', 'the answer to the sign-in has no token in the Authorization header');
  }
  const said = body.expirationTime ?? null;
  const expiresMs = said === null && token !== null ? lapseOfToken(token) : expiryMs(said, nowMs);
  const refreshToken = body.refreshToken == null || body.refreshToken === '' ? null : body.refreshToken;
  return { token, refreshToken, expiresMs };
}

/** Asked again after a lost answer too: digits that were taken are refused then, as used ones are. */
function post({ calls, path, withinMs }: Pick<SignInParts, 'calls' | 'path' | 'withinMs'>, body: object): Promise<HttpResponse> {
  const headers = { 'content-type': 'application/json' };
  return calls.repeat({ method: 'POST', path, headers, body: JSON.stringify(body), what: 'the sign-in' }, { withinMs });
}

/** The token stands in a header; a body that is not as expected takes nothing from it. */
function bodyOf({ text }: HttpResponse): LoginAnswer {
  try {
    const body = loginAnswer.safeParse(JSON.parse(text));
    return body.success ? body.data : {};
  } catch {
    return {};
  }
}

import { z } from 'zod';

/** The three bodies of the sign-in path (notes to the specification, "Bearer token"). */
export const PASSWORD_BODY = z
  .object({ username: z.string().max(200), password: z.string().max(1000) })
  .describe('sign-in with user name and password');

/** The second request of a sign-in: the six digits. */
export const CHALLENGE_BODY = z
  .object({
    awsUsername: z.string().max(200),
    session: z.string().max(4000),
    challengeName: z.literal('SOFTWARE_TOKEN_MFA'),
    status: z.literal('CHALLENGE_REQUIRED'),
    challengeAnswer: z.string().regex(/^\d{6}$/, 'must be six digits'),
  })
  .describe('the second factor: what the challenge said, and the six digits');

export const REFRESH_BODY = z.object({ refreshToken: z.string().max(4000) }).describe('prolongs a session');

/** A successful sign-in; the token is in the response header `Authorization`. */
export const SIGNED_IN = z.object({
  refreshToken: z.string(),
  expirationTime: z.number().int().describe('after a sign-in a lifetime in seconds; after prolonging a Unix time in seconds'),
  isAppConnected: z.boolean(),
});

/** A sign-in that needs a second factor: no token yet. */
export const CHALLENGED = z.object({
  awsUsername: z.string(),
  session: z.string(),
  challengeName: z.literal('SOFTWARE_TOKEN_MFA'),
  status: z.literal('CHALLENGE_REQUIRED'),
});

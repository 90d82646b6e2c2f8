import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageTarget } from './target.ts';

/** What a page may load and do: its own files and nothing of another host. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** On everything that a browser is given. */
export const COMMON = { 'referrer-policy': 'no-referrer', 'cross-origin-resource-policy': 'same-origin' } as const;

/** Answers with a file of a page. */
export async function sendAsset(target: Pick<PageTarget, 'asset'>, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const asset = await target.asset(request.url.split('?', 1)[0] ?? '/');
  if (!asset) return reply.callNotFound();
  const tag = `"${asset.hash}"`;
  // Asked for each time, sent only when it is another one.
  reply.headers({ ...COMMON, 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache', etag: tag });
  if (request.headers['if-none-match'] === tag) return reply.code(304).send();
  return reply.type(asset.type).send(asset.body);
}

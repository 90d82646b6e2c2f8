import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageTarget } from './target.ts';

/** The content security policy: a page loads its own files and nothing of another host. */
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

/** Headers of every answer to a browser. */
export const COMMON = { 'referrer-policy': 'no-referrer', 'cross-origin-resource-policy': 'same-origin' } as const;

/** Answers with a file of a page. */
export async function sendAsset(target: Pick<PageTarget, 'asset'>, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const asset = await target.asset(request.url.split('?', 1)[0] ?? '/');
  if (!asset) return reply.callNotFound();
  const tag = `"${asset.hash}"`;
  // The browser asks each time; the file is sent only if it has changed.
  reply.headers({ ...COMMON, 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache', etag: tag });
  if (request.headers['if-none-match'] === tag) return reply.code(304).send();
  return reply.type(asset.type).send(asset.body);
}

import type { FastifyRequest } from 'fastify';
import { type CodedError, hasCode } from '../../errors.ts';
import type { HtmlResponse } from '../../http/errors/error-handler.ts';
import type { Explorer } from './explorer-files.ts';

/** The page loads nothing from other hosts, sends nothing to them and runs no script of its own text. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
  "base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
};

/** The page for navigation to a path that does not exist; undefined for other requests. */
export function missingPage(
  { raw, originalUrl }: FastifyRequest,
  error: CodedError,
  explorer: Explorer,
): HtmlResponse | undefined {
  if (!hasCode(error, 'ROUTE_NOT_FOUND')) return undefined;
  const html = explorer.missingPage(raw, originalUrl, error.message);
  return html === undefined ? undefined : { html, headers: PAGE_HEADERS };
}

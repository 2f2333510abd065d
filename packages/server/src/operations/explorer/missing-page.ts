import type { FastifyRequest } from 'fastify';
import { type CodedError, hasCode } from '../../errors.ts';
import type { HtmlResponse } from '../../http/errors/error-handler.ts';
import type { Explorer } from './explorer-files.ts';

/** The page for navigation to a path that does not exist; undefined for other requests. */
export function missingPage(
  { raw, originalUrl }: FastifyRequest,
  error: CodedError,
  explorer: Explorer,
): HtmlResponse | undefined {
  if (!hasCode(error, 'ROUTE_NOT_FOUND')) return undefined;
  const html = explorer.missingPage(raw, originalUrl, error.message);
  return html === undefined ? undefined : { html, headers: explorer.pageHeaders };
}

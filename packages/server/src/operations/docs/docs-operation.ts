import type { Operation } from '../../http/operation.ts';
import { hostDependentHeaders } from '../../http/public-url.ts';

/** The pages load nothing from other hosts and send nothing to them. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

export const HTML = 'text/html; charset=utf-8';
export const MARKDOWN = 'text/markdown; charset=utf-8';
export const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** An operation of the documentation. It is not in the OpenAPI document. */
export const docsOperation = (operationId: string, summary: string): Operation => ({
  operationId,
  tag: 'operations',
  summary,
  weight: 1,
  statuses: [500],
  hidden: true,
  ignoresMinContextSlot: true,
  headers: ['content-security-policy', CONTENT_SECURITY_POLICY],
});

/** An operation of the documentation whose text contains the address of the server. */
export function addressedDocsOperation(operationId: string, summary: string): Operation {
  const operation = docsOperation(operationId, summary);
  return { ...operation, headers: [...(operation.headers ?? []), ...hostDependentHeaders] };
}

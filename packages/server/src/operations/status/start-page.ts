import { Type } from 'typebox';
import { escapeHtml } from '../../http/escape-html.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import type { OperationPlugin } from '../operation-context.ts';
import { listPendingParts } from './pending-parts.ts';

const REFRESH_SECONDS = '1';

const page = { response: Type.Any(), otherResponses: { 503: Type.Any() } };

const operation: Operation = {
  operationId: 'getStartPage',
  tag: 'operations',
  summary: 'Progress of the start',
  weight: 0,
  statuses: [500],
  hidden: true,
  headers: ['content-security-policy', "default-src 'none'"],
};

/** Shows what the server waits for; once it is ready, opens the reference. A browser gets the explorer, if it is built. */
export const getStartPage: OperationPlugin = (context) => async (app) => {
  app.get('/', defineOperation(operation, page), async (_request, reply) => {
    const pending = listPendingParts(context);
    if (pending.length === 0) return reply.redirect('docs/', 302);
    reply.code(503).type('text/html; charset=utf-8');
    reply.headers({ 'retry-after': REFRESH_SECONDS, refresh: REFRESH_SECONDS });
    return pageOf(pending);
  });
};

/** Links are relative, for a server behind a path prefix. */
const pageOf = (pending: readonly string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Tidegate is starting</title>
  </head>
  <body>
    <h1>Tidegate is starting</h1>
    <p>It waits for:</p>
    <ul role="status">${pending.map((part) => `<li>${escapeHtml(part)}</li>`).join('')}</ul>
    <p>This page opens by itself when everything is ready. Meanwhile: <a href="docs/">the API reference</a>.</p>
  </body>
</html>
`;

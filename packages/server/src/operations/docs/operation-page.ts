import { Type } from 'typebox';
import { CodedError } from '../../errors.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { type DocumentedRoute, pathOf } from '../../http/openapi-document.ts';
import { defineOperation } from '../../http/operation.ts';
import { publicUrl } from '../../http/public-url.ts';
import type { OperationContext, OperationPlugin } from '../operation-context.ts';
import { addressedDocsOperation, HTML, MARKDOWN } from './docs-operation.ts';
import { listOperations, shareDocument } from './document.ts';
import { paragraphs } from './html.ts';
import { describeOperation } from './operation-markdown.ts';
import { methodBadge, renderPage } from './page.ts';

/** The reference of one operation as a page, or with `.md` as Markdown. */
export const getOperationPage: OperationPlugin = (context) => async (app) => {
  const operation = addressedDocsOperation('getOperationPage', 'Reference of an operation');
  app.get(
    '/docs/operations/:name',
    defineOperation(operation, {
      params: Type.Object({ name: Type.String() }),
      response: Type.Any(),
    }),
    async (request, reply) => {
      const [, id, suffix] = /^(\w+)(\.md)?$/.exec(request.params.name) ?? [];
      const route = context.routes.find((each) => each.operation.operationId === id);
      if (route === undefined) throw new CodedError('ROUTE_NOT_FOUND', {});
      if (request.originalUrl.split('?')[0]?.endsWith('/')) {
        return reply.redirect(`../${request.params.name}`, 308);
      }
      reply.type(suffix === undefined ? HTML : MARKDOWN);
      if (suffix === undefined) return renderOperation(context, route);
      const document = shareDocument(context);
      const found = listOperations(document).find(({ operationId }) => operationId === id);
      if (found === undefined) throw new CodedError('ROUTE_NOT_FOUND', {});
      return describeOperation(document, found, publicUrl(request.raw, context.trustedProxies));
    },
  );
};

/** Code that is the path of a guide becomes a link to it. */
const linkGuides = (html: string): string =>
  html.replaceAll(
    /<code>\/docs\/guide\/([a-z-]+)<\/code>/g,
    '<a href="../guide/$1"><code>/docs/guide/$1</code></a>',
  );

function renderOperation(context: OperationContext, route: DocumentedRoute): string {
  const { operationId, summary, description = '', weight } = route.operation;
  const path = pathOf(route)
    .replaceAll('/', '/<wbr />')
    .replaceAll(/\{\w+\}/g, (name) => `<span class="variable">${name}</span>`);
  const main = [
    `<article class="operation" data-operation="${operationId}">`,
    `<header class="operation-head"><h1>${escapeHtml(summary)}</h1>`,
    `<p class="request-line">${methodBadge(route.method)}<code class="path">${path}</code></p>`,
    `<p class="meta"><code>${operationId}</code><span>Cost: ${weight}</span>`,
    `<a href="${operationId}.md">This page as Markdown</a></p>`,
    `<div class="markdown">${linkGuides(paragraphs(description))}</div></header>`,
    '<p class="loading" role="status">Loading the API document.</p>',
    '<noscript><p>Parameters, fields and a sample are in the Markdown form of this page.</p></noscript>',
    '</article>',
  ].join('\n');
  return renderPage(context, {
    title: summary,
    description: description.replaceAll('`', ''),
    base: '../',
    current: `operations/${operationId}`,
    main,
    scripts: ['operation-page.js'],
    markdown: `${operationId}.md`,
  });
}

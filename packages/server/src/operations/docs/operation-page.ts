import { Type } from 'typebox';
import { referenceHtml } from '../../../web/reference/reference.js';
import { CodedError } from '../../errors.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { type DocumentedRoute, pathOf } from '../../http/openapi-document.ts';
import { defineOperation } from '../../http/operation.ts';
import { publicUrl } from '../../http/public-url.ts';
import type { OperationContext, OperationPlugin } from '../operation-context.ts';
import { addressedDocsOperation, HTML, MARKDOWN } from './docs-operation.ts';
import {
  type ApiDocument,
  type ListedOperation,
  listOperations,
  shareDocument,
} from './document.ts';
import { paragraphs } from './html.ts';
import { operationDocument } from './operation-document.ts';
import { curlOf, describeOperation, sampleText } from './operation-markdown.ts';
import { methodBadge, renderPage } from './page.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The reference of one operation as a page, with `.md` as Markdown, or with `.json` as the part of the API document about it. */
export const getOperationPage: OperationPlugin = (context) => async (app) => {
  const operation = addressedDocsOperation('getOperationPage', 'Reference of an operation');
  app.get(
    '/docs/operations/:name',
    defineOperation(operation, {
      params: Type.Object({ name: Type.String() }),
      response: Type.Any(),
    }),
    async (request, reply) => {
      const [, id, suffix] = /^(\w+)(\.md|\.json)?$/.exec(request.params.name) ?? [];
      const route = context.routes.find((each) => each.operation.operationId === id);
      if (route === undefined) throw new CodedError('ROUTE_NOT_FOUND', {});
      if (request.originalUrl.split('?')[0]?.endsWith('/')) {
        return reply.redirect(`../${request.params.name}`, 308);
      }
      const document = shareDocument(context);
      const found = listOperations(document).find(({ operationId }) => operationId === id);
      if (found === undefined) throw new CodedError('ROUTE_NOT_FOUND', {});
      if (suffix === '.json') {
        reply.type(JSON_TYPE);
        return operationDocument(document, found.operationId);
      }
      const url = publicUrl(request.raw, context.trustedProxies);
      reply.type(suffix === undefined ? HTML : MARKDOWN);
      return suffix === undefined
        ? renderOperation(context, route, { document, found, url })
        : describeOperation(document, found, url);
    },
  );
};

/** Code that is the path of a guide becomes a link to it. */
const linkGuides = (html: string): string =>
  html.replaceAll(
    /<code>\/docs\/guide\/([a-z-]+)<\/code>/g,
    '<a href="../guide/$1"><code>/docs/guide/$1</code></a>',
  );

type PageContent = {
  readonly document: ApiDocument;
  readonly found: ListedOperation;
  /** Of the server. */
  readonly url: string;
};

function renderOperation(
  context: OperationContext,
  route: DocumentedRoute,
  { document, found, url }: PageContent,
): string {
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
    renderExample(found, url),
    referenceHtml(document, operationId),
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

/** What the request form replaces: the request, and a sample of the answer. */
function renderExample(operation: ListedOperation, url: string): string {
  const [media] = Object.values(operation.responses['200']?.content ?? {});
  const sample = media?.example === undefined ? undefined : sampleText(media.example);
  return [
    '<div class="try-it-frame"><div class="try-it"><h2>Try it</h2>',
    '<p class="loading" role="status">The request form needs scripts.</p>',
    `<pre tabindex="0" aria-label="curl"><code>${escapeHtml(curlOf(operation, url))}</code></pre>`,
    ...(sample === undefined
      ? []
      : [
          '<h3>Sample answer</h3>',
          `<pre class="response-body" tabindex="0" aria-label="Sample answer"><code>${escapeHtml(sample)}</code></pre>`,
        ]),
    '</div></div>',
  ].join('\n');
}

import { Type } from 'typebox';
import { CodedError } from '../../errors.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { type DocumentedRoute, pathOf } from '../../http/openapi-document.ts';
import { defineOperation } from '../../http/operation.ts';
import { publicUrl } from '../../http/public-url.ts';
import type { OperationContext, OperationPlugin } from '../operation-context.ts';
import {
  addressedDocsOperation,
  docsOperation,
  HTML,
  MARKDOWN,
  PLAIN_TEXT,
} from './docs-operation.ts';
import {
  type Guide,
  readGuideExample,
  readGuideGroups,
  readGuideHtml,
  readGuideMarkdown,
} from './guides.ts';
import { renderPage } from './page.ts';

const params = Type.Object({ name: Type.String() });

/** A guide as a page, or with `.md` as it was written. */
export const getGuide: OperationPlugin = (context) => async (app) => {
  const operation = addressedDocsOperation('getGuide', 'Guide');
  app.get(
    '/docs/guide/:name',
    defineOperation(operation, { params, response: Type.Any() }),
    async (request, reply) => {
      const [, name = '', suffix] = /^([a-z-]+)(\.md)?$/.exec(request.params.name) ?? [];
      const guides = readGuideGroups().flatMap((group) => group.guides);
      const guide = guides.find((each) => each.name === name);
      if (guide === undefined) throw new CodedError('ROUTE_NOT_FOUND', {});
      if (request.originalUrl.split('?')[0]?.endsWith('/')) {
        return reply.redirect(`../${request.params.name}`, 308);
      }
      reply.type(suffix === undefined ? HTML : MARKDOWN);
      const text =
        suffix === undefined ? renderGuide(context, guide, guides) : readGuideMarkdown(name);
      return withAddress(text, publicUrl(request.raw, context.trustedProxies));
    },
  );
};

/** The commands of a guide use the server that shows them. Other addresses, such as those behind a proxy, stay. */
const withAddress = (text: string, url: string): string =>
  text.replaceAll(
    /(TIDEGATE=|TIDEGATE = '|baseUrl: '|Tidegate is at )http:\/\/127\.0\.0\.1:8080\b/g,
    `$1${url}`,
  );

/** A file that a guide refers to. */
export const getGuideExample: OperationPlugin = () => async (app) => {
  const operation = { ...docsOperation('getGuideExample', 'Example of a guide'), dependsOn: [] };
  app.get(
    '/docs/guide/examples/:name',
    defineOperation(operation, { params, response: Type.Any() }),
    async (request, reply) => {
      reply.type(PLAIN_TEXT);
      return readGuideExample(request.params.name);
    },
  );
};

function renderGuide(context: OperationContext, guide: Guide, guides: readonly Guide[]): string {
  const { name, title, summary } = guide;
  const main = [
    '<div class="guide-frame">',
    `<article class="guide">${linkOperations(readGuideHtml(name), context.routes)}`,
    renderFooter(guides, guides.indexOf(guide)),
    '</article>',
    renderContents(guide),
    '</div>',
  ].join('\n');
  return renderPage(context, {
    title,
    description: summary,
    base: '../',
    current: `guide/${name}`,
    main,
    scripts: ['guide.js'],
    markdown: `${name}.md`,
  });
}

/** Code that names an operation, by its id or its path, becomes a link to it. */
function linkOperations(html: string, routes: readonly DocumentedRoute[]): string {
  const byText = new Map(
    routes.flatMap((route): (readonly [string, string])[] => {
      const id = route.operation.operationId;
      const path = pathOf(route);
      return [
        [id, id],
        [path, id],
        [`${route.method} ${path}`, id],
      ];
    }),
  );
  return html.replaceAll(/(<a [^>]*>)?<code>([^<]+)<\/code>/g, (whole, link, text: string) => {
    const id = byText.get(text);
    if (id === undefined || link !== undefined) return whole;
    return `<a href="../operations/${id}"><code>${text}</code></a>`;
  });
}

const renderContents = ({ name, headings }: Guide): string =>
  [
    '<aside class="contents" aria-label="On this page">',
    ...(headings.length > 1 ? ['<p class="nav-title">On this page</p><ul>'] : ['<ul>']),
    ...(headings.length > 1 ? headings : []).map(
      ({ id, title, depth }) =>
        `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(title)}</a></li>`,
    ),
    `</ul><p class="note"><a href="${name}.md">This page as Markdown</a></p></aside>`,
  ].join('');

const renderFooter = (guides: readonly Guide[], index: number): string => {
  const linkOf = (guide: Guide | undefined, label: string): string =>
    guide === undefined
      ? '<span></span>'
      : `<a href="${guide.name}"><span class="note">${label}</span>${escapeHtml(guide.title)}</a>`;
  const previous = linkOf(guides[index - 1], 'Previous');
  return `<nav class="guide-footer" aria-label="Guides">${previous}${linkOf(guides[index + 1], 'Next')}</nav>`;
};

import { readFileSync } from 'node:fs';
import { escapeHtml } from '../../http/escape-html.ts';
import { type DocumentedRoute, pathOf } from '../../http/openapi-document.ts';
import { type OperationContext, oncePerApp } from '../operation-context.ts';
import { groupRoutes } from './document.ts';
import { type Guide, readGuideGroups } from './guides.ts';

type PageOptions = {
  readonly title: string;
  readonly description: string;
  /** From the page to `/docs/`: `''` or `'../'`. */
  readonly base: '' | '../';
  /** The page in the navigation, relative to `/docs/`. */
  readonly current: string;
  readonly main: string;
  /** Scripts of this kind of page. */
  readonly scripts?: readonly string[];
  /** The plain form of the page, relative to the page. */
  readonly markdown?: string;
};

/** The frame of the explorer, as `scripts/build-explorer.js` writes it for these pages. */
const TEMPLATE = new URL('../../../dist/explorer/docs.html', import.meta.url);

const readTemplate = oncePerApp((): string => readFileSync(TEMPLATE, 'utf8'));

/** All links of the navigation, relative to `/docs/`. */
const navigation = oncePerApp((context: OperationContext): string => {
  const guides = readGuideGroups().map(({ title, guides: list }) =>
    navigationGroup(title, list.map(guideLink)),
  );
  const operations = groupRoutes(context.routes).map(({ title, operations: list }) =>
    navigationGroup(title, list.map(operationLink)),
  );
  return [...guides, '<p class="nav-part">Operations</p>', ...operations].join('\n');
});

const navigationGroup = (title: string, links: readonly string[]): string =>
  `<div class="nav-group"><p class="nav-title">${escapeHtml(title)}</p><ul>${links
    .map((link) => `<li>${link}</li>`)
    .join('')}</ul></div>`;

const guideLink = ({ name, title }: Guide): string =>
  `<a href="guide/${name}">${escapeHtml(title)}</a>`;

export const operationLink = (route: DocumentedRoute): string => {
  const { operationId, summary } = route.operation;
  const title = `${route.method} ${pathOf(route)}`;
  return [
    `<a class="operation-link" href="operations/${operationId}" title="${escapeHtml(title)}">`,
    `${methodBadge(route.method)}<span>${escapeHtml(summary)}</span></a>`,
  ].join('');
};

export const methodBadge = (method: string): string =>
  `<span class="method method-${method.toLowerCase()}">${method.toUpperCase()}</span>`;

/** Links are relative, for a server behind a path prefix. */
const rebase = (html: string, base: string): string =>
  base === '' ? html : html.replaceAll(' href="', ` href="${base}`);

const markCurrent = (html: string, href: string): string =>
  html.replace(` href="${href}"`, ` href="${href}" aria-current="page"`);

export function renderPage(context: OperationContext, options: PageOptions): string {
  const { title, description, base, current, main, scripts = [], markdown } = options;
  const modules = scripts.map((name) => `<script type="module" src="${base}${name}"></script>`);
  const plain =
    markdown === undefined
      ? []
      : [`<link rel="alternate" type="text/markdown" href="${escapeHtml(markdown)}" />`];
  const parts: Readonly<Record<string, string>> = {
    title: escapeHtml(title),
    description: escapeHtml(description),
    head: [...plain, ...modules].join('\n    '),
    tools: MENU_BUTTON,
    page: `<div class="docs">
      <nav id="page-nav" class="page-nav" aria-label="Documentation" tabindex="-1">
${rebase(markCurrent(navigation(context), current), base)}
      </nav>
      <main id="main" class="docs-main" tabindex="-1">
${main}
      </main>
    </div>`,
  };
  return readTemplate(context)
    .replaceAll('"./', `"${base}../`)
    .replaceAll(/<!--(\w+)-->/g, (_, name: string) => parts[name] ?? '');
}

const MENU_BUTTON =
  '<button type="button" id="menu-button" class="button menu-button" aria-expanded="false" aria-controls="page-nav">Contents</button>';

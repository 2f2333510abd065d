import { type DocumentedRoute, pathOf } from '../../http/openapi-document.ts';
import { type FeatureContext, oncePerApp } from '../feature-context.ts';
import { groupRoutes } from './document.ts';
import { type Guide, readGuideGroups } from './guides.ts';
import { escapeHtml } from './html.ts';

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

const STYLES = ['docs', 'layout', 'fields', 'operation', 'schema', 'try-it', 'guide'];

/** All links of the navigation, relative to `/docs/`. */
const navigation = oncePerApp((context: FeatureContext): string => {
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

export function renderPage(context: FeatureContext, options: PageOptions): string {
  const { title, description, base, current, main, scripts = [], markdown } = options;
  const links = rebase(markCurrent(navigation(context), current), base);
  const styles = STYLES.map((name) => `<link rel="stylesheet" href="${base}${name}.css" />`);
  const modules = ['page.js', ...scripts].map(
    (name) => `<script type="module" src="${base}${name}"></script>`,
  );
  const plain =
    markdown === undefined
      ? ''
      : `<link rel="alternate" type="text/markdown" href="${escapeHtml(markdown)}" />`;
  return `<!doctype html>
<html lang="en" data-base="${base}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="description" content="${escapeHtml(description)}" />
    <title>${escapeHtml(title)} · Tidegate</title>
    <link rel="icon" href="${base}favicon.svg" type="image/svg+xml" />
    ${plain}
    <script src="${base}theme.js"></script>
    ${styles.join('\n    ')}
    ${modules.join('\n    ')}
  </head>
  <body>
    <a class="skip" href="#page-main">Skip to the content</a>
    ${renderHeader(base)}
    <div class="layout">
      <nav id="page-nav" class="page-nav" aria-label="Documentation" tabindex="-1">
${links}
      </nav>
      <main id="page-main" class="page-main" tabindex="-1">
${main}
      </main>
    </div>
  </body>
</html>
`;
}

const renderHeader = (base: string): string => `<header class="top-bar">
      <button type="button" id="menu-button" class="menu-button" aria-expanded="false" aria-controls="page-nav">Menu</button>
      <a class="brand" href="${base}../"><img src="${base}favicon.svg" width="24" height="24" alt="" />Tidegate</a>
      <a class="brand-part" href="${base === '' ? './' : base}">Docs</a>
      <div class="search" role="search">
        <input id="search-input" type="search" role="combobox" aria-label="Search the documentation" aria-keyshortcuts="/"
          aria-expanded="false" aria-controls="search-results" aria-autocomplete="list" autocomplete="off" spellcheck="false"
          placeholder="Search, or press /" />
        <div id="search-popup" class="search-popup" hidden>
          <p id="search-status" class="search-status" role="status"></p>
          <ul id="search-results" role="listbox" aria-label="Results"></ul>
        </div>
      </div>
      <a class="top-link" href="${base}../openapi.json">OpenAPI</a>
      <button type="button" id="theme-button" class="theme-button" aria-label="Change the theme"></button>
    </header>`;

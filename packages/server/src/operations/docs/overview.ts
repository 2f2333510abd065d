import { escapeHtml } from '../../http/escape-html.ts';
import { API_DESCRIPTION } from '../openapi-tags.ts';
import type { OperationContext } from '../operation-context.ts';
import { groupRoutes } from './document.ts';
import { type Guide, type GuideGroup, readGuideGroups } from './guides.ts';
import { inlineHtml, paragraphs } from './html.ts';
import { operationLink, renderPage } from './page.ts';

/** The first page: all guides and operations. */
export function renderOverview(context: OperationContext): string {
  const [summary = '', ...rest] = API_DESCRIPTION.split('\n\n');
  const main = [
    '<div class="overview">',
    '<h1>Tidegate documentation</h1>',
    `<p class="lead">${inlineHtml(summary)}</p>`,
    '<p class="note">Plain text for tools: <a href="../llms.txt">llms.txt</a>. Every page has a Markdown form: add',
    '<code>.md</code> to its address. The API document is <a href="../openapi.json">openapi.json</a>.</p>',
    '<h2>Guides</h2>',
    `<div class="guide-groups">${readGuideGroups().map(guideGroup).join('')}</div>`,
    '<h2>In short</h2>',
    `<div class="markdown">${paragraphs(rest.join('\n\n'))}</div>`,
    '<h2>Operations</h2>',
    ...groupRoutes(context.routes).map(
      ({ title, operations }) =>
        `<section class="operation-list"><h3>${escapeHtml(title)}</h3><ul>${operations
          .map((route) => `<li>${operationLink(route)}</li>`)
          .join('')}</ul></section>`,
    ),
    '</div>',
  ].join('\n');
  return renderPage(context, {
    title: 'Documentation',
    description: summary,
    base: '',
    current: '',
    main,
    scripts: ['overview.js'],
  });
}

const guideGroup = ({ title, guides }: GuideGroup): string =>
  `<section><h3>${escapeHtml(title)}</h3><ul>${guides.map(guideItem).join('')}</ul></section>`;

const guideItem = ({ name, title, summary }: Guide): string =>
  `<li><a href="guide/${name}">${escapeHtml(title)}</a><span>${escapeHtml(summary)}</span></li>`;

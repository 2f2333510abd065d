import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url));
const TARGET = fileURLToPath(new URL('../packages/server/dist/guides/', import.meta.url));
const EXAMPLE = /\.(js|base64)$/;

/** Renders `docs/*.md` to HTML, which the server serves beside the Markdown and the examples. */
export async function buildGuidesIfStale() {
  const sources = [
    fileURLToPath(import.meta.url),
    DOCS,
    ...guideNames().map((name) => join(DOCS, `${name}.md`)),
    ...exampleNames().map((name) => join(DOCS, 'examples', name)),
  ];
  const newest = Math.max(...sources.map(modifiedAt));
  if (modifiedAt(join(TARGET, 'index.json')) < newest) await buildGuides();
}

const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const guideNames = () =>
  readdirSync(DOCS)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .sort();

const exampleNames = () => readdirSync(join(DOCS, 'examples')).filter((name) => EXAMPLE.test(name));

async function buildGuides() {
  const { Marked } = await import('marked');
  mkdirSync(join(TARGET, 'examples'), { recursive: true });
  const guides = guideNames().map((name) => renderGuide(name, new Marked({ gfm: true })));
  for (const { name, markdown, html } of guides) {
    write(`${name}.md`, markdown);
    write(`${name}.html`, html);
  }
  for (const name of exampleNames()) {
    write(join('examples', name), readFileSync(join(DOCS, 'examples', name)));
  }
  write('sections.json', JSON.stringify(guides.flatMap(({ sections }) => sections)));
  // last: it tells whether the others are current
  const index = guides.map(({ name, title, summary, headings }) => ({
    ...{ name, title, summary, headings },
  }));
  write('index.json', JSON.stringify(index));
}

/** Another process may read or write the same file. */
function write(name, contents) {
  const path = join(TARGET, name);
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, contents);
  renameSync(unfinished, path);
}

function renderGuide(name, marked) {
  const markdown = readFileSync(join(DOCS, `${name}.md`), 'utf8');
  const headings = [];
  marked.use({ renderer: rendererOf(headings) });
  const html = marked.parse(markdown);
  const [first, ...others] = headings;
  const [summary = ''] = /<p>[\s\S]*?<\/p>/.exec(html) ?? [];
  return {
    name,
    markdown,
    html,
    title: first?.title ?? name,
    summary: firstSentence(textOf(summary)),
    headings: others.filter(({ depth }) => depth < 4),
    sections: sectionsOf(name, html, headings),
  };
}

const firstSentence = (text) => /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;

const rendererOf = (headings) => ({
  heading({ tokens, depth }) {
    const html = this.parser.parseInline(tokens);
    const title = textOf(html);
    const id = uniqueId(slugOf(title), headings);
    headings.push({ id, title, depth });
    const anchor = `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(title)}">#</a>`;
    return depth === 1
      ? `<h1>${html}</h1>\n`
      : `<h${depth} id="${id}">${html}${anchor}</h${depth}>\n`;
  },
  link({ href, tokens }) {
    const target = href.replace(/^([\w-]+)\.md(?=#|$)/, '$1');
    const rel = /^https?:/.test(href) ? ' rel="noreferrer"' : '';
    return `<a href="${escapeHtml(target)}"${rel}>${this.parser.parseInline(tokens)}</a>`;
  },
  code({ text, lang = '' }) {
    return `<pre tabindex="0" data-language="${escapeHtml(lang)}"><code>${escapeHtml(text)}</code></pre>\n`;
  },
  table(token) {
    const row = (cells, tag, attributes = '') =>
      `<tr>${cells.map((cell) => `<${tag}${attributes}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>\n`;
    const head = row(token.header, 'th', ' scope="col"');
    const body = token.rows.map((cells) => row(cells, 'td')).join('');
    return `<div class="table-frame" tabindex="0" role="group" aria-label="Table"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
  },
  /** Only comments. */
  html: () => '',
});

/** As GitHub does, so that links work there too. */
const slugOf = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function uniqueId(slug, headings) {
  const same = headings.filter(({ id }) => id === slug || id.startsWith(`${slug}-`)).length;
  return same === 0 || headings.every(({ id }) => id !== slug) ? slug : `${slug}-${same}`;
}

/** The text under each heading, for the search. */
function sectionsOf(guide, html, headings) {
  const parts = html.split(/<h[1-6][^>]*>[\s\S]*?<\/h[1-6]>/).slice(1);
  return headings.map(({ id, title, depth }, index) => ({
    guide,
    id: depth === 1 ? '' : id,
    title,
    text: textOf(parts[index] ?? ''),
  }));
}

const textOf = (html) =>
  html
    .replaceAll(/<a class="anchor"[^>]*>#<\/a>/g, '')
    .replaceAll(/<\/(?:td|th|p|li|pre)>/g, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

const escapeHtml = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url));
const TARGET = fileURLToPath(new URL('../packages/server/dist/guides/', import.meta.url));
const EXAMPLE = /\.(js|base64)$/;

/** The search has their rows from the operations. */
const LISTS_OPERATIONS = new Set(['endpoints', 'hosted-api']);

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
  const terms = [];
  marked.use({ renderer: rendererOf(headings, LISTS_OPERATIONS.has(name) ? undefined : terms) });
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
    sections: [
      ...sectionsOf(name, html, headings),
      ...terms.map((term) => ({ guide: name, ...term })),
    ],
  };
}

const firstSentence = (text) => /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;

const rendererOf = (headings, terms) => ({
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
    const cellsOf = (cells, tag, attributes) =>
      cells.map((cell) => `<${tag}${attributes}>${this.parser.parseInline(cell.tokens)}</${tag}>`);
    const row = (cells, tag, attributes = '') => {
      const html = cellsOf(cells, tag, attributes);
      const id =
        tag === 'td' && terms ? addTerm(terms, headings, { first: cells[0], html }) : undefined;
      return `<tr${id === undefined ? '' : ` id="${id}" class="term"`}>${html.join('')}</tr>\n`;
    };
    const head = row(token.header, 'th', ' scope="col"');
    const body = token.rows.map((cells) => row(cells, 'td')).join('');
    return `<div class="table-frame" tabindex="0" role="group" aria-label="Table"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
  },
  /** Only comments. */
  html: () => '',
});

/** A row about a code, such as a setting or an error, gets an id and an entry in the search. Returns the id. */
function addTerm(terms, headings, { first, html }) {
  const codes = first.tokens.filter(({ type }) => type === 'codespan').map(({ text }) => text);
  const others = first.tokens.filter(({ type }) => type !== 'codespan');
  if (codes.length === 0 || others.some(({ raw }) => !/^[,\s]*$/.test(raw))) return undefined;
  const { id, depth } = headings.at(-1) ?? {};
  const slug = slugOf(codes[0]);
  const name = depth === 1 ? slug : `${id}-${slug}`;
  const isKnown = [...headings, ...terms].some((each) => each.id === name);
  if (isKnown || slug === '') return undefined;
  const heading = depth === 1 ? undefined : headings.at(-1).title;
  const title = codes.map(textOf).join(', ');
  const text = textOf(html.slice(1).join(' '));
  terms.push({ id: name, title, text, heading, isTerm: true });
  return name;
}

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
    // rows with an id are entries of their own
    text: textOf((parts[index] ?? '').replaceAll(/<tr id=[\s\S]*?<\/tr>/g, '')),
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

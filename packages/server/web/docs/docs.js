import { apiKeyForm } from './api-key.js';
import { el } from './dom.js';
import { markdown } from './markdown.js';
import { navigation } from './navigation.js';
import { descriptionOf, groupsOf, loadDocument, operationsOf } from './openapi.js';
import { operationBody, operationHead } from './operation.js';

const BASE = new URL('../', location.href);
BASE.search = '';
BASE.hash = '';
const DOCUMENT_URL = new URL('openapi.json', BASE).href;
const PRELOAD_MARGIN = '1200px 0px';
const READING_LINE = 0.2;
const IDLE_RESERVE_MS = 6;

const header = document.getElementById('page-header');
const nav = document.getElementById('page-nav');
const main = document.getElementById('page-main');

const showHeader = ({ info = {} }) => {
  document.title = info.title ?? document.title;
  const title = el('h1', {}, info.title ?? document.title);
  const version = info.version && el('span', {}, `version ${info.version}`);
  const link = el('a', { href: '../openapi.json' }, 'openapi.json');
  header
    .querySelector('h1')
    .replaceWith(el('div', {}, title, el('p', { class: 'meta' }, version, link)));
  header.append(apiKeyForm(), markdown(descriptionOf(info)) ?? '');
};

const showFailure = (error) => {
  main.replaceChildren(
    el(
      'div',
      { class: 'failure', role: 'alert' },
      el('h2', {}, 'Cannot load the API document'),
      el('p', {}, error.message),
      el(
        'p',
        {},
        'Check that the server is running and that ',
        el('a', { href: DOCUMENT_URL }, DOCUMENT_URL),
        ' returns JSON. A proxy must forward /docs/ and /openapi.json under the same prefix.',
      ),
      el(
        'button',
        { type: 'button', class: 'primary', click: () => location.reload() },
        'Try again',
      ),
    ),
  );
};

const fillArticle = (article, build) => {
  article.classList.remove('pending');
  try {
    article.append(...build());
  } catch (error) {
    const message = `This operation cannot be shown: ${error.message}.`;
    article.append(el('p', { class: 'failure' }, message));
  }
};

/** Sections with the headings of their operations. `fill(id)` builds the body of an operation once. */
const buildSections = (api, groups) => {
  const pending = new Map();
  const articleOf = (operation) => {
    const attributes = { id: operation.id, class: 'operation pending' };
    const article = el('article', attributes, operationHead(operation));
    const build = () => operationBody(api, BASE.href, operation);
    pending.set(operation.id, () => fillArticle(article, build));
    return article;
  };
  const nodes = groups.map((group) =>
    el(
      'section',
      { class: 'group' },
      el('h2', {}, group.title),
      markdown(group.description),
      group.operations.map(articleOf),
    ),
  );
  const fill = (id) => {
    pending.get(id)?.();
    pending.delete(id);
  };
  return { nodes, fill, pending };
};

const articleAtReadingLine = () => {
  const { left, width } = main.getBoundingClientRect();
  const node = document.elementFromPoint(left + width / 3, innerHeight * READING_LINE);
  return node?.closest('.operation');
};

/** Changes the layout without moving the article at the reading line. */
const withStableScroll = (change) => {
  const anchor = articleAtReadingLine();
  const before = anchor?.getBoundingClientRect().top;
  change();
  if (!anchor) return;
  const moved = anchor.getBoundingClientRect().top - before;
  if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' });
};

const whenIdle = (work) =>
  globalThis.requestIdleCallback
    ? requestIdleCallback(work)
    : setTimeout(() => work({ timeRemaining: () => 0 }), 30);

const fillInIdleTime = ({ pending, fill }) => {
  const step = (deadline) => {
    withStableScroll(() => {
      for (const id of [...pending.keys()]) {
        fill(id);
        if (deadline.timeRemaining() < IDLE_RESERVE_MS) break;
      }
    });
    if (pending.size > 0) whenIdle(step);
  };
  whenIdle(step);
};

const targetId = () => {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
};

const isInView = (node) => {
  const { top, bottom } = node.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};

const observe = (articles, rootMargin, onChange) => {
  const observer = new IntersectionObserver(onChange, { rootMargin });
  for (const article of articles) observer.observe(article);
};

const fillWhenNear = (articles, fill) =>
  observe(articles, PRELOAD_MARGIN, (entries) => {
    const near = entries.filter((entry) => entry.isIntersecting);
    if (near.length === 0) return;
    withStableScroll(() => {
      for (const entry of near) fill(entry.target.id);
    });
  });

const markCurrent = (articles, mark) =>
  observe(articles, `0px 0px -${100 - 100 * READING_LINE}% 0px`, () => {
    const line = innerHeight * READING_LINE;
    const started = articles.filter((article) => article.getBoundingClientRect().top <= line);
    mark((started.at(-1) ?? articles[0]).id);
  });

const start = (api) => {
  const groups = groupsOf(api, operationsOf(api));
  const sections = buildSections(api, groups);
  const { node, mark } = navigation(groups);
  sections.fill(sections.pending.has(targetId()) ? targetId() : groups[0]?.operations[0].id);
  showHeader(api);
  nav.replaceChildren(node);
  main.replaceChildren(...sections.nodes);

  const articles = [...main.querySelectorAll('.operation')];
  const showTarget = ({ scroll }) => {
    const target = articles.find((article) => article.id === targetId());
    if (!target) return;
    sections.fill(target.id);
    if (scroll || !isInView(target)) target.scrollIntoView();
    mark(target.id);
  };
  showTarget({ scroll: true });
  addEventListener('hashchange', () => showTarget({ scroll: false }));
  fillWhenNear(articles, sections.fill);
  markCurrent(articles, mark);
  fillInIdleTime(sections);
};

loadDocument(DOCUMENT_URL).then(start).catch(showFailure);

import { apiKeyForm } from './api-key.js';
import { el } from './dom.js';
import { prose } from './markdown.js';
import { navigation } from './navigation.js';
import { groupsOf, loadDocument, operationsOf, wordsOf } from './openapi.js';
import { operationBody, operationHead } from './operation.js';

const BASE = new URL('../', location.href);
BASE.search = '';
BASE.hash = '';
const DOCUMENT_URL = new URL('openapi.json', BASE).href;
const NEAR = '1200px 0px';
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
  header.append(apiKeyForm(), prose(wordsOf(info)) ?? '');
};

const showFailure = (error) => {
  main.replaceChildren(
    el(
      'div',
      { class: 'failure', role: 'alert' },
      el('h2', {}, 'The API document could not be loaded'),
      el('p', {}, error.message),
      el(
        'p',
        {},
        'Check that the server is running and that ',
        el('a', { href: DOCUMENT_URL }, DOCUMENT_URL),
        ' answers with JSON. Behind a proxy, /docs/ and /openapi.json must be passed on ' +
          'under the same prefix.',
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
  article.classList.remove('waiting');
  try {
    article.append(...build());
  } catch (error) {
    const words = `This operation could not be shown: ${error.message}.`;
    article.append(el('p', { class: 'failure' }, words));
  }
};

/** Sections with their heads; `fill(id)` builds the rest of one, once. */
const buildSections = (api, groups) => {
  const waiting = new Map();
  const articleOf = (operation) => {
    const attributes = { id: operation.id, class: 'operation waiting' };
    const article = el('article', attributes, operationHead(operation));
    const build = () => operationBody(api, BASE.href, operation);
    waiting.set(operation.id, () => fillArticle(article, build));
    return article;
  };
  const nodes = groups.map((group) =>
    el(
      'section',
      { class: 'group' },
      el('h2', {}, group.title),
      prose(group.description),
      group.operations.map(articleOf),
    ),
  );
  const fill = (id) => {
    waiting.get(id)?.();
    waiting.delete(id);
  };
  return { nodes, fill, waiting };
};

const articleBeingRead = () => {
  const { left, width } = main.getBoundingClientRect();
  const node = document.elementFromPoint(left + width / 3, innerHeight * READING_LINE);
  return node?.closest('.operation');
};

/** Runs a change of layout so that what is being read stays where it is on the screen. */
const keepingPlace = (change) => {
  const anchor = articleBeingRead();
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

const fillInIdleTime = ({ waiting, fill }) => {
  const step = (deadline) => {
    keepingPlace(() => {
      for (const id of [...waiting.keys()]) {
        fill(id);
        if (deadline.timeRemaining() < IDLE_RESERVE_MS) break;
      }
    });
    if (waiting.size > 0) whenIdle(step);
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
  observe(articles, NEAR, (entries) => {
    const near = entries.filter((entry) => entry.isIntersecting);
    if (near.length === 0) return;
    keepingPlace(() => {
      for (const entry of near) fill(entry.target.id);
    });
  });

const markWhenRead = (articles, mark) =>
  observe(articles, `0px 0px -${100 - 100 * READING_LINE}% 0px`, () => {
    const line = innerHeight * READING_LINE;
    const begun = articles.filter((article) => article.getBoundingClientRect().top <= line);
    mark((begun.at(-1) ?? articles[0]).id);
  });

const start = (api) => {
  const groups = groupsOf(api, operationsOf(api));
  const sections = buildSections(api, groups);
  const { node, mark } = navigation(groups);
  sections.fill(sections.waiting.has(targetId()) ? targetId() : groups[0]?.operations[0].id);
  showHeader(api);
  nav.replaceChildren(node);
  main.replaceChildren(...sections.nodes);

  const articles = [...main.querySelectorAll('.operation')];
  const goToTarget = ({ scroll }) => {
    const target = articles.find((article) => article.id === targetId());
    if (!target) return;
    sections.fill(target.id);
    if (scroll || !isInView(target)) target.scrollIntoView();
    mark(target.id);
  };
  goToTarget({ scroll: true });
  addEventListener('hashchange', () => goToTarget({ scroll: false }));
  fillWhenNear(articles, sections.fill);
  markWhenRead(articles, mark);
  fillInIdleTime(sections);
};

loadDocument(DOCUMENT_URL).then(start).catch(showFailure);

import { el } from './dom.js';

const MAX_RESULTS = 30;
const CONTEXT_LENGTH = 110;

const input = document.getElementById('search-input');
const popup = document.getElementById('search-popup');
const list = document.getElementById('search-results');
const status = document.getElementById('search-status');
const base = document.documentElement.dataset.base;

let index;
let selected = -1;

const prepare = ({ fields, entries }) => {
  const named = fields.map(([name, description]) => ({
    name,
    description,
    lowerName: name.toLowerCase(),
    lowerText: description.toLowerCase(),
  }));
  return entries.map((entry) => ({
    ...entry,
    lowerTitle: entry.title.toLowerCase(),
    lowerText: entry.text.toLowerCase(),
    fields: (entry.fields ?? []).map((position) => named[position]),
  }));
};

const load = async () => {
  index ??= fetch(`${base}search.json`)
    .then((response) => response.json())
    .then(prepare)
    .catch(() => {
      index = undefined;
      return undefined;
    });
  return index;
};

const startsWord = (text, term) => text.startsWith(term) || text.includes(` ${term}`);

/** How well one word matches an entry, and the field that matches if the text does not. */
const matchTerm = (entry, term) => {
  if (startsWord(entry.lowerTitle, term)) return { score: 100 };
  if (entry.lowerTitle.includes(term)) return { score: 70 };
  const exact = entry.fields.find(({ lowerName }) => lowerName === term);
  if (exact) return { score: 50, field: exact };
  const isGuide = entry.kind === 'guide';
  if (isGuide && startsWord(entry.lowerText, term)) return { score: 45 };
  const field = entry.fields.find(({ lowerName }) => lowerName.includes(term));
  if (field) return { score: 40, field };
  if (startsWord(entry.lowerText, term)) return { score: 30 };
  if (entry.lowerText.includes(term)) return { score: 20 };
  const described = entry.fields.find(({ lowerText }) => lowerText.includes(term));
  return described ? { score: 10, field: described } : undefined;
};

const matchEntry = (entry, terms) => {
  const matches = terms.map((term) => matchTerm(entry, term));
  if (matches.includes(undefined)) return [];
  const score = matches.reduce((sum, match) => sum + match.score, 0);
  return [{ entry, score, field: matches.find(({ field }) => field)?.field, term: terms[0] }];
};

const shorten = (text, term) => {
  const at = Math.max(0, text.toLowerCase().indexOf(term) - CONTEXT_LENGTH / 3);
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const part = text.slice(start, start + CONTEXT_LENGTH);
  const end = start + CONTEXT_LENGTH < text.length ? '…' : '';
  return `${start > 0 ? '…' : ''}${part}${end}`;
};

const contextOf = ({ entry, field, term }) => {
  if (field) return [el('code', {}, field.name), ` ${shorten(field.description, term)}`];
  return shorten(entry.text, term);
};

const resultNode = (match, position) => {
  const { entry } = match;
  const kind = entry.kind === 'guide' ? 'Guide' : entry.kind.toUpperCase();
  return el(
    'li',
    { id: `search-result-${position}`, role: 'option', 'aria-selected': 'false' },
    el(
      'a',
      { href: base + entry.url, tabindex: -1 },
      el('span', { class: `method method-${entry.kind}` }, kind),
      el(
        'span',
        { class: 'result-text' },
        el('strong', {}, entry.title),
        el('span', { class: 'result-place' }, entry.context),
        el('span', { class: 'result-context' }, contextOf(match)),
      ),
    ),
  );
};

const select = (position) => {
  const items = [...list.children];
  items[selected]?.setAttribute('aria-selected', 'false');
  selected = items.length === 0 ? -1 : (position + items.length) % items.length;
  const item = items[selected];
  item?.setAttribute('aria-selected', 'true');
  item?.scrollIntoView({ block: 'nearest' });
  if (item) input.setAttribute('aria-activedescendant', item.id);
  else input.removeAttribute('aria-activedescendant');
};

const close = () => {
  popup.hidden = true;
  input.setAttribute('aria-expanded', 'false');
  input.removeAttribute('aria-activedescendant');
};

const statusText = (count) => {
  if (count === 0) return 'Nothing found. Search for a field, a path or a word of a guide.';
  return count === 1 ? '1 result' : `${count} results`;
};

const show = (matches) => {
  list.replaceChildren(...matches.slice(0, MAX_RESULTS).map(resultNode));
  status.textContent = statusText(matches.length);
  popup.hidden = false;
  input.setAttribute('aria-expanded', 'true');
  select(0);
};

const search = async () => {
  const query = input.value.trim().toLowerCase();
  if (query === '') return close();
  const entries = await load();
  if (input.value.trim().toLowerCase() !== query) return;
  if (entries === undefined) {
    list.replaceChildren();
    status.textContent = 'The search index cannot be loaded. Try again.';
    popup.hidden = false;
    return;
  }
  const terms = query.split(/\s+/);
  const matches = entries.flatMap((entry) => matchEntry(entry, terms));
  show(matches.sort((a, b) => b.score - a.score));
};

const onKey = (event) => {
  if (event.key === 'ArrowDown') select(selected + 1);
  else if (event.key === 'ArrowUp') select(selected - 1);
  else if (event.key === 'Enter') list.children[selected]?.querySelector('a').click();
  else if (event.key === 'Escape') {
    input.value = '';
    close();
    input.blur();
  } else return;
  event.preventDefault();
};

const isTyping = (target) => target.closest?.('input, textarea, select, [contenteditable]');

const isShortcut = (event) =>
  event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);

/** Full-text search over guides, operations and fields. `/` focuses it. */
export const startSearch = () => {
  input.addEventListener('focus', load, { once: true });
  input.addEventListener('input', search);
  input.addEventListener('keydown', onKey);
  addEventListener('keydown', (event) => {
    if (!isShortcut(event)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  addEventListener('click', (event) => {
    if (!event.target.closest('.search')) close();
  });
  list.addEventListener('click', (event) => {
    if (event.target.closest('a')) close();
  });
};

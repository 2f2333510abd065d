import { el, methodBadge, pathNodes } from './dom.js';

const WIDE = matchMedia('(min-width: 60rem)');
const SEARCH_HEIGHT = 90;

const linkOf = (operation) => {
  const label = operation.summary ?? pathNodes(operation.path);
  return el(
    'a',
    { href: `#${operation.id}`, title: `${operation.method.toUpperCase()} ${operation.path}` },
    methodBadge(operation.method),
    el('span', { class: operation.summary ? 'link-text' : 'link-path' }, label),
  );
};

const searchTextOf = ({ method, path, summary, id }) =>
  [method, path, summary, id].join(' ').toLowerCase();

const itemOf = (operation) => {
  const link = linkOf(operation);
  return {
    id: operation.id,
    link,
    node: el('li', {}, link),
    text: searchTextOf(operation),
    name: operation.summary ?? operation.id,
  };
};

const groupOf = (group, index) => {
  const items = group.operations.map(itemOf);
  const titleId = `page-group-${index}`;
  const node = el(
    'div',
    { class: 'nav-group' },
    el('p', { id: titleId, class: 'nav-title' }, group.title),
    el(
      'ul',
      { 'aria-labelledby': titleId },
      items.map((item) => item.node),
    ),
  );
  return { items, node };
};

const filterBy = (groups, query, output) => {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { items, node } of groups) {
    const matches = items.filter((item) => {
      const isMatch = terms.every((term) => item.text.includes(term));
      item.node.hidden = !isMatch;
      return isMatch;
    });
    node.hidden = matches.length === 0;
    count += matches.length;
  }
  const noun = count === 1 ? 'operation' : 'operations';
  output.textContent = count === 0 ? 'No operation matches.' : `${count} ${noun}`;
};

const isTyping = (target) => target.closest?.('input, textarea, select, [contenteditable]');

const searchOf = (groups, reveal) => {
  const output = el('output', { class: 'note' });
  const input = el('input', {
    type: 'search',
    placeholder: 'Filter, or press /',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-keyshortcuts': '/',
    input: () => filterBy(groups, input.value, output),
    keydown: (event) => {
      if (event.key === 'Enter') {
        const items = groups.flatMap((group) => group.items);
        items.find((item) => !item.node.hidden)?.link.click();
      }
      if (event.key !== 'Escape') return;
      if (input.value === '') input.blur();
      input.value = '';
      filterBy(groups, '', output);
    },
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) return;
    event.preventDefault();
    reveal();
    input.focus();
    input.select();
  });
  filterBy(groups, '', output);
  return el(
    'label',
    { class: 'search' },
    el('span', { class: 'hidden-label' }, 'Filter operations'),
    input,
    output,
  );
};

const scrollToLink = (scroller, link) => {
  const frame = scroller.getBoundingClientRect();
  const box = link.getBoundingClientRect();
  const hidden = box.top < frame.top + SEARCH_HEIGHT || box.bottom > frame.bottom;
  if (hidden && box.height > 0) scroller.scrollTop += box.top - frame.top - frame.height / 2;
};

/** The list of operations. Returns its node and a function that marks the current operation. */
export const navigation = (groups) => {
  const lists = groups.map(groupOf);
  const byId = new Map(lists.flatMap(({ items }) => items).map((item) => [item.id, item]));
  const current = el('span', { class: 'menu-current' });
  const reveal = () => {
    menu.open = true;
  };
  const scroller = el(
    'div',
    { class: 'menu-body' },
    searchOf(lists, reveal),
    lists.map(({ node }) => node),
  );
  const menu = el('details', { class: 'menu' }, el('summary', {}, 'Operations', current), scroller);
  const adaptToWidth = () => {
    menu.open = WIDE.matches;
  };
  WIDE.addEventListener('change', adaptToWidth);
  adaptToWidth();
  scroller.addEventListener('click', (event) => {
    if (event.target.closest('a')) adaptToWidth();
  });
  let marked;
  const mark = (id) => {
    const item = byId.get(id);
    if (!item || item === marked) return;
    marked?.link.removeAttribute('aria-current');
    item.link.setAttribute('aria-current', 'location');
    current.textContent = item.name;
    marked = item;
    scrollToLink(scroller, item.link);
  };
  return { node: menu, mark };
};

import { API_ROOT } from '../../api/server.ts';
import { isAddress } from '../../format/address.ts';
import { matchPath } from '../../routing/match-path.ts';
import { readIdentity, readSearchData } from './search-data.ts';
import { listAddressResults, listResults, type SearchRow } from './search-list.ts';
import './search.css';

/**
 * The search of the frame: names, addresses, guides, operations and fields. `/` focuses it. `root` is the URL of the
 * overview; the documentation is beside the API.
 */
export function startSearch(root: string): void {
  const input = document.getElementById('search-input');
  const popup = document.getElementById('search-popup');
  const list = document.getElementById('search-results');
  const status = document.getElementById('search-status');
  if (!(input instanceof HTMLInputElement) || !popup || !list || !status) return;
  const box = new SearchBox({ input, popup, list, status }, root);
  input.addEventListener('focus', () => void readSearchData());
  input.addEventListener('input', () => void box.search());
  input.addEventListener('keydown', (event) => box.onKey(event));
  list.addEventListener('click', () => box.leave());
  // the input keeps the focus until the click
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  input.addEventListener('focusout', () => box.close());
  document.addEventListener('keydown', (event) => {
    if (!isShortcut(event)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

type Parts = {
  readonly input: HTMLInputElement;
  readonly popup: HTMLElement;
  readonly list: HTMLElement;
  readonly status: HTMLElement;
};

class SearchBox {
  readonly #parts: Parts;
  readonly #root: string;
  #selected = -1;

  constructor(parts: Parts, root: string) {
    this.#parts = parts;
    this.#root = root;
  }

  async search(): Promise<void> {
    const text = this.#text();
    if (text === '') return this.close();
    const { input, popup, list, status } = this.#parts;
    popup.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    if (list.childElementCount === 0) status.textContent = 'Loading…';
    const [data, identity] = await Promise.all([
      readSearchData(),
      isAddress(text) ? readIdentity(text) : undefined,
    ]);
    // answers to what was typed meanwhile follow
    if (popup.hidden || this.#text() !== text) return;
    const found = isAddress(text)
      ? listAddressResults(text, identity, data.names)
      : listResults(text, data);
    list.replaceChildren(...found.rows.map((row, index) => this.#option(row, index)));
    list.hidden = found.rows.length === 0;
    list.scrollTop = 0;
    status.textContent = found.status;
    this.#select(0);
  }

  onKey(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') this.#select(this.#selected + 1);
    else if (event.key === 'ArrowUp') this.#select(this.#selected - 1);
    else if (event.key === 'Enter') this.#options()[this.#selected]?.click();
    else if (event.key === 'Escape') this.leave();
    else return;
    event.preventDefault();
  }

  leave(): void {
    this.#parts.input.value = '';
    this.#parts.input.blur();
    this.close();
  }

  close(): void {
    const { input, popup, list } = this.#parts;
    popup.hidden = true;
    list.replaceChildren();
    this.#selected = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  #text(): string {
    return this.#parts.input.value.trim();
  }

  #options(): HTMLElement[] {
    return [...this.#parts.list.querySelectorAll<HTMLElement>('[role="option"]')];
  }

  #select(position: number): void {
    const options = this.#options();
    options[this.#selected]?.setAttribute('aria-selected', 'false');
    this.#selected = options.length === 0 ? -1 : (position + options.length) % options.length;
    const option = options[this.#selected];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    const { input } = this.#parts;
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', option.id);
  }

  #option(row: SearchRow, index: number): HTMLElement {
    const link = document.createElement('a');
    link.id = `search-result-${index}`;
    link.className = 'search-result';
    link.setAttribute('role', 'option');
    link.setAttribute('aria-selected', 'false');
    link.tabIndex = -1;
    link.href = this.#addressOf(row);
    // the explorer opens its own pages without loading them
    if (isPage(row)) link.dataset['page'] = '';
    const kind = element('span', `search-kind search-${row.kind.toLowerCase()}`, row.kind);
    link.append(kind, this.#description(row));
    return link;
  }

  #addressOf(row: SearchRow): string {
    if (row.of === 'docs') return new URL(`docs/${row.url}`, API_ROOT).href;
    return new URL(row.path.slice(1), isPage(row) ? this.#root : API_ROOT).href;
  }

  #description(row: SearchRow): HTMLElement {
    const text = element('span', 'search-text', '');
    text.append(element('strong', '', row.title));
    if (row.note !== '') text.append(element('span', 'search-note', row.note));
    if (row.of === 'docs') {
      const excerpt = element('span', 'search-excerpt', '');
      if (row.field !== undefined) excerpt.append(element('code', '', row.field), ' ');
      excerpt.append(row.excerpt);
      text.append(excerpt);
    }
    return text;
  }
}

/** Whether a row leads to a page of the explorer; others are answers of the API and the documentation. */
const isPage = (row: SearchRow): boolean =>
  row.of === 'explorer' && matchPath(row.path.split('?')[0] ?? '') !== undefined;

function element(tag: string, className: string, text: string): HTMLElement {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
}

function isShortcut({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (key !== '/' || ctrlKey || metaKey || altKey) return false;
  return !(
    target instanceof Element && target.matches('input, textarea, select, [contenteditable]')
  );
}

import { computed, signal } from '@preact/signals';

/** The part of the URL before the pages: `/`, or the prefix under which a proxy serves them. */
const PREFIX = typeof document === 'undefined' ? '/' : new URL(document.baseURI).pathname;

const url = signal(readUrl());

function readUrl(): URL {
  return new URL(typeof window === 'undefined' ? 'http://localhost/' : window.location.href);
}

/** Path of the page without the prefix, with a slash at its start. */
export const path = computed(() => `/${url.value.pathname.slice(PREFIX.length)}`);

export const query = computed(() => url.value.searchParams);

/** The address of a path of a page, for a link. */
export const hrefOf = (pagePath: string): string => `${PREFIX}${pagePath.replace(/^\//, '')}`;

type NavigateOptions = {
  /** Replaces the current entry of the browser's history. */
  readonly replaces?: boolean;
};

function navigate(pagePath: string, { replaces = false }: NavigateOptions = {}): void {
  const href = hrefOf(pagePath);
  if (replaces) window.history.replaceState(null, '', href);
  else window.history.pushState(null, '', href);
  url.value = readUrl();
  if (!replaces) window.scrollTo(0, 0);
}

/** Keeps state in the URL, so that a link shows the same thing. Removes a parameter that is undefined. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const next = readUrl();
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  window.history.replaceState(null, '', next.href);
  url.value = next;
}

/** Follows the browser's buttons and links to pages. */
export function watchLocation(): void {
  window.addEventListener('popstate', () => {
    url.value = readUrl();
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-page]') : null;
    if (!(link instanceof HTMLAnchorElement) || opensElsewhere(event)) return;
    event.preventDefault();
    const target = new URL(link.href);
    navigate(`/${target.pathname.slice(PREFIX.length)}${target.search}`);
  });
}

const opensElsewhere = (event: MouseEvent): boolean =>
  event.defaultPrevented ||
  event.button !== 0 ||
  event.metaKey ||
  event.ctrlKey ||
  event.shiftKey ||
  event.altKey;

/** A choice that the URL holds. The default is not written. */
export function choice<Value extends string>(
  name: string,
  values: readonly Value[],
): { readonly value: Value; readonly set: (value: Value) => void } {
  const [fallback] = values;
  if (fallback === undefined) throw new Error(`${name} has no values`);
  const requested = query.value.get(name);
  return {
    value: values.find((each) => each === requested) ?? fallback,
    set: (value) => setQuery({ [name]: value === fallback ? undefined : value }),
  };
}

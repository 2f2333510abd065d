import { computed, effect, signal } from '@preact/signals';
import { pageTitle } from '../components/page-title.tsx';
import { path } from '../routing/location.ts';
import { matchPath } from '../routing/match-path.ts';

const hasNavigated = signal(false);

/** What a screen reader says after a link to another page: the page is not loaded, so it says nothing by itself. */
export const announcement = computed(() => (hasNavigated.value ? pageTitle.value : ''));

/** Moves the focus into the page after each link, so that the keyboard goes on there. */
export function watchFocus(): void {
  const first = path.value;
  effect(() => {
    if (path.value === first && !hasNavigated.peek()) return;
    hasNavigated.value = true;
    // after the page has been rendered
    setTimeout(() => document.getElementById('main')?.focus({ preventScroll: true }));
  });
}

/** Marks the entry of the page that is shown. */
export function watchNavigation(): void {
  const links = document.querySelectorAll<HTMLElement>('.navigation li a[data-page]');
  effect(() => {
    const current = matchPath(path.value)?.page;
    for (const link of links) {
      if (link.dataset['page'] === current) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
  });
}

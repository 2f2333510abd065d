import { effect } from '@preact/signals';
import { path } from '../routing/location.ts';
import { matchPath } from '../routing/match-path.ts';

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

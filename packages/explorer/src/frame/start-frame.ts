import { startSearch } from './search/search-box.ts';
import { startTooltip } from './tooltip.ts';

/** What the explorer and the documentation have around their pages (`index.html`). `root` is the URL of the overview. */
export function startFrame(root: string): void {
  startSearch(root);
  startTooltip();
  document.getElementById('skip-link')?.addEventListener('click', (event) => {
    // the address of the page holds its state, and a fragment would be resolved against its base
    event.preventDefault();
    document.getElementById('main')?.focus();
  });
}

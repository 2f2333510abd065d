/**
 * The colours of all pages: follows the system until the reader chooses. A script of its own without imports, loaded before
 * the styles, so that no page is painted in other colours first.
 */

const STORAGE_KEY = 'tidegate-theme';
const THEMES = ['system', 'light', 'dark'] as const;

type Theme = (typeof THEMES)[number];

const root = document.documentElement;
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');
let chosen = readChoice();

function readChoice(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEMES.find((each) => each === stored) ?? 'system';
  } catch {
    return 'system';
  }
}

function storeChoice(): void {
  try {
    localStorage.setItem(STORAGE_KEY, chosen);
  } catch {
    // a browser without storage forgets the choice
  }
}

const nextTheme = (): Theme => THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length] ?? 'system';

/** Styles and charts read `data-theme`, the button `data-theme-choice`. */
function apply(): void {
  const system = systemIsDark.matches ? 'dark' : 'light';
  root.dataset['theme'] = chosen === 'system' ? system : chosen;
  root.dataset['themeChoice'] = chosen;
  const button = document.getElementById('theme-button');
  if (button === null) return;
  const label = `Colours: ${chosen}. Change to ${nextTheme()}`;
  button.setAttribute('aria-label', label);
  button.dataset['hint'] = label;
}

function readAgain(): void {
  chosen = readChoice();
  apply();
}

apply();
systemIsDark.addEventListener('change', apply);
document.addEventListener('DOMContentLoaded', apply);
// the choice of another tab, and of the page from which the reader comes back
window.addEventListener('storage', readAgain);
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) readAgain();
});
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || target.closest('#theme-button') === null) return;
  chosen = nextTheme();
  storeChoice();
  apply();
});

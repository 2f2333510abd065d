// Loaded before the styles, so that the page does not flash in the other theme.
const THEME_NAME = 'tidegate-theme';

try {
  const stored = localStorage.getItem(THEME_NAME);
  if (stored === 'light' || stored === 'dark') document.documentElement.dataset.theme = stored;
} catch {
  // Storage may be disabled. The page then follows the system.
}

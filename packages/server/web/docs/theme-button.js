const THEME_NAME = 'tidegate-theme';
const DARK = matchMedia('(prefers-color-scheme: dark)');
const root = document.documentElement;

const currentTheme = () => root.dataset.theme ?? (DARK.matches ? 'dark' : 'light');

const store = (theme) => {
  try {
    localStorage.setItem(THEME_NAME, theme);
  } catch {
    // Storage may be disabled. The choice then lasts as long as the page.
  }
};

/** Switches between light and dark, and remembers the choice. */
export const startThemeButton = () => {
  const button = document.getElementById('theme-button');
  const show = () => {
    const other = currentTheme() === 'dark' ? 'light' : 'dark';
    button.textContent = other === 'dark' ? 'Dark' : 'Light';
    button.setAttribute('aria-label', `Use the ${other} theme`);
  };
  button.addEventListener('click', () => {
    root.dataset.theme = currentTheme() === 'dark' ? 'light' : 'dark';
    store(root.dataset.theme);
    show();
  });
  DARK.addEventListener('change', show);
  show();
};

import { computed, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = 'tidegate-theme';
const systemIsDark = signal(false);
const chosen = signal<Theme>('system');

/** The reader's choice, and what it means now. */
export const theme = computed(() => ({
  chosen: chosen.value,
  effective: effectiveOf(chosen.value, systemIsDark.value),
}));

const effectiveOf = (choice: Theme, isDark: boolean): 'light' | 'dark' =>
  choice === 'system' ? (isDark ? 'dark' : 'light') : choice;

export function chooseTheme(choice: Theme): void {
  chosen.value = choice;
  apply();
  try {
    localStorage.setItem(STORAGE_KEY, choice);
  } catch {
    // a browser without storage forgets the choice
  }
}

/** Follows the system until the reader chooses. */
export function startTheme(): void {
  const media = window.matchMedia('(prefers-color-scheme: dark)');
  const update = (): void => {
    systemIsDark.value = media.matches;
    apply();
  };
  chosen.value = readChoice();
  media.addEventListener('change', update);
  update();
}

function apply(): void {
  document.documentElement.dataset['theme'] = theme.peek().effective;
}

function readChoice(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEMES.find((each) => each === stored) ?? 'system';
  } catch {
    return 'system';
  }
}

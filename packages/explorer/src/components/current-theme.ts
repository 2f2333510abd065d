import { type ReadonlySignal, signal } from '@preact/signals';

const current = signal<string>('light');

/** `light` or `dark`, as `frame/theme.ts` sets it, for what a style sheet does not reach. */
export const theme: ReadonlySignal<string> = current;

export function watchTheme(): void {
  const root = document.documentElement;
  const read = (): void => {
    current.value = root.dataset['theme'] ?? 'light';
  };
  new MutationObserver(read).observe(root, { attributeFilter: ['data-theme'] });
  read();
}

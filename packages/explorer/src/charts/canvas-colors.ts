/** Colours of the theme in force, for the canvas. */
export type Palette = {
  readonly text: string;
  readonly line: string;
  readonly surface: string;
  readonly accent: string;
  readonly danger: string;
  readonly series: (color: number) => string;
};

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const isDark = document.documentElement.dataset['theme'] === 'dark';
  const get = (name: string): string => colorOf(style.getPropertyValue(`--${name}`), isDark);
  return {
    text: get('text-weak'),
    line: get('line'),
    surface: get('surface'),
    accent: get('accent'),
    danger: get('danger'),
    series: (color) => get(`series-${color}`),
  };
}

/** A custom property has the text of the style sheet: `#rrggbb` or `light-dark(#rrggbb, #rrggbb)`. */
function colorOf(value: string, isDark: boolean): string {
  const [light = '', dark = light] = value.match(/#\w+/g) ?? [];
  return isDark ? dark : light;
}

/** A colour with an opacity from 0 to 1. Colours of the theme are in `#rrggbb`. */
export const withOpacity = (color: string, opacity: number): string =>
  `${color}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`;

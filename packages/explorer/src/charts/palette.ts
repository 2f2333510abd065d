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
  const get = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    text: get('text-weak'),
    line: get('line'),
    surface: get('surface'),
    accent: get('accent'),
    danger: get('danger'),
    series: (color) => get(`series-${color}`),
  };
}

/** A colour with an opacity from 0 to 1. Colours of the theme are in `#rrggbb`. */
export const withOpacity = (color: string, opacity: number): string =>
  `${color}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`;

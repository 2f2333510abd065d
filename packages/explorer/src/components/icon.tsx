/** Strokes of a 20 px grid. */
const paths = {
  check: 'm4 10.5 4 4 8-9',
  copy: 'M7 7V4h9v9h-3M4 7h9v9H4z',
  download: 'M10 3v9m-4-4 4 4 4-4M4 16h12',
  retry: 'M15.5 10a5.5 5.5 0 1 1-1.6-3.9M14.5 3v3.5H11',
  wallet: 'M3 6.5V15h14V7H4.5a1.5 1.5 0 0 1 0-3H15v3m-1 4h.1',
  warning: 'M10 3 2.5 16.5h15zM10 8v4m0 2.2v.3',
} as const;

export type IconName = keyof typeof paths;

/** Decoration: the element around it has the label. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

/** Strokes of a 20 px grid. */
const paths = {
  build: 'M10 4v12M4 10h12',
  chart: 'M3 17h14M5 14V9m5 5V4m5 10v-7',
  check: 'm4 10.5 4 4 8-9',
  copy: 'M7 7V4h9v9h-3M4 7h9v9H4z',
  decode: 'm7 6-4 4 4 4m6-8 4 4-4 4m-1.5-10-3 12',
  docs: 'M5 3h7l3 3v11H5zM8 9h4m-4 3h4',
  download: 'M10 3v9m-4-4 4 4 4-4M4 16h12',
  moon: 'M16 12.5A6.5 6.5 0 0 1 7.5 4 6.5 6.5 0 1 0 16 12.5z',
  overview: 'M3 10 10 4l7 6M5 9v7h10V9',
  retry: 'M15.5 10a5.5 5.5 0 1 1-1.6-3.9M14.5 3v3.5H11',
  search: 'm13.5 13.5 3 3M9 14A5 5 0 1 0 9 4a5 5 0 0 0 0 10z',
  status: 'M2.5 10h4l2-5 3 10 2-5h4',
  sun: 'M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10 2v1.5m0 13V18m8-8h-1.5m-13 0H2m13.7-5.7-1.1 1.1M5.4 14.6l-1.1 1.1m0-11.4 1.1 1.1m9.2 9.2 1.1 1.1',
  system: 'M3 4h14v9H3zM7 17h6m-3-4v4',
  warning: 'M10 3 2.5 16.5h15zM10 8v4m0 2.2v.3',
} as const;

export type IconName = keyof typeof paths;

/** Decoration: the element around it has the label. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

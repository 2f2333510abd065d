import './skeleton.css';

/** Holds the place of content: `height` in pixels. */
export const Skeleton = ({ height }: { readonly height: number }) => (
  <div class="skeleton" style={{ height: `${height}px` }} aria-hidden="true" />
);

const ROW_HEIGHT = 41;
const HEADER_HEIGHT = 37;

/** Holds the place of a table with so many rows. */
export const TableSkeleton = ({ rows }: { readonly rows: number }) => (
  <Skeleton height={HEADER_HEIGHT + rows * ROW_HEIGHT} />
);

import { Stat, Stats } from './stat.tsx';
import './skeleton.css';

/** Holds the place of content: `height` in pixels. */
export const Skeleton = ({ height }: { readonly height: number }) => (
  <div class="skeleton" style={{ height: `${height}px` }} aria-hidden="true" />
);

type TableSkeletonProps = { readonly rows: number; readonly columns: number };

/** Holds the place of a table, which is a list of cards on phones. */
export const TableSkeleton = ({ rows, columns }: TableSkeletonProps) => (
  <div
    class="skeleton table-skeleton"
    style={{ '--rows': rows, '--lines': Math.ceil((columns - 1) / 2) }}
    aria-hidden="true"
  />
);

type StatsSkeletonProps = { readonly labels: readonly string[]; readonly hasNotes?: boolean };

/** Holds the place of figures. */
export const StatsSkeleton = ({ labels, hasNotes = false }: StatsSkeletonProps) => (
  <Stats>
    {labels.map((label) => (
      <Stat key={label} label={label} {...(hasNotes && { note: '…' })}>
        <span class="weak">…</span>
      </Stat>
    ))}
  </Stats>
);

/** Holds the place of a figure in a table with notes under it, each with a figure before its text. */
export const LoadingCell = ({ notes }: { readonly notes: readonly string[] }) => (
  <>
    <span class="weak">…</span>
    {notes.map((text) => (
      <span key={text} class="cell-note">
        {PLACE_OF_FIGURE} {text}
      </span>
    ))}
  </>
);

/** About as wide as `12.34 %`. */
const PLACE_OF_FIGURE = '…\u2003\u2003\u2003';

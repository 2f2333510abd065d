import { Skeleton } from '../components/skeleton.tsx';
import './chart.css';

/** Holds the place of a chart: `height` of its plot in pixels. */
export const ChartSkeleton = ({ height }: { readonly height: number }) => (
  <div class="chart" aria-hidden="true">
    <div class="chart-head">
      <div class="readout" />
      <div class="chart-actions" />
    </div>
    <Skeleton height={height} />
  </div>
);

import type { Resource } from '../api/resource.ts';
import { PageTitle } from './page-title.tsx';
import { Skeleton } from './skeleton.tsx';

const PAGE_HEIGHT = 800;

/** Whether each resource has data or has failed, so that what depends on them can be shown without moving later. */
export const areSettled = (resources: readonly Resource<unknown>[]): boolean =>
  resources.every(({ data, error }) => data !== undefined || error !== undefined);

/** Holds the place of a block whose size is not known yet. */
export const LoadingBlock = ({ label }: { readonly label: string }) => (
  <section class="block" aria-label={label} aria-busy="true">
    <Skeleton height={PAGE_HEIGHT} />
  </section>
);

/** Holds the place of a page whose blocks are not known yet. */
export const LoadingPage = ({ title }: { readonly title: string }) => (
  <div class="page">
    <div class="page-title">
      <PageTitle title={title} />
    </div>
    <LoadingBlock label={title} />
  </div>
);

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorBoundary } from '../components/block.tsx';
import { NotFound } from '../components/empty.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { PageLink } from '../routing/link.tsx';
import { path } from '../routing/location.ts';
import { matchPath, type PageMatch } from '../routing/match-path.ts';
import type { PageProps } from './page-props.ts';
import { pageModules } from './page-table.ts';

/** The page of the URL. */
export function CurrentPage() {
  const match = matchPath(path.value);
  if (match === undefined) {
    return (
      <NotFound what={path.value} where="This explorer has no such page.">
        <PageLink page="overview">To the overview</PageLink>
      </NotFound>
    );
  }
  return <LoadedPage key={path.value} match={match} />;
}

type Loaded =
  | { readonly kind: 'page'; readonly Page: ComponentType<PageProps> }
  | { readonly kind: 'failed'; readonly error: Error };

const loadedPages = new Map<string, ComponentType<PageProps>>();

function LoadedPage({ match: { page, parameters } }: { readonly match: PageMatch }) {
  const known = loadedPages.get(page);
  const [loaded, setLoaded] = useState<Loaded | undefined>(known && { kind: 'page', Page: known });
  useEffect(() => {
    if (known !== undefined) return;
    pageModules[page]().then(
      (Page) => {
        loadedPages.set(page, Page);
        setLoaded({ kind: 'page', Page });
      },
      (error: Error) => setLoaded({ kind: 'failed', error }),
    );
  }, [page, known]);
  return (
    <ErrorBoundary>
      {loaded === undefined ? (
        <Skeleton height={800} />
      ) : (
        <Shown loaded={loaded} parameters={parameters} />
      )}
    </ErrorBoundary>
  );
}

/** A chunk that cannot be loaded is usually one of an older version: a reload gets the new one. */
const Shown = ({ loaded, parameters }: PageProps & { readonly loaded: Loaded }) =>
  loaded.kind === 'page' ? (
    <loaded.Page parameters={parameters} />
  ) : (
    <div class="failure" role="alert">
      <p class="failure-title">This page cannot be loaded</p>
      <p>{loaded.error.message}</p>
      <button type="button" class="button" onClick={() => window.location.reload()}>
        Reload
      </button>
    </div>
  );

import type { ApiError } from '@tidegate/client';
import { Component, type ComponentChildren } from 'preact';
import { describeOrigin, type FailureKind, failureKind, isFinal } from '../api/failure.ts';
import type { Resource } from '../api/resource.ts';
import { AgeNotes, FreshnessNotes } from './freshness/freshness-notes.tsx';
import { Icon } from './icon.tsx';
import './block.css';

type DataOf<Resources extends readonly Resource<unknown>[]> = {
  readonly [Index in keyof Resources]: Resources[Index] extends Resource<infer Data> ? Data : never;
};

type BlockProps<Resources extends readonly Resource<unknown>[]> = {
  readonly title: string;
  readonly resources: Resources;
  /** Has the size of what replaces it. */
  readonly skeleton: ComponentChildren;
  /** At the right of the title. */
  readonly actions?: ComponentChildren;
  /** Called when every resource has data. */
  readonly children: (...data: DataOf<Resources>) => ComponentChildren;
};

/**
 * A part of a page that loads, fails and retries on its own: a skeleton until there is data, the failure if there is none,
 * and with the data what its responses say about it.
 */
export function Block<const Resources extends readonly Resource<unknown>[]>(
  props: BlockProps<Resources>,
) {
  const { title, resources, skeleton, actions, children } = props;
  const failed = resources.filter(({ error }) => error !== undefined);
  const missing = resources.find(({ data, error }) => data === undefined && error !== undefined);
  // without a connection, the banner of the page says it once
  const refused = failed.find(
    ({ error }) => error !== undefined && failureKind(error) !== 'offline',
  )?.error;
  const responses = resources.flatMap(({ freshness }) => freshness);
  const isLoaded = resources.every(({ data }) => data !== undefined);
  const retry = (): void => {
    for (const { reload } of failed) reload();
  };
  return (
    <section class="block" aria-label={title} aria-busy={!isLoaded && missing === undefined}>
      <header class="block-header">
        <h2>{title}</h2>
        <AgeNotes responses={responses} />
        {actions}
      </header>
      <ErrorBoundary>
        {missing?.error !== undefined ? (
          <Failure error={missing.error} onRetry={retry} />
        ) : isLoaded ? (
          <>
            {refused !== undefined && <StaleNotice error={refused} onRetry={retry} />}
            {children(...(resources.map(({ data }) => data) as unknown as DataOf<Resources>))}
          </>
        ) : (
          skeleton
        )}
      </ErrorBoundary>
      <FreshnessNotes responses={responses} />
    </section>
  );
}

type FailureProps = { readonly error: ApiError; readonly onRetry: () => void };

const titles: Readonly<Record<FailureKind, string>> = {
  offline: 'The server does not answer',
  'not-found': 'Not found',
  invalid: 'The request is not valid',
  busy: 'The server is busy',
  server: 'The server failed',
};

/** What failed, and a way to try again; the rest of the page lives. */
export const Failure = ({ error, onRetry }: FailureProps) => (
  <div class="failure" role="alert">
    <p class="failure-title">
      <Icon name="warning" /> {titles[failureKind(error)]}
    </p>
    <p>{error.message}</p>
    <p class="weak">{describeOrigin(error)}</p>
    {!isFinal(error) && (
      <button type="button" class="button" onClick={onRetry}>
        <Icon name="retry" /> Try again
      </button>
    )}
  </div>
);

/** The last refresh failed, and the data is still there. */
const StaleNotice = ({ error, onRetry }: FailureProps) => (
  <p class="notice warning" role="status">
    <Icon name="warning" />
    <span>
      Not refreshed: {error.message}{' '}
      <button type="button" class="link-button" onClick={onRetry}>
        Try again
      </button>
    </span>
  </p>
);

type BoundaryState = { readonly failure: Error | undefined };

/** A defect in one block does not take the page with it. */
export class ErrorBoundary extends Component<{ children: ComponentChildren }, BoundaryState> {
  override state: BoundaryState = { failure: undefined };

  static override getDerivedStateFromError(failure: Error): BoundaryState {
    return { failure };
  }

  override render() {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return (
      <div class="failure" role="alert">
        <p class="failure-title">
          <Icon name="warning" /> This part cannot be shown
        </p>
        <p>{failure.message}</p>
        <button type="button" class="button" onClick={() => this.setState({ failure: undefined })}>
          <Icon name="retry" /> Try again
        </button>
      </div>
    );
  }
}

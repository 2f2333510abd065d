import { useRef } from 'preact/hooks';
import type { StartProgress } from '../api/readiness.ts';
import { apiRequest, useResource } from '../api/resource.ts';
import { now } from '../components/clock.ts';
import { Gauge } from '../components/gauge/gauge.tsx';
import { Notice } from '../components/notice.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { estimateRemaining, type ProgressSample } from '../format/remaining-time.ts';
import { formatDuration } from '../format/time.ts';
import { hrefOf } from '../routing/location.ts';

type StartScreenProps = {
  readonly waitingFor: readonly string[];
  readonly progress: StartProgress | undefined;
};

const STATUS_POLL_MS = 5_000;

/** Shown instead of the pages until the server has data: what it does, how far it is and how long it may take. */
export function StartScreen({ waitingFor, progress }: StartScreenProps) {
  const fraction = progress?.fraction ?? undefined;
  const status = useResource(apiRequest('GET /status'), { pollMs: STATUS_POLL_MS });
  const remaining = useRemaining(progress?.stage, fraction, status.data?.startedAt);
  return (
    <main class="start-screen" id="main">
      <PageTitle title="Tidegate is starting" />
      <p>
        {progress?.stage === 'simulating'
          ? 'The first start simulates the history of a Solana cluster. Later starts take a few seconds.'
          : 'The server loads its first state.'}
      </p>
      <Gauge
        label="Progress of the start"
        fraction={fraction}
        start={fraction === undefined ? waitingFor.join(', ') : `${Math.round(100 * fraction)} %`}
        end={remaining === undefined ? '' : `about ${formatDuration(remaining)} left`}
      />
      {status.data?.clusters
        .flatMap(({ missing }) => missing)
        .map((text) => (
          <Notice key={text} text={text} />
        ))}
      <p class="weak" role="status">
        This page opens by itself. Meanwhile: <a href={hrefOf('/docs/')}>the API reference</a>,{' '}
        <a href={hrefOf('/status')}>the status</a>.
      </p>
    </main>
  );
}

type StageSample = ProgressSample & { readonly stage: string | undefined };

/** A simulation begins with the server; of another stage, the first sample is what the page saw first. */
function useRemaining(
  stage: string | undefined,
  fraction: number | undefined,
  serverStart: string | undefined,
): number | undefined {
  const seen = useRef<StageSample | undefined>(undefined);
  if (fraction === undefined) return undefined;
  const current = { at: now.value, fraction };
  if (seen.current?.stage !== stage) seen.current = { ...current, stage };
  const startedAt = stage === 'simulating' ? serverStart : undefined;
  const first = startedAt === undefined ? seen.current : { at: Date.parse(startedAt), fraction: 0 };
  return first && estimateRemaining(first, current);
}

import { useRef } from 'preact/hooks';
import { progressOf } from '../api/readiness.ts';
import { apiRequest, useResource } from '../api/resource.ts';
import { now } from '../components/clock.ts';
import { Gauge } from '../components/gauge.tsx';
import { formatDuration } from '../format/time.ts';
import { hrefOf } from '../routing/location.ts';
import { estimateRemaining, type ProgressSample } from './remaining-time.ts';

/** Shown instead of the pages until the server has data: what it does, how far it is and how long it may take. */
export function StartScreen({ waitingFor }: { readonly waitingFor: readonly string[] }) {
  const percent = progressOf(waitingFor);
  const remaining = useRemaining(percent);
  return (
    <main class="start-screen" id="main">
      <h1>Tidegate is starting</h1>
      <p>
        {percent === undefined
          ? 'The server loads its first state.'
          : 'The first start simulates the history of a Solana cluster. Later starts take a few seconds.'}
      </p>
      <Gauge
        label="Progress of the start"
        fraction={percent === undefined ? undefined : percent / 100}
        start={percent === undefined ? waitingFor.join(', ') : `${percent} %`}
        end={remaining === undefined ? '' : `about ${formatDuration(remaining)} left`}
      />
      <p class="weak" role="status">
        This page opens by itself. Meanwhile: <a href={hrefOf('/docs/')}>the API reference</a>.
      </p>
    </main>
  );
}

/** The start of the server is the first sample, or else what the page saw first. */
function useRemaining(percent: number | undefined): number | undefined {
  const seen = useRef<ProgressSample | undefined>(undefined);
  const status = useResource(apiRequest('GET /status'), { pollMs: 0 });
  if (percent === undefined) return undefined;
  const current = { at: now.value, percent };
  seen.current ??= current;
  const startedAt = status.data?.startedAt;
  const first = startedAt === undefined ? seen.current : { at: Date.parse(startedAt), percent: 0 };
  return estimateRemaining(first, current);
}

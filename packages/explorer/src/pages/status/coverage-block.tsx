import { useMarkets } from '../../api/directory.ts';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { now } from '../../components/clock.ts';
import { Empty } from '../../components/empty.tsx';
import { Bar } from '../../components/gauge/gauge.tsx';
import { Percent } from '../../components/number.tsx';
import { Skeleton, StatsSkeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { Time } from '../../components/time.tsx';
import { formatDateTime, formatDuration } from '../../format/time.ts';
import { coverageParts, gapsSince, recordedFraction } from './coverage.ts';

const POLL_MS = 60_000;

/** Since when history is recorded, and what is missing in it. Every market is sampled at the same times. */
export function CoverageBlock() {
  const markets = useMarkets();
  const pubkey = markets.data?.[0]?.lendingMarket;
  const history = useResource(
    pubkey === undefined
      ? undefined
      : apiRequest('GET /svc-market/{pubkey}/metrics/history', { path: { pubkey } }),
    { pollMs: POLL_MS },
  );
  const first = Date.parse(history.data?.[0]?.timestamp ?? '');
  // the time before the first record is not a gap of the recording
  const freshness = history.freshness.map((each) => ({
    ...each,
    gaps: gapsSince(first, each.gaps),
  }));
  const gaps = freshness.flatMap((each) => each.gaps);
  return (
    <Block
      title="History"
      resources={[{ ...history, freshness }]}
      skeleton={
        <>
          <StatsSkeleton hasNotes labels={['Recorded since', 'Recorded', 'Gaps']} />
          <Skeleton height={24} />
        </>
      }
    >
      {(points) =>
        points.length === 0 ? (
          <Empty title="Nothing is recorded yet">History begins with the first full hour.</Empty>
        ) : (
          <Coverage first={first} gaps={gaps} />
        )
      }
    </Block>
  );
}

type CoverageProps = {
  readonly first: number;
  readonly gaps: Parameters<typeof coverageParts>[2];
};

function Coverage({ first, gaps }: CoverageProps) {
  const parts = coverageParts(first, now.value, gaps);
  const fraction = recordedFraction(parts);
  return (
    <>
      <Stats>
        <Stat label="Recorded since" note={<Time value={first} />}>
          {formatDuration(now.value - first)}
        </Stat>
        <Stat label="Recorded" hint="Part of this time that is not in a gap">
          <Percent value={fraction} />
        </Stat>
        <Stat label="Gaps" note={gaps.length === 0 ? undefined : 'listed below'}>
          {gaps.length}
        </Stat>
      </Stats>
      <div class="block-body">
        <Bar
          label="Recorded time and gaps"
          parts={parts.map(({ fromMs, toMs, isRecorded }) => ({
            name: `${isRecorded ? 'Recorded' : 'Not recorded'}: ${formatDateTime(fromMs)} – ${formatDateTime(toMs)}`,
            value: toMs - fromMs,
            color: isRecorded ? 1 : 2,
          }))}
        />
      </div>
    </>
  );
}

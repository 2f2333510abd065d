import type { HistoryReader } from '../../history/queries/history-reader.ts';
import {
  type ChangesQuery,
  checkPositions,
  type PositionVerdict,
} from '../../history/queries/position-changes.ts';
import { positionName } from '../../history/queries/position-gaps.ts';
import type { PositionKind } from '../../history/queries/position-kinds.ts';

const KINDS: readonly PositionKind[] = ['loan', 'shares', 'stake'];
const BATCH_SIZE = 100;
/** Earlier states that are compared again before a position counts as unexplained: polled ones are ahead of their slot. */
const DOUBT_DEPTH = 8;

/** Compares positions of all kinds with their events, some at once. */
export async function checkInBatches(
  reader: HistoryReader,
  query: ChangesQuery,
): Promise<readonly PositionVerdict[]> {
  const verdicts: PositionVerdict[] = [];
  for (const kind of KINDS) {
    const ofKind = query.positions.filter(({ key }) => key.kind === kind);
    for (let start = 0; start < ofKind.length; start += BATCH_SIZE) {
      const positions = ofKind.slice(start, start + BATCH_SIZE);
      verdicts.push(...(await checkTwice(reader, kind, { ...query, positions })));
    }
  }
  return verdicts;
}

async function checkTwice(
  reader: HistoryReader,
  kind: PositionKind,
  query: ChangesQuery,
): Promise<readonly PositionVerdict[]> {
  const verdicts = await checkPositions(reader, kind, query);
  const doubtful = new Set(
    verdicts.flatMap(({ key, difference }) => (difference === undefined ? [] : positionName(key))),
  );
  const positions = query.positions.filter(({ key }) => doubtful.has(positionName(key)));
  const again = await checkPositions(reader, kind, { ...query, positions, depth: DOUBT_DEPTH });
  const explained = new Map(
    again.flatMap((verdict) =>
      verdict.difference === undefined ? [[positionName(verdict.key), verdict]] : [],
    ),
  );
  return verdicts.map((verdict) => explained.get(positionName(verdict.key)) ?? verdict);
}

import type { ClusterReader, FoundUnknownValue } from '@tidegate/core/state';
import { UnprovenKinds, type UnprovenReason } from './unproven-kinds.ts';

const NO_DOUBTS: readonly UnprovenReason[] = [];

type ReadDoubts = () => readonly UnprovenReason[];

/** The unproven kinds of a cluster, those with unknown bytes and values included. `doubts`: of the source. */
export const openUnprovenKinds = (
  reader: Pick<ClusterReader, 'unknownValues'>,
  doubts: ReadDoubts = () => NO_DOUBTS,
): UnprovenKinds => new UnprovenKinds(createReasons(reader, doubts));

/** The same array until the unknown values or the doubts change. */
function createReasons(
  reader: Pick<ClusterReader, 'unknownValues'>,
  readDoubts: ReadDoubts,
): () => readonly UnprovenReason[] {
  let examples: readonly FoundUnknownValue[] | undefined;
  let doubts: readonly UnprovenReason[] | undefined;
  let reasons: readonly UnprovenReason[] = [];
  return () => {
    const [current, doubted] = [reader.unknownValues.examples(), readDoubts()];
    if (current !== examples || doubted !== doubts) {
      examples = current;
      doubts = doubted;
      reasons = [...current.map(toReason), ...doubted];
    }
    return reasons;
  };
}

const toReason = (found: FoundUnknownValue): UnprovenReason => {
  const { kind, code, since } = found;
  return { kind, code, since, detail: describeUnknownValue(found) };
};

/** Without the bytes of reserved space: each write of the account can change them. */
export function describeUnknownValue(found: Omit<FoundUnknownValue, 'kind' | 'since'>): string {
  const { code, address, field, offset, value } = found;
  const place = `byte ${offset} (${field}) of ${address}`;
  return code === 'unknownValue'
    ? `${place} has the unknown value 0x${value}`
    : `${place} is not zero`;
}

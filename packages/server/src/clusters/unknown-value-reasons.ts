import type { ClusterReader, FoundUnknownValue } from '@tidegate/core/state';
import { UnprovenKinds, type UnprovenReason } from './unproven-kinds.ts';

/** The unproven kinds of a cluster, those with unknown bytes and values included. */
export const openUnprovenKinds = (reader: Pick<ClusterReader, 'unknownValues'>): UnprovenKinds =>
  new UnprovenKinds(createReasons(reader));

/** The same array until the unknown values change. */
function createReasons(
  reader: Pick<ClusterReader, 'unknownValues'>,
): () => readonly UnprovenReason[] {
  let examples: readonly FoundUnknownValue[] | undefined;
  let reasons: readonly UnprovenReason[] = [];
  return () => {
    const current = reader.unknownValues.examples();
    if (current !== examples) {
      examples = current;
      reasons = current.map(toReason);
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

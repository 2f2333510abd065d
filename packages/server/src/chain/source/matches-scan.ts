import { bytesEqual, type ClusterAccount } from '@tidegate/core/base';
import type { AccountFilter, ProgramScan } from './chain-source.ts';

/** Whether a scan would return the account. */
export function matchesScan({ program, filters }: ProgramScan, account: ClusterAccount): boolean {
  return (
    account.owner === program && filters.every((filter) => matchesFilter(filter, account.data))
  );
}

function matchesFilter(filter: AccountFilter, data: Uint8Array): boolean {
  switch (filter.kind) {
    case 'size':
      return data.length === filter.size;
    case 'bytes': {
      const { offset, bytes } = filter;
      return bytesEqual(data.subarray(offset, offset + bytes.length), bytes);
    }
  }
}

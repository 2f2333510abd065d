import { encodeBase58 } from '@tidegate/core/base';
import type { AccountFilter } from '../source/chain-source.ts';

/** Encodes a filter for JSON-RPC, over HTTP and WebSocket. */
export function toRpcFilter(filter: AccountFilter): unknown {
  switch (filter.kind) {
    case 'size':
      return { dataSize: filter.size };
    case 'bytes':
      return { memcmp: { offset: filter.offset, bytes: encodeBase58(filter.bytes) } };
  }
}

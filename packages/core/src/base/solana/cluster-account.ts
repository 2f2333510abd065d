import type { Address } from '../encoding/address.ts';
import type { RawAccount } from './account.ts';

/** How far a cluster has agreed on a slot. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

export type ClusterAccount = RawAccount & { readonly lamports: bigint };

export type KeyedAccount = { readonly address: Address; readonly account: ClusterAccount };

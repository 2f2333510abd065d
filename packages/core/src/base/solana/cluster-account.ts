import type { Address } from '../encoding/address.ts';
import type { RawAccount } from './account.ts';

/** How final a slot is. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

export type ClusterAccount = RawAccount & { readonly lamports: bigint };

export type KeyedAccount = { readonly address: Address; readonly account: ClusterAccount };

import type { VerifiableRequest } from '#client/verify/index.ts';
import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import type { RandomCluster, TransactionPlan } from './random-cluster.ts';

/** A transaction right before it is executed, and what it was built for. */
export type PlannedBuild = {
  readonly build: TransactionPlan;
  readonly request: VerifiableRequest;
  readonly findAccount: (address: Address) => RawAccount | undefined;
  readonly cluster: RandomCluster;
};

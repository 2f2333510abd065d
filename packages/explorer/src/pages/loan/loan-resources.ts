import type { LoanReport, ObligationTxList } from '@tidegate/client';
import type { ListedReserve } from '../../api/directory.ts';
import type { Resource } from '../../api/resource.ts';

/** What the blocks of a loan's page show. */
export type LoanResources = {
  readonly address: string;
  /** Address of the market; undefined until the loan is read. */
  readonly market: string | undefined;
  readonly loan: Resource<LoanReport>;
  /** Newest first. */
  readonly events: Resource<ObligationTxList>;
  /** Of the market, if it is listed. */
  readonly reserves: readonly ListedReserve[];
};

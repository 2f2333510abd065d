import type { LoanReport, ObligationTxList, PriceGroup } from '@tidegate/client';
import type { ListedReserve } from '../../api/directory.ts';
import type { Resource } from '../../api/resource.ts';
import type { ReserveRatesReader } from '../../loans/reserve-rates.ts';

/** What the blocks of a loan's page show. */
export type LoanResources = {
  readonly address: string;
  /** Address of the market; undefined until the loan is read. */
  readonly market: string | undefined;
  readonly loan: Resource<LoanReport>;
  /** Of the market; empty if they cannot be read. */
  readonly priceGroups: Resource<readonly PriceGroup[]>;
  /** Of the reserves of the loan. */
  readonly rates: ReserveRatesReader;
  /** Newest first. */
  readonly events: Resource<ObligationTxList>;
  /** Of the market, if it is listed. */
  readonly reserves: readonly ListedReserve[];
};

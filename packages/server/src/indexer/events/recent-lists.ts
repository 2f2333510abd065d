import type { Address, Slot } from '@tidegate/core/base';
import type { LedgerReader, ListedTransaction } from '../../chain/source/ledger-reader.ts';
import { PAGE_SIGNATURES, readSignaturePages } from './signature-pages.ts';

/** Most programs have few transactions within the window: their lists are requested in short pages. */
const SPARE_SIGNATURES = 50;

/** `coversFloor`: whether the list goes back to the floor. */
type RecentList = {
  readonly transactions: readonly ListedTransaction[];
  readonly coversFloor: boolean;
};

/** Lists the recent transactions of addresses, in one request each unless activity has doubled since the last one. */
export class RecentLists {
  readonly #ledger: LedgerReader;
  /** Number of transactions that the last list had. */
  readonly #sizes = new Map<Address, number>();

  constructor(ledger: LedgerReader) {
    this.#ledger = ledger;
  }

  /** Those after the floor. The size of a list is remembered for addresses that are listed regularly. */
  async read(address: Address, floor: Slot, isRegular: boolean): Promise<RecentList> {
    const transactions: ListedTransaction[] = [];
    let coversFloor = false;
    const firstLimit = this.#firstLimit(address);
    for await (const page of readSignaturePages(this.#ledger, { address, firstLimit })) {
      const recent = page.filter(({ slot }) => slot > floor);
      transactions.push(...recent);
      coversFloor = recent.length < page.length;
      if (coversFloor) break;
    }
    if (isRegular) this.#sizes.set(address, transactions.length);
    return { transactions, coversFloor };
  }

  #firstLimit(address: Address): number {
    const size = this.#sizes.get(address);
    if (size === undefined) return PAGE_SIGNATURES;
    return Math.min(2 * size + SPARE_SIGNATURES, PAGE_SIGNATURES);
  }
}

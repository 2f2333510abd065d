import type { Address } from '#core/base/encoding/address.ts';
import { type Slot, toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { LedgerReader, SignaturesQuery } from '#server/chain/source/ledger-reader.ts';

export type FakeTransaction = {
  readonly signature: string;
  readonly slot: bigint;
  readonly at: bigint;
  readonly failed?: boolean;
  readonly mentions: readonly Address[];
  /** What `getTransaction` answers. */
  readonly response: unknown;
};

type Request = keyof LedgerReader;

/** The far side of the port: transactions as a test has them, in blocks in the order that they were added. */
export class FakeLedger implements LedgerReader {
  readonly requests: Request[] = [];
  /** Signatures that were asked for. */
  readonly fetched: string[] = [];
  all: FakeTransaction[] = [];
  /** Signatures that are in their blocks and not in lists yet. */
  unlisted: ReadonlySet<string> = new Set();
  finalized = 0n;
  /** Whether blocks can be asked for. */
  hasBlocks = true;
  /** Throws what a request is to fail with. */
  failing: (request: Request) => void = () => undefined;

  add(...transactions: readonly FakeTransaction[]): void {
    this.all.push(...transactions);
  }

  async listSignatures({ address, before, until, limit }: SignaturesQuery) {
    this.#note('listSignatures');
    const newest = this.all.toSorted((a, b) => Number(a.slot - b.slot)).toReversed();
    const start = before === undefined ? 0 : newest.findIndex(isOf(before)) + 1;
    if (before !== undefined && start === 0) return [];
    const end = until === undefined ? -1 : newest.findIndex(isOf(until));
    return newest
      .slice(start, end < 0 ? undefined : end)
      .filter(({ mentions, signature }) => {
        return mentions.includes(address) && !this.unlisted.has(signature);
      })
      .slice(0, limit)
      .map(({ signature, slot, at, failed = false }) => {
        return { signature, slot: toSlot(slot), at: toUnixSeconds(at), failed };
      });
  }

  async getTransactions(signatures: readonly string[]) {
    this.#note('getTransactions');
    this.fetched.push(...signatures);
    return signatures.map((signature) => this.all.find(isOf(signature))?.response);
  }

  async getBlockSignatures(slot: Slot) {
    this.#note('getBlockSignatures');
    if (!this.hasBlocks) return undefined;
    return this.all.filter((each) => each.slot === slot).map(({ signature }) => signature);
  }

  async getFinalizedSlot() {
    this.#note('getFinalizedSlot');
    return toSlot(this.finalized);
  }

  #note(request: Request): void {
    this.requests.push(request);
    this.failing(request);
  }
}

const isOf =
  (signature: string) =>
  (transaction: FakeTransaction): boolean =>
    transaction.signature === signature;

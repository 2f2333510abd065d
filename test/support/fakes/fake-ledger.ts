import type { Address } from '#core/base/encoding/address.ts';
import type { StatusQuery, TransactionStatus } from '#core/base/solana/transaction-status.ts';
import { type Slot, toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { LedgerReader, SignaturesQuery } from '#server/chain/source/ledger-reader.ts';

export type FakeTransaction = {
  readonly signature: string;
  readonly slot: bigint;
  readonly at: bigint;
  readonly failed?: boolean;
  readonly mentions: readonly Address[];
  /** The response of `getTransaction`. */
  readonly response: unknown;
};

type Request = keyof LedgerReader;

/** A ledger with the transactions of a test, in blocks in the order added. */
export class FakeLedger implements LedgerReader {
  readonly requests: Request[] = [];
  /** Requested signatures. */
  readonly fetched: string[] = [];
  transactions: FakeTransaction[] = [];
  /** Signatures that are in blocks but not yet listed. */
  unlisted: ReadonlySet<string> = new Set();
  finalized = 0n;
  /** The oldest block that is not purged. */
  firstAvailable = 1n;
  slotsPerEpoch = 432_000n;
  /** Slots without a block. */
  skipped: ReadonlySet<bigint> = new Set();
  blockTimeOf: (slot: bigint) => bigint | undefined = (slot) => 1_000n + slot;
  /** Whether blocks can be requested. */
  hasBlocks = true;
  /** Whether the node knows the times of blocks. */
  hasBlockTimes = true;
  /** Throws to fail a request. */
  onRequest: (request: Request) => void = () => undefined;

  add(...transactions: readonly FakeTransaction[]): void {
    this.transactions.push(...transactions);
  }

  async listSignatures({ address, before, until, limit }: SignaturesQuery) {
    this.#recordRequest('listSignatures');
    const newest = this.transactions.toSorted((a, b) => Number(a.slot - b.slot)).toReversed();
    const start = before === undefined ? 0 : newest.findIndex(hasSignature(before)) + 1;
    if (before !== undefined && start === 0) return [];
    const end = until === undefined ? -1 : newest.findIndex(hasSignature(until));
    return newest
      .slice(start, end < 0 ? undefined : end)
      .filter(({ mentions, signature }) => {
        return mentions.includes(address) && !this.unlisted.has(signature);
      })
      .slice(0, limit)
      .map(({ signature, slot, at, failed = false }) => {
        return {
          signature,
          slot: toSlot(slot),
          at: this.hasBlockTimes ? toUnixSeconds(at) : undefined,
          failed,
        };
      });
  }

  async getTransactions(signatures: readonly string[]) {
    this.#recordRequest('getTransactions');
    this.fetched.push(...signatures);
    return signatures.map((signature) => {
      const response = this.transactions.find(hasSignature(signature))?.response;
      if (response === undefined || this.hasBlockTimes) return response;
      return { ...Object(response), blockTime: null };
    });
  }

  async getTransactionStatus({ signature }: StatusQuery): Promise<TransactionStatus> {
    this.#recordRequest('getTransactionStatus');
    const found = this.transactions.find(hasSignature(signature));
    const slot = toSlot(this.transactions.reduce((newest, each) => max(newest, each.slot), 0n));
    const status = found && {
      slot: toSlot(found.slot),
      confirmation: found.slot <= this.finalized ? ('finalized' as const) : ('confirmed' as const),
      error: found.failed === true ? 'AccountInUse' : null,
    };
    return { slot, blockHeight: slot, found: status, isExpired: false };
  }

  async getBlockSignatures(slot: Slot) {
    this.#recordRequest('getBlockSignatures');
    if (!this.hasBlocks) return undefined;
    return this.transactions
      .filter((transaction) => transaction.slot === slot)
      .map(({ signature }) => signature);
  }

  async getBlockTransactions(slot: Slot) {
    this.#recordRequest('getBlockTransactions');
    if (!this.hasBlocks) return undefined;
    return this.transactions
      .filter((transaction) => transaction.slot === slot)
      .map(({ response }) => response);
  }

  async getFirstAvailableSlot() {
    this.#recordRequest('getFirstAvailableSlot');
    return toSlot(this.firstAvailable);
  }

  async getEpochSchedule() {
    this.#recordRequest('getEpochSchedule');
    return { slotsPerEpoch: this.slotsPerEpoch, firstNormalEpoch: 0n, firstNormalSlot: 0n };
  }

  async listBlocks(first: Slot, last: Slot) {
    this.#recordRequest('listBlocks');
    const slots = Array.from({ length: Number(last - first) + 1 }, (_, i) => first + BigInt(i));
    return slots
      .filter((slot) => slot >= this.firstAvailable && !this.skipped.has(slot))
      .map(toSlot);
  }

  async getBlockTime(slot: Slot) {
    this.#recordRequest('getBlockTime');
    const at = this.blockTimeOf(slot);
    return at === undefined ? undefined : toUnixSeconds(at);
  }

  async getFinalizedSlot() {
    this.#recordRequest('getFinalizedSlot');
    return toSlot(this.finalized);
  }

  #recordRequest(request: Request): void {
    this.requests.push(request);
    this.onRequest(request);
  }
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const hasSignature =
  (signature: string) =>
  (transaction: FakeTransaction): boolean =>
    transaction.signature === signature;

import { type Address, type Slot, toLamports, toSlot } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { systemTransfer } from '@tidegate/core/protocol/spl/instructions';
import {
  EMPTY_SIGNATURE,
  encodeWireTransaction,
  type Message,
} from '@tidegate/core/protocol/spl/transaction';
import { deriveSecretKey } from '../genesis/seed/seeded-keys.ts';
import type { Bank } from '../runtime/bank.ts';
import { blockhashOf, MAX_BLOCKHASH_AGE } from '../runtime/blockhash.ts';
import { createSigner, type Signer, signTransaction } from '../runtime/signer.ts';
import { receiveTransaction } from '../runtime/transactions/received-transaction.ts';
import type { TransactionPipeline } from '../runtime/transactions/transaction-pipeline.ts';

/** Balance before each airdrop: more than can be requested in a slot. */
const FULL_BALANCE = 5n * 10n ** 17n;
const NO_DATA = new Uint8Array();

export type FaucetOptions = {
  readonly bank: Bank;
  readonly transactions: TransactionPipeline;
  readonly seed: string;
};

export type AirdropRequest = {
  readonly to: Address;
  readonly lamports: bigint;
  /** Defaults to a recent blockhash. */
  readonly blockhash?: string;
};

export type SavedAirdrops = ReadonlyMap<Slot, readonly string[]>;

/** A wallet that pays airdrops. The bank refills it. */
export class Faucet {
  readonly #options: FaucetOptions;
  readonly #signer: Signer;
  /** Airdrops by the slot of their blockhash. */
  readonly #airdrops = new Map<Slot, Set<string>>();

  constructor(options: FaucetOptions) {
    this.#options = options;
    this.#signer = createSigner(deriveSecretKey(options.seed, 'faucet'));
  }

  /** The airdrops so far, by the slot of their blockhash. */
  save(): SavedAirdrops {
    return new Map(Array.from(this.#airdrops, ([slot, keys]) => [slot, [...keys]] as const));
  }

  restore(saved: SavedAirdrops): void {
    this.#airdrops.clear();
    for (const [slot, keys] of saved) this.#airdrops.set(slot, new Set(keys));
  }

  get address(): Address {
    return this.#signer.address;
  }

  /** Submits the transfer for the next slot and returns its signature. */
  airdrop({
    to,
    lamports,
    blockhash = this.#unusedBlockhash(`${to} ${lamports}`),
  }: AirdropRequest): string {
    const { bank, transactions } = this.#options;
    bank.setAccount(this.address, { owner: SYSTEM_PROGRAM, lamports: FULL_BALANCE, data: NO_DATA });
    const message = this.#message({ to, lamports, blockhash });
    const wire = encodeWireTransaction({ signatures: [EMPTY_SIGNATURE], message });
    const received = receiveTransaction(signTransaction(wire, [this.#signer]));
    transactions.submit(received);
    return received.signature;
  }

  /** A legacy message, as nodes create it, so that every client can read it. */
  #message({ to, lamports, blockhash }: Required<AirdropRequest>): Message {
    const from = this.address;
    const staticKeys = [...new Set([from, to, SYSTEM_PROGRAM])];
    const { data } = systemTransfer.build(SYSTEM_PROGRAM, {
      accounts: { from, to },
      args: { lamports: toLamports(lamports) },
    });
    const accountIndexes = [from, to].map((key) => staticKeys.indexOf(key));
    const programIndex = staticKeys.indexOf(SYSTEM_PROGRAM);
    return {
      version: 'legacy',
      header: {
        numRequiredSignatures: 1,
        numReadonlySignedAccounts: 0,
        numReadonlyUnsignedAccounts: 1,
      },
      staticKeys,
      recentBlockhash: blockhash,
      instructions: [{ programIndex, accountIndexes, data }],
      lookups: [],
    };
  }

  /**
   * Equal airdrops with the same blockhash would be the same transaction, so each uses another
   * blockhash.
   */
  #unusedBlockhash(airdropKey: string): string {
    const { bank, seed } = this.#options;
    for (const slot of this.#airdrops.keys()) {
      if (slot <= bank.slot - MAX_BLOCKHASH_AGE) this.#airdrops.delete(slot);
    }
    let slot = bank.slot;
    while (this.#airdrops.get(slot)?.has(airdropKey) && slot > bank.slot - MAX_BLOCKHASH_AGE + 1n) {
      slot = toSlot(slot - 1n);
    }
    this.#airdrops.set(slot, (this.#airdrops.get(slot) ?? new Set()).add(airdropKey));
    return blockhashOf(seed, slot);
  }
}

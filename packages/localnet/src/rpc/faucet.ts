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

/** Lamports that it has before it gives: more than anyone can ask for in a slot. */
const FULL = 5n * 10n ** 17n;
const EMPTY = new Uint8Array();

export type FaucetOptions = {
  readonly bank: Bank;
  readonly transactions: TransactionPipeline;
  readonly seed: string;
};

export type AirdropRequest = {
  readonly to: Address;
  readonly lamports: bigint;
  /** A recent one unless told otherwise. */
  readonly blockhash?: string;
};

/** A wallet of the cluster that gives SOL to whoever asks, and is filled up by the bank. */
export class Faucet {
  readonly #facts: FaucetOptions;
  readonly #signer: Signer;
  /** What it has given, by the slot of the blockhash that was used. */
  readonly #given = new Map<Slot, Set<string>>();

  constructor(facts: FaucetOptions) {
    this.#facts = facts;
    this.#signer = createSigner(deriveSecretKey(facts.seed, 'faucet'));
  }

  get address(): Address {
    return this.#signer.address;
  }

  /** To be run in the next slot; the signature by which it can be followed. */
  airdrop({
    to,
    lamports,
    blockhash = this.#freshBlockhash(`${to} ${lamports}`),
  }: AirdropRequest): string {
    const { bank, transactions } = this.#facts;
    bank.setAccount(this.address, { owner: SYSTEM_PROGRAM, lamports: FULL, data: EMPTY });
    const message = this.#message({ to, lamports, blockhash });
    const wire = encodeWireTransaction({ signatures: [EMPTY_SIGNATURE], message });
    const received = receiveTransaction(signTransaction(wire, [this.#signer]));
    transactions.submit(received);
    return received.signature;
  }

  /** As nodes make it: without a version, so that everyone can read it. */
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

  /** Two gifts that are alike would be the same transaction: each takes a blockhash that the others have not. */
  #freshBlockhash(gift: string): string {
    const { bank, seed } = this.#facts;
    for (const slot of this.#given.keys()) {
      if (slot <= bank.slot - MAX_BLOCKHASH_AGE) this.#given.delete(slot);
    }
    let slot = bank.slot;
    while (this.#given.get(slot)?.has(gift) && slot > bank.slot - MAX_BLOCKHASH_AGE + 1n) {
      slot = toSlot(slot - 1n);
    }
    this.#given.set(slot, (this.#given.get(slot) ?? new Set()).add(gift));
    return blockhashOf(seed, slot);
  }
}

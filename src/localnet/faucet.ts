import type { Address } from '../base/address.ts';
import { toLamports } from '../base/lamports.ts';
import { type Slot, toSlot } from '../base/time.ts';
import { systemTransfer } from '../protocol/spl/instructions/system-transfer.ts';
import { SYSTEM_PROGRAM } from '../protocol/spl/programs.ts';
import type { Message } from '../protocol/spl/transaction/message.ts';
import { encodeWireTransaction, UNSIGNED } from '../protocol/spl/transaction/wire.ts';
import type { Bank } from './bank.ts';
import { BLOCKHASH_LIFE, blockhashOf } from './blockhash.ts';
import { secretKey } from './genesis/keys.ts';
import { createSigner, type Signer, signWire } from './signer.ts';
import { receiveTransaction } from './transactions/received-transaction.ts';
import type { Transactions } from './transactions/transactions.ts';

/** Lamports that it has before it gives: more than anyone can ask for in a slot. */
const FULL = 5n * 10n ** 17n;
const EMPTY = new Uint8Array();

export type FaucetFacts = {
  readonly bank: Bank;
  readonly transactions: Transactions;
  readonly seed: string;
};

export type Gift = {
  readonly to: Address;
  readonly lamports: bigint;
  /** A recent one unless told otherwise. */
  readonly blockhash?: string;
};

/** A wallet of the cluster that gives SOL to whoever asks, and is filled up by the bank. */
export class Faucet {
  readonly #facts: FaucetFacts;
  readonly #signer: Signer;
  /** What it has given, by the slot of the blockhash that was used. */
  readonly #given = new Map<Slot, Set<string>>();

  constructor(facts: FaucetFacts) {
    this.#facts = facts;
    this.#signer = createSigner(secretKey(facts.seed, 'faucet'));
  }

  get address(): Address {
    return this.#signer.address;
  }

  /** To be run in the next slot; the signature by which it can be followed. */
  give({ to, lamports, blockhash = this.#freshBlockhash(`${to} ${lamports}`) }: Gift): string {
    const { bank, transactions } = this.#facts;
    bank.setAccount(this.address, { owner: SYSTEM_PROGRAM, lamports: FULL, data: EMPTY });
    const message = this.#message({ to, lamports, blockhash });
    const wire = encodeWireTransaction({ signatures: [UNSIGNED], message });
    const received = receiveTransaction(signWire(wire, [this.#signer]));
    transactions.submit(received);
    return received.signature;
  }

  /** As nodes make it: without a version, so that everyone can read it. */
  #message({ to, lamports, blockhash }: Required<Gift>): Message {
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
      if (slot <= bank.slot - BLOCKHASH_LIFE) this.#given.delete(slot);
    }
    let slot = bank.slot;
    while (this.#given.get(slot)?.has(gift) && slot > bank.slot - BLOCKHASH_LIFE + 1n) {
      slot = toSlot(slot - 1n);
    }
    this.#given.set(slot, (this.#given.get(slot) ?? new Set()).add(gift));
    return blockhashOf(seed, slot);
  }
}

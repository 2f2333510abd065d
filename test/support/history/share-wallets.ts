import type { Address } from '#core/base/encoding/address.ts';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { tokenTransfer, transferChecked } from '#core/protocol/spl/instructions/token-transfer.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { FakeTransaction } from '../fakes/fake-ledger.ts';
import { tokenHolding } from '../localnet/run-native.ts';
import { numberedAddress } from '../protocol/codecs.ts';

export type ShareTransfer = {
  readonly transaction: FakeTransaction;
  readonly amount: bigint;
  readonly accounts: readonly (readonly [Address, ClusterAccount])[];
};

type Parties = { readonly from: Address; readonly to: Address };
type SentTransfer = Parties & {
  readonly slot: bigint;
  readonly amount: bigint;
  /** Whether the instruction names the mint. */
  readonly isChecked: boolean;
};

const DECIMALS = 6;

/** Wallets with shares of a mint, which send them to each other without calling a program of the lending protocol. */
export class ShareWallets {
  readonly #mint: Address;
  readonly #balances = new Map<Address, bigint>();
  #transfers = 0;

  constructor(mint: Address, wallets: number) {
    this.#mint = mint;
    for (let i = 0; i < wallets; i++) this.#balances.set(numberedAddress(7_000 + i), 1_000n);
  }

  get addresses(): readonly Address[] {
    return [...this.#balances.keys()];
  }

  accounts(): readonly (readonly [Address, ClusterAccount])[] {
    return this.addresses.map((wallet) => this.#account(wallet));
  }

  send({ from, to, slot, amount, isChecked }: SentTransfer): ShareTransfer {
    const before = this.#tokenBalances([from, to]);
    this.#add(from, -amount);
    this.#add(to, amount);
    this.#transfers += 1;
    const bytes = new Uint8Array(64).fill(3);
    new DataView(bytes.buffer).setUint32(0, this.#transfers);
    const signature = encodeBase58(bytes);
    const [source, destination] = [this.#holding(from), this.#holding(to)];
    const keys = [from, source, destination, this.#mint, TOKEN_PROGRAM];
    const instruction = isChecked
      ? transferChecked.build(TOKEN_PROGRAM, {
          accounts: { source, mint: this.#mint, destination, authority: from },
          args: { amount, decimals: DECIMALS },
        })
      : tokenTransfer.build(TOKEN_PROGRAM, {
          accounts: { source, destination, authority: from },
          args: { amount },
        });
    const meta = {
      err: null,
      fee: 5_000,
      innerInstructions: [],
      logMessages: [],
      preTokenBalances: before,
      postTokenBalances: this.#tokenBalances([from, to]),
    };
    const message = {
      header: {
        numRequiredSignatures: 1,
        numReadonlySignedAccounts: 0,
        numReadonlyUnsignedAccounts: 2,
      },
      accountKeys: keys,
      recentBlockhash: this.#mint,
      instructions: [
        {
          programIdIndex: keys.length - 1,
          accounts: instruction.accounts.map(({ address }) => keys.indexOf(address)),
          data: encodeBase58(instruction.data),
        },
      ],
    };
    const response = {
      slot: Number(slot),
      blockTime: Number(slot),
      meta,
      transaction: { signatures: [signature], message },
    };
    const mentions = isChecked ? keys : keys.filter((key) => key !== this.#mint);
    return {
      transaction: { signature, slot, at: slot, mentions, response },
      amount,
      accounts: [from, to].map((wallet) => this.#account(wallet)),
    };
  }

  #add(wallet: Address, amount: bigint): void {
    this.#balances.set(wallet, (this.#balances.get(wallet) ?? 0n) + amount);
  }

  #holding(wallet: Address): Address {
    return associatedTokenAddress(wallet, this.#mint, TOKEN_PROGRAM);
  }

  #account(owner: Address): readonly [Address, ClusterAccount] {
    const amount = toLamports(this.#balances.get(owner) ?? 0n);
    return [this.#holding(owner), tokenHolding({ mint: this.#mint, owner, amount })];
  }

  /** Of the sender, whose account is the second key, and of the receiver. */
  #tokenBalances(wallets: readonly Address[]) {
    return wallets.map((owner, index) => ({
      accountIndex: index + 1,
      mint: this.#mint,
      owner,
      programId: TOKEN_PROGRAM,
      uiTokenAmount: { amount: String(this.#balances.get(owner) ?? 0n), decimals: DECIMALS },
    }));
  }
}

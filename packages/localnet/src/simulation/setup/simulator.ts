import {
  type Address,
  type ChainTime,
  CLOCK_SYSVAR,
  type ClusterAccount,
  CodedError,
  type Instruction,
  type Slot,
  toSlot,
} from '@tidegate/core/base';
import {
  type Build,
  type BuildContext,
  type Builder,
  compileTransaction,
  type LookupTable,
  type WalletAccount,
} from '@tidegate/core/builders';
import type { ClusterState } from '@tidegate/core/state';
import type { LocalCluster } from '../../cluster/cluster.ts';
import type { ClusterMetadata } from '../../genesis/cluster-metadata.ts';
import type { Bank } from '../../runtime/bank.ts';
import { blockhashOf } from '../../runtime/blockhash.ts';
import { clockAccount } from '../../runtime/clock-account.ts';
import { type Signer, signTransaction } from '../../runtime/signer.ts';
import { receiveTransaction } from '../../runtime/transactions/received-transaction.ts';
import type { TransactionPipeline } from '../../runtime/transactions/transaction-pipeline.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';

export type SimulatorOptions = {
  readonly cluster: LocalCluster;
  /** Kept in step with the bank; what builders read. */
  readonly state: ClusterState;
  readonly facts: Pick<ClusterMetadata, 'markets'>;
  /** Whether others write into the slot, too, and somebody else ends it: that everybody acts in the open one. */
  readonly isLive?: boolean;
};

/** What somebody signs: instructions, and who else must. The first signer pays. */
export type TransactionRequest = {
  readonly instructions: readonly Instruction[];
  readonly tables?: readonly LookupTable[];
  readonly signers: readonly [Signer, ...Signer[]];
};

/** Plays people who act on the cluster, one transaction after the other, each in a slot of its own unless it is live. */
export class Simulator {
  readonly bank: Bank;
  readonly state: ClusterState;
  readonly #transactions: TransactionPipeline;
  readonly #seed: string;
  readonly #tables: ReadonlyMap<Address, Address>;
  readonly #isLive: boolean;

  constructor({ cluster, state, facts, isLive = false }: SimulatorOptions) {
    this.bank = cluster.bank;
    this.state = state;
    this.#transactions = cluster.transactions;
    this.#seed = cluster.seed;
    this.#tables = new Map(facts.markets.map(({ address, lookupTable }) => [address, lookupTable]));
    this.#isLive = isLive;
  }

  /** Of the slot in which the next one acts. */
  get time(): ChainTime {
    return this.bank.timeOf(toSlot(this.bank.slot + 1n));
  }

  accountOf(address: Address): ClusterAccount {
    const account = this.bank.account(address);
    if (account !== undefined) return account;
    throw new CodedError('NOT_FOUND', { what: 'Account', address });
  }

  /** Nothing happens until that slot; the next one acts in the one after it. */
  waitUntil(slot: Slot): void {
    if (slot > this.bank.slot) this.#close(slot);
  }

  /** What a builder makes of a wish, by the accounts as they are. Refused as it refuses. */
  build<Request extends { readonly wallet: Address; readonly market?: Address | undefined }>(
    builder: Builder<Request>,
    request: Request,
  ): Build {
    const accounts = new Map<Address, WalletAccount | undefined>();
    const { state } = this;
    const marketTable = request.market && this.#tables.get(request.market);
    const scene: BuildContext = { state, accounts, marketTable };
    for (;;) {
      const needs = builder.needs(request, scene);
      if (needs.length === 0) return builder.build(request, scene);
      for (const address of needs) accounts.set(address, this.bank.account(address));
    }
  }

  /** Signed, sent and run. What the cluster does not even take is a mistake of the one who wrote the act. */
  act({ instructions, tables = [], signers }: TransactionRequest): TransactionRecord {
    const wallet = signers[0].address;
    const blockhash = blockhashOf(this.#seed, this.bank.slot);
    const { wire } = compileTransaction({ wallet, instructions, tables }, blockhash);
    const processed = this.#transactions.run(
      receiveTransaction(signTransaction(wire, signers)),
      this.time,
    );
    if (processed.kind === 'refused') {
      const reason = JSON.stringify(processed.error);
      throw new CodedError('MALFORMED_DATA', { what: 'act', reason });
    }
    const { slot } = this.time;
    for (const [address, account] of processed.changes)
      this.state.apply({ address, account, slot });
    if (!this.#isLive) this.#close(slot);
    return processed.record;
  }

  /** A change that nobody signs, such as what an oracle reports. */
  write(address: Address, account: WalletAccount): void {
    this.bank.setAccount(address, account);
    this.state.apply({ address, account, slot: this.time.slot });
  }

  #close(slot: Slot): void {
    const time = this.bank.timeOf(slot);
    this.bank.setAccount(CLOCK_SYSVAR, clockAccount(time));
    this.bank.close(slot);
    this.state.setAt(time);
  }
}

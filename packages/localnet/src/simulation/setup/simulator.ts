import {
  type Address,
  type ChainTime,
  CLOCK_SYSVAR,
  type ClusterAccount,
  encodeBase58,
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
import type { ProgramRules, RulesAt } from '@tidegate/core/protocol/releases';
import { SIGNATURE_BYTES } from '@tidegate/core/protocol/spl/transaction';
import type { ClusterState } from '@tidegate/core/state';
import type { LocalCluster } from '../../cluster/cluster.ts';
import { CodedError } from '../../errors/index.ts';
import type { ClusterMetadata } from '../../genesis/cluster-metadata.ts';
import type { Bank } from '../../runtime/bank.ts';
import { blockhashOf } from '../../runtime/blockhash.ts';
import { clockAccount } from '../../runtime/clock-account.ts';
import { type Signer, signTransaction } from '../../runtime/signer.ts';
import {
  type ReceivedTransaction,
  receiveTransaction,
} from '../../runtime/transactions/received-transaction.ts';
import type { TransactionPipeline } from '../../runtime/transactions/transaction-pipeline.ts';
import type { TransactionRecord } from '../../runtime/transactions/transaction-record.ts';

export type SimulatorOptions = {
  readonly cluster: LocalCluster;
  /** Updated with the bank; builders read it. */
  readonly state: ClusterState;
  readonly metadata: Pick<ClusterMetadata, 'markets'>;
  /**
   * Live: other writers share the open slot, and somebody else closes it. All actions go into the
   * open slot.
   */
  readonly isLive?: boolean;
};

/** The signatures are the simulator's own, so it checks only that none is missing: to verify them takes 5 % of the time. */
const CHECKS = { signatures: false, blockhash: true };
const NO_SIGNATURE = encodeBase58(new Uint8Array(SIGNATURE_BYTES));

function requireSignatures(received: ReceivedTransaction): ReceivedTransaction {
  if (!received.signatures.includes(NO_SIGNATURE)) return received;
  const reason = 'a signature is missing';
  throw new CodedError('MALFORMED_DATA', { what: 'simulated transaction', reason });
}

/** Instructions and their signers. The first signer pays. */
export type TransactionRequest = {
  readonly instructions: readonly Instruction[];
  readonly lookupTables?: readonly LookupTable[];
  readonly signers: readonly [Signer, ...Signer[]];
};

/**
 * Executes actions of simulated users, one transaction at a time. Unless live, each transaction
 * gets its own slot.
 */
export class Simulator {
  readonly bank: Bank;
  readonly state: ClusterState;
  readonly rulesAt: RulesAt;
  readonly #transactions: TransactionPipeline;
  readonly #seed: string;
  readonly #tables: ReadonlyMap<Address, Address>;
  readonly #isLive: boolean;

  constructor({ cluster, state, metadata, isLive = false }: SimulatorOptions) {
    this.bank = cluster.bank;
    this.state = state;
    this.rulesAt = cluster.rulesAt;
    this.#transactions = cluster.transactions;
    this.#seed = cluster.seed;
    this.#tables = new Map(
      metadata.markets.map(({ address, lookupTable }) => [address, lookupTable]),
    );
    this.#isLive = isLive;
  }

  /** Time of the next transaction's slot. */
  get time(): ChainTime {
    return this.bank.timeOf(toSlot(this.bank.slot + 1n));
  }

  /** The rules of the next transaction's slot. */
  get rules(): ProgramRules {
    return this.rulesAt(this.time.slot);
  }

  requireAccount(address: Address): ClusterAccount {
    const account = this.bank.account(address);
    if (account !== undefined) return account;
    throw new CodedError('NOT_FOUND', { what: 'Account', address });
  }

  /** Advances to the slot without transactions. */
  advanceTo(slot: Slot): void {
    if (slot > this.bank.slot) this.#close(slot);
  }

  /** Builds a transaction from the current accounts. Throws as the builder does. */
  build<Request extends { readonly wallet: Address; readonly market?: Address | undefined }>(
    builder: Builder<Request>,
    request: Request,
  ): Build {
    const accounts = new Map<Address, WalletAccount | undefined>();
    const { state } = this;
    const marketLookupTable = request.market && this.#tables.get(request.market);
    const context: BuildContext = { state, accounts, marketLookupTable };
    for (;;) {
      const missing = builder.requiredAccounts(request, context);
      if (missing.length === 0) return builder.build(request, context);
      for (const address of missing) accounts.set(address, this.bank.account(address));
    }
  }

  /**
   * Signs and executes. Throws if the cluster rejects the transaction, which means that the action
   * is wrong.
   */
  execute({ instructions, lookupTables = [], signers }: TransactionRequest): TransactionRecord {
    const wallet = signers[0].address;
    const blockhash = blockhashOf(this.#seed, this.bank.slot);
    const { wire } = compileTransaction({ wallet, instructions, lookupTables }, blockhash);
    const result = this.#transactions.execute(
      requireSignatures(receiveTransaction(signTransaction(wire, signers))),
      this.time,
      CHECKS,
    );
    if (result.kind === 'rejected') {
      const reason = JSON.stringify(result.error);
      throw new CodedError('MALFORMED_DATA', { what: 'simulated transaction', reason });
    }
    const { slot } = this.time;
    for (const [address, account] of result.changes) this.state.apply({ address, account, slot });
    if (!this.#isLive) this.#close(slot);
    return result.record;
  }

  /** An unsigned change, such as an oracle update. */
  setAccount(address: Address, account: WalletAccount): void {
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

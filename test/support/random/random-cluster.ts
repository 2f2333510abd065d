import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { CLOCK_SYSVAR } from '#core/base/solana/clock-sysvar.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { toSlot } from '#core/base/time.ts';
import type { Build, BuildContext, Builder } from '#core/builders/build.ts';
import { compileTransaction, requireTransactionSize } from '#core/builders/compile-transaction.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { Keepers } from '#localnet/cluster/keepers.ts';
import type { Genesis } from '#localnet/genesis/genesis.ts';
import { airdropToken, type TokenAirdrop } from '#localnet/rpc/airdrop-token.ts';
import { Bank, type BankView } from '#localnet/runtime/bank.ts';
import { blockhashOf } from '#localnet/runtime/blockhash.ts';
import { clockAccount } from '#localnet/runtime/clock-account.ts';
import { type Signer, signTransaction } from '#localnet/runtime/signer.ts';
import type { Executor } from '#localnet/runtime/transactions/executor.ts';
import {
  type ReceivedTransaction,
  receiveTransaction,
} from '#localnet/runtime/transactions/received-transaction.ts';
import { TransactionPipeline } from '#localnet/runtime/transactions/transaction-pipeline.ts';
import type { ProcessingResult } from '#localnet/runtime/transactions/transaction-processor.ts';
import { type BuildInputs, loadExampleContext } from '../builders/load-build-context.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { AccountIndex } from '../invariants/account-index.ts';
import { SIMULATION_END } from '../localnet/simulated-genesis.ts';
import type { BankObserver } from '../replay/bank-observer.ts';

export type RandomClusterOptions = {
  readonly genesis: Pick<Genesis, 'accounts' | 'metadata'>;
  readonly executor: Executor;
  readonly seed: string;
  /** Sees each transaction and each closed slot. */
  readonly observer?: BankObserver;
};

export type TransactionPlan = Pick<Build, 'wallet' | 'instructions' | 'lookupTables'>;

/** A cluster with the state that an API would have: that of the last closed slot. */
export class RandomCluster {
  readonly genesis: Pick<Genesis, 'accounts' | 'metadata'>;
  readonly state = new ClusterState({ log: silentLog });
  readonly bank: Bank;
  /** Covers all closed slots, and the changes of the open slot passed to `updateIndex`. */
  readonly accountIndex: AccountIndex;
  readonly #transactions: TransactionPipeline;
  readonly #keepers: Keepers;
  readonly #seed: string;
  readonly #shareMints: ReadonlySet<Address>;
  readonly #observer: BankObserver | undefined;

  constructor({ genesis, executor, seed, observer }: RandomClusterOptions) {
    const origin = SIMULATION_END;
    const accounts = new Map(genesis.accounts).set(CLOCK_SYSVAR, clockAccount(origin));
    this.genesis = genesis;
    this.#observer = observer;
    observer?.begin(accounts);
    this.bank = new Bank({ accounts, origin });
    this.accountIndex = new AccountIndex(accounts);
    this.#transactions = new TransactionPipeline({ bank: this.bank, executor, seed });
    this.#keepers = new Keepers({
      bank: this.bank,
      seed,
      rulesAt: executor.rulesAt,
      log: silentLog,
    });
    this.#seed = seed;
    this.#shareMints = new Set(
      [...this.accountIndex.vault.values()].map(({ sharesMint }) => sharesMint),
    );
    for (const [address, account] of accounts) this.#updateState(address, account);
    // they sign everything
    for (const { fields } of this.state.vaults()) {
      const { permissioningAuthority: authority } = fields;
      if (authority !== ZERO_ADDRESS) this.#transactions.impersonate(authority, true);
    }
    this.state.setAt(origin);
  }

  /** Loads the accounts of the last closed slot that the builder needs. */
  buildContext<Request extends object>(builder: Builder<Request>, request: Request): BuildContext {
    return loadExampleContext(builder, request, this.#buildInputs(marketOf(request))).context;
  }

  /** Compiles and signs. Rejects an oversized transaction like the API. */
  sign(build: TransactionPlan, signer: Signer): ReceivedTransaction {
    const transaction = compileTransaction(build, blockhashOf(this.#seed, this.bank.slot));
    requireTransactionSize(transaction);
    return receiveTransaction(signTransaction(transaction.wire, [signer]));
  }

  /** Simulates on the accounts and at the time that builders see. */
  simulate(transaction: ReceivedTransaction): ProcessingResult {
    const view = this.bank.view(this.bank.slot);
    return this.#transactions.simulate(transaction, view, { signatures: false, blockhash: true });
  }

  /** Executes in the open slot without checks of signature and blockhash, and keeps nothing. */
  execute(transaction: ReceivedTransaction): ProcessingResult {
    const { bank } = this;
    const view: BankView = {
      time: bank.timeOf(toSlot(bank.slot + 1n)),
      account: (address) => bank.account(address),
      accountsOf: () => [],
      writtenSince: () => undefined,
    };
    return this.#transactions.simulate(transaction, view, { signatures: false, blockhash: false });
  }

  /** Executes in the open slot. Does not update `accountIndex`; call `updateIndex`. */
  run(transaction: ReceivedTransaction): ProcessingResult {
    const time = this.bank.timeOf(toSlot(this.bank.slot + 1n));
    const result = this.#transactions.execute(transaction, time);
    if (result.kind === 'run') this.#observer?.executed(result.record);
    return result;
  }

  updateIndex(changes: ReadonlyMap<Address, ClusterAccount | undefined>): void {
    for (const [address, account] of changes) this.accountIndex.set(address, account);
  }

  fundWallet(airdrop: TokenAirdrop): void {
    airdropToken(this.bank, airdrop);
  }

  /** Sets the price of a reserve's token to a percentage of its current price. */
  movePrice(reserve: Address, percent: bigint): void {
    const { marketPriceSf } = this.state.reserve(reserve)?.fields.liquidity ?? {};
    if (marketPriceSf === undefined) return;
    const price = { numerator: marketPriceSf * percent, denominator: 100n << 60n };
    this.#keepers.prices.hold(reserve, price);
    this.#keepers.refreshSoon(reserve);
  }

  /** Advances the slots and runs the price and reserve keepers at the end. */
  advanceWithMaintenance(slots: bigint): void {
    this.#keepers.run(this.bank.timeOf(toSlot(this.bank.slot + slots)));
    this.advanceSlots(slots);
  }

  /** Closes the open slot, `slots` after the last one. */
  advanceSlots(slots = 1n): void {
    const last = this.bank.slot;
    const slot = toSlot(last + slots);
    const time = this.bank.timeOf(slot);
    this.bank.setAccount(CLOCK_SYSVAR, clockAccount(time));
    this.bank.close(slot);
    for (const { addresses } of this.bank.changesBetween(last, slot)) {
      for (const address of addresses) {
        const account = this.bank.account(address);
        this.accountIndex.set(address, account);
        this.#updateState(address, account);
      }
    }
    this.state.setAt(time);
    this.#observer?.closed(this.bank, last);
  }

  #buildInputs(market: unknown): BuildInputs {
    const { markets } = this.genesis.metadata;
    const view = this.bank.view(this.bank.slot);
    return {
      state: this.state,
      marketLookupTable: markets.find(({ address }) => address === market)?.lookupTable,
      accounts: { get: (address) => view.account(address) },
    };
  }

  /** Filters as the indexer does: of token accounts, only share accounts. */
  #updateState(address: Address, account: ClusterAccount | undefined): void {
    const isToken = account !== undefined && tokenAccount.matches(account);
    if (isToken && !this.#shareMints.has(this.accountIndex.token.get(address)?.mint ?? address))
      return;
    this.state.apply({ address, account, slot: this.bank.slot });
  }
}

const marketOf = (request: object): unknown => ('market' in request ? request.market : undefined);

import { deflateRawSync } from 'node:zlib';
import type { Address, ChainTime, RawAccount, UnixSeconds } from '@tidegate/core/base';
import type { StakePool } from '@tidegate/core/protocol/spl';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import { type ClusterState, identifyAccount } from '@tidegate/core/state';
import {
  extractHistoryEvents,
  type TransactionView,
  viewTransaction,
} from '@tidegate/core/views/transactions';
import type { ClusterStep, SlotChanges, StepTransaction } from '@tidegate/localnet';
import { ReserveConfigCache } from '../../history/rows/reserve-points.ts';
import type { StateInput, TransactionInput } from '../../history/schema/event-tables.ts';
import type { Resolution } from '../../history/schema/series-tables.ts';
import type { Batch } from '../../history/writing/batch.ts';
import { mergeBatches } from '../../history/writing/merge-batches.ts';
import type { Registry } from '../../registry/registry.ts';
import { decodeSignature, toEventRows } from '../events/event-rows.ts';
import { OwnerIndex } from '../events/owner-index.ts';
import { type PriceSample, RecentPriceCache } from '../prices/recent-price-cache.ts';
import { transactionPrices } from '../prices/transaction-prices.ts';
import { IssuedRewards } from '../sampling/sample-farm-rewards.ts';
import { type SamplerState, samplePoints } from '../sampling/sample-points.ts';
import { VaultTotalsAccumulator } from '../sampling/vault-totals.ts';
import { LoanIndex } from './loan-index.ts';
import { ShareLedger } from './share-ledger.ts';
import { decodeStakePoolOf } from './stake-pools.ts';

const FASTEST = { level: 1 };

/** State of a recorder, restored from stored rows after a restart. */
export type RecorderState = Pick<SamplerState, 'vaults' | 'rewards'> & {
  readonly loans: LoanIndex;
  readonly shares: ShareLedger;
};

export type HistoryRecorderOptions = {
  readonly state: ClusterState;
  readonly registry: Registry;
  /** Starts empty if omitted. */
  readonly resumeFrom?: RecorderState;
  /** With the same state. Creates its own if omitted. */
  readonly ownerIndex?: OwnerIndex;
  /** Called when the share balance of a token account changes. */
  readonly onShareBalance?: (account: Address) => void;
};

/** `isPartial`: existing accounts are missing from it and from those before. */
type RecordedStep = ClusterStep & { readonly isPartial?: boolean | undefined };

const emptyRecorderState = (state: ClusterState): RecorderState => ({
  vaults: new VaultTotalsAccumulator(),
  rewards: new IssuedRewards(),
  loans: new LoanIndex(),
  shares: new ShareLedger(state),
});

/** Turns cluster changes into rows: samples, position states and events. Does not write them. */
export class HistoryRecorder {
  readonly #state: ClusterState;
  readonly #registry: Registry;
  readonly #recorded: RecorderState;
  readonly #ownerIndex: OwnerIndex;
  readonly #onShareBalance: HistoryRecorderOptions['onShareBalance'];
  readonly #prices = new RecentPriceCache();
  readonly #reserveConfigs = new ReserveConfigCache();
  readonly #stakePools = new Map<Address, StakePool>();
  /** Mints by stake pool. */
  readonly #stakeMints: ReadonlyMap<Address, Address>;

  constructor(options: HistoryRecorderOptions) {
    const { state, registry, resumeFrom, ownerIndex, onShareBalance } = options;
    this.#state = state;
    this.#registry = registry;
    this.#recorded = resumeFrom ?? emptyRecorderState(state);
    this.#ownerIndex = ownerIndex ?? new OwnerIndex(state);
    this.#onShareBalance = onShareBalance;
    this.#stakeMints = new Map([...registry.stakePools].map(([mint, pool]) => [pool, mint]));
  }

  /** By token mint. */
  get stakePools(): ReadonlyMap<Address, StakePool> {
    return this.#stakePools;
  }

  /** Applies a step to state and records it, unless told otherwise with its raw transactions. */
  record(step: RecordedStep, { hasRaw } = { hasRaw: true }): Batch {
    const states = step.slots.map((slot) => this.#applySlot(slot, step.isPartial));
    this.#state.setAt(step.at);
    const events = step.transactions.map((transaction) => {
      const { rows, raw } = this.#eventsOf(transaction, step.at);
      return hasRaw ? { ...rows, ...raw() } : rows;
    });
    return mergeBatches([...states, ...events, this.sample(step.at, step.sample)]);
  }

  /** Drops the accounts that no row depends on. */
  pickRelevant(step: ClusterStep): ClusterStep {
    const slots = step.slots.map(({ at, accounts }) => ({
      at,
      accounts: accounts.filter(
        ({ address, account }) => this.#stakeMints.has(address) || this.#isStored(account),
      ),
    }));
    return { ...step, slots };
  }

  /** Takes the current version of an account; undefined after it was closed. */
  onAccount(address: Address, account: RawAccount | undefined): void {
    const { loans, shares } = this.#recorded;
    if (account === undefined) {
      const [ownerOfLoan, ownerOfStake] = [loans.remove(address), shares.remove(address)];
      if (ownerOfLoan !== undefined) this.#ownerIndex.addLoan(address, ownerOfLoan);
      if (ownerOfStake !== undefined) this.#ownerIndex.addStake(address, ownerOfStake);
      return;
    }
    const mint = this.#stakeMints.get(address);
    if (mint !== undefined) this.setStakePool(mint, account);
    const { kind } = identifyAccount(account);
    // hundreds of thousands of positions are added only when state no longer has them
    if (kind !== 'obligation' && kind !== 'farmUser') {
      this.#ownerIndex.addAccount(address, account);
    }
    if (kind === 'obligation') loans.update(address, account);
    else if (kind === 'shares' && shares.updateTokenAccount(address, account)) {
      this.#onShareBalance?.(address);
    } else if (kind === 'farmUser') shares.updateStake(address, account);
  }

  setStakePool(mint: Address, account: RawAccount): void {
    const pool = decodeStakePoolOf(mint, account);
    if (pool === undefined) this.#stakePools.delete(mint);
    else this.#stakePools.set(mint, pool);
  }

  /** Marks positions as closed that were not seen. Call it after all existing accounts were passed to `onAccount`. */
  removeUnseen(): void {
    this.#recorded.loans.removeUnseen();
    this.#recorded.shares.removeUnseen();
  }

  /** States of loans and stakes that changed since the last call. */
  drainPositions(at: ChainTime): Batch {
    const { loans, shares } = this.#recorded;
    return { obligationStates: loans.drainChanges(at), farmStakes: shares.drainStakes(at) };
  }

  /** Shares of wallets that changed since the last call. Call it when all accounts of the wallets are known. */
  drainHoldings(at: ChainTime): readonly StateInput<'vaultHolding'>[] {
    return this.#recorded.shares.drainHoldings(at);
  }

  /** Token accounts of a wallet with this mint of shares. */
  shareAccountsOf(wallet: Address, mint: Address): readonly Address[] {
    return this.#recorded.shares.accountsOf(wallet, mint);
  }

  /** Adds samples from before the first recorded step. */
  addPrices(samples: Iterable<PriceSample>): void {
    this.#prices.add(samples);
  }

  sample(at: ChainTime, resolution: Resolution | undefined): Batch {
    if (resolution === undefined) return {};
    const inputs = {
      reader: this.#state,
      registry: this.#registry,
      stakePools: this.#stakePools,
    };
    const samplerState = { ...this.#recorded, reserveConfigs: this.#reserveConfigs };
    const points = samplePoints(inputs, { resolution, at }, samplerState);
    this.#prices.add(points);
    return { points };
  }

  #applySlot({ at, accounts }: SlotChanges, isPartial = false): Batch {
    const { slot } = at;
    for (const { address, account } of vaultsFirst(accounts)) {
      if (this.#isStored(account)) this.#state.apply({ address, account, slot });
    }
    this.#state.setAt(at);
    // a step contains every changed account, so no share account is missing
    for (const { fields } of this.#state.vaults()) {
      this.#state.setSharesComplete(fields.sharesMint, true);
    }
    for (const { address, account } of accounts) this.onAccount(address, account);
    const positions = this.drainPositions(at);
    return isPartial ? positions : { ...positions, vaultHoldings: this.drainHoldings(at) };
  }

  /** Whether state stores the account: of token accounts only shares, and no lookup tables. */
  #isStored(account: RawAccount | undefined): boolean {
    if (account === undefined) return true;
    const { kind } = identifyAccount(account);
    if (kind === 'shares') {
      return this.#state.vaultOfShares(tokenAccount.view(account).mint) !== undefined;
    }
    return kind !== 'lookupTable' && kind !== 'other';
  }

  #eventsOf({ transactionIndex, json }: StepTransaction, { unix }: ChainTime): EventBatch {
    const view = viewTransaction(JSON.parse(json));
    const events = extractHistoryEvents(view, this.#ownerIndex);
    this.#ownerIndex.addEvents(events);
    const at = view.blockTime ?? unix;
    const owners = this.#ownerIndex;
    const prices = transactionPrices(view.loggedPrices, this.#prices, owners);
    const context = { transactionIndex, at, owners, prices };
    const rows = toEventRows(events, context);
    const raw = () => ({ transactions: [toTransactionRow(view, { transactionIndex, at, json })] });
    return { rows, raw: events.length === 0 ? () => ({}) : raw };
  }
}

/** The rows of a transaction. Its raw row is compressed on demand. */
type EventBatch = { readonly rows: Batch; readonly raw: () => Batch };

type TransactionDetails = {
  readonly transactionIndex: number;
  readonly at: UnixSeconds;
  readonly json: string;
};

const toTransactionRow = (
  { signature, slot }: TransactionView,
  { transactionIndex, at, json }: TransactionDetails,
): TransactionInput => ({
  signature: decodeSignature(signature),
  slot,
  transactionIndex,
  at,
  deflated: deflateRawSync(json, FASTEST),
});

/** A token account is recognized as a share account only after its vault is known. */
const vaultsFirst = (accounts: SlotChanges['accounts']): SlotChanges['accounts'] => {
  const isVault = ({ account }: SlotChanges['accounts'][number]): boolean =>
    account !== undefined && identifyAccount(account).kind === 'vault';
  return [...accounts.filter(isVault), ...accounts.filter((change) => !isVault(change))];
};

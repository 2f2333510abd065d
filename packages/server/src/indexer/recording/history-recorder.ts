import { deflateRawSync } from 'node:zlib';
import {
  type Address,
  type ChainTime,
  hasCode,
  type RawAccount,
  type UnixSeconds,
} from '@tidegate/core/base';
import { decodeStakePool, type StakePool } from '@tidegate/core/protocol/spl';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import { type ClusterState, identifyAccount } from '@tidegate/core/state';
import {
  extractHistoryEvents,
  type TransactionView,
  viewTransaction,
} from '@tidegate/core/views/transactions';
import type { ClusterStep, SlotChanges, StepTransaction } from '@tidegate/localnet';
import { ReserveConfigCache } from '../../history/rows/reserve-points.ts';
import type { TransactionInput } from '../../history/schema/event-tables.ts';
import type { Resolution } from '../../history/schema/series-tables.ts';
import type { Batch } from '../../history/writing/batch.ts';
import { mergeBatches } from '../../history/writing/merge-batches.ts';
import type { Registry } from '../../registry/registry.ts';
import { decodeSignature, toEventRows } from '../events/event-rows.ts';
import { OwnerIndex } from '../events/owner-index.ts';
import { type PriceSample, RecentPriceCache } from '../prices/recent-price-cache.ts';
import { IssuedRewards } from '../sampling/sample-farm-rewards.ts';
import { type SamplerState, samplePoints } from '../sampling/sample-points.ts';
import { VaultTotalsAccumulator } from '../sampling/vault-totals.ts';
import { LoanIndex } from './loan-index.ts';
import { ShareLedger } from './share-ledger.ts';

const FASTEST = { level: 1 };

/** What was kept before, from which it goes on. */
export type RecorderState = Pick<SamplerState, 'vaults' | 'rewards'> & {
  readonly loans: LoanIndex;
  readonly shares: ShareLedger;
};

export type HistoryRecorderOptions = {
  readonly state: ClusterState;
  readonly registry: Registry;
  /** Empty unless given. */
  readonly books?: RecorderState;
  /** Its own unless given. */
  readonly facts?: OwnerIndex;
  /** A token account holds more or fewer shares than before. */
  readonly onShares?: (account: Address) => void;
};

const emptyBooks = (state: ClusterState): RecorderState => ({
  vaults: new VaultTotalsAccumulator(),
  rewards: new IssuedRewards(),
  loans: new LoanIndex(),
  shares: new ShareLedger(state),
});

/** Makes rows of what happens in a cluster: samples, states of positions, events. It writes nothing. */
export class HistoryRecorder {
  readonly #state: ClusterState;
  readonly #registry: Registry;
  readonly #books: RecorderState;
  readonly #facts: OwnerIndex;
  readonly #onShares: HistoryRecorderOptions['onShares'];
  readonly #prices = new RecentPriceCache();
  readonly #settings = new ReserveConfigCache();
  readonly #stakePools = new Map<Address, StakePool>();
  /** Mint by pool. */
  readonly #stakeMints: ReadonlyMap<Address, Address>;

  constructor({ state, registry, books, facts, onShares }: HistoryRecorderOptions) {
    this.#state = state;
    this.#registry = registry;
    this.#books = books ?? emptyBooks(state);
    this.#facts = facts ?? new OwnerIndex(state);
    this.#onShares = onShares;
    this.#stakeMints = new Map([...registry.stakePools].map(([mint, pool]) => [pool, mint]));
  }

  /** A step of a cluster that nobody else brings into state. */
  record(step: ClusterStep): Batch {
    const states = step.slots.map((slot) => this.#applySlot(slot));
    this.#state.setAt(step.at);
    const events = step.transactions.map((transaction) => this.#eventsOf(transaction, step.at));
    return mergeBatches([...states, ...events, this.sample(step.at, step.sample)]);
  }

  /** The step with nothing but what rows are made from. */
  relevant(step: ClusterStep): ClusterStep {
    const slots = step.slots.map(({ at, accounts }) => ({
      at,
      accounts: accounts.filter(
        ({ address, account }) => this.#stakeMints.has(address) || this.#isHeld(account),
      ),
    }));
    return { ...step, slots };
  }

  /** An account as state has it now. */
  note(address: Address, account: RawAccount | undefined): void {
    const { loans, shares } = this.#books;
    if (account === undefined) {
      loans.noteClosed(address);
      shares.noteClosed(address);
      return;
    }
    this.#facts.see(address, account);
    const mint = this.#stakeMints.get(address);
    if (mint !== undefined) this.noteStakePool(mint, account);
    const { kind } = identifyAccount(account);
    if (kind === 'obligation') loans.note(address, account);
    else if (kind === 'shares' && shares.noteTokens(address, account)) this.#onShares?.(address);
    else if (kind === 'farmUser') shares.noteStake(address, account);
  }

  /** A pool that cannot be read says nothing: its token has no rate then. */
  noteStakePool(mint: Address, account: RawAccount): void {
    try {
      this.#stakePools.set(mint, decodeStakePool(account));
    } catch (error) {
      if (!hasCode(error, 'ACCOUNT_WRONG_OWNER') && !hasCode(error, 'ACCOUNT_WRONG_SIZE'))
        throw error;
      this.#stakePools.delete(mint);
    }
  }

  /** After everything that exists was noted. */
  closeUnseen(): void {
    this.#books.loans.closeUnseen();
    this.#books.shares.closeUnseen();
  }

  /** States of positions that changed since the last time. */
  takeStates(at: ChainTime): Batch {
    return { obligationStates: this.#books.loans.take(at), ...this.#books.shares.take(at) };
  }

  /** Samples of before what it records. */
  notePrices(samples: Iterable<PriceSample>): void {
    this.#prices.note(samples);
  }

  sample(at: ChainTime, resolution: Resolution | undefined): Batch {
    if (resolution === undefined) return {};
    const source = {
      reader: this.#state,
      registry: this.#registry,
      stakePools: this.#stakePools,
    };
    const books = { ...this.#books, settings: this.#settings };
    const points = samplePoints(source, { resolution, at }, books);
    this.#prices.note(points);
    return { points };
  }

  #applySlot({ at, accounts }: SlotChanges): Batch {
    const { slot } = at;
    for (const { address, account } of vaultsFirst(accounts)) {
      if (this.#isHeld(account)) this.#state.apply({ address, account, slot });
    }
    this.#state.setAt(at);
    // whoever tells of every account that changes leaves out none of shares
    for (const { fields } of this.#state.vaults()) {
      this.#state.setSharesComplete(fields.sharesMint, true);
    }
    for (const { address, account } of accounts) this.note(address, account);
    return this.takeStates(at);
  }

  /** What state is to hold: of token accounts those of shares, and no lookup tables. */
  #isHeld(account: RawAccount | undefined): boolean {
    if (account === undefined) return true;
    const { kind } = identifyAccount(account);
    if (kind === 'shares') {
      return this.#state.vaultOfShares(tokenAccount.view(account).mint) !== undefined;
    }
    return kind !== 'lookupTable' && kind !== 'other';
  }

  #eventsOf({ place, json }: StepTransaction, { unix }: ChainTime): Batch {
    const view = viewTransaction(JSON.parse(json));
    const events = extractHistoryEvents(view, this.#facts);
    this.#facts.learn(events);
    const at = view.blockTime ?? unix;
    const rows = toEventRows(events, { place, at, facts: this.#facts, prices: this.#prices });
    if (events.length === 0) return rows;
    return { ...rows, transactions: [transactionRow(view, { place, at, json })] };
  }
}

type Told = { readonly place: number; readonly at: UnixSeconds; readonly json: string };

const transactionRow = (
  { signature, slot }: TransactionView,
  { place, at, json }: Told,
): TransactionInput => ({
  ...{ signature: decodeSignature(signature), slot, place, at },
  deflated: deflateRawSync(json, FASTEST),
});

/** Token accounts are known for what they are once the vault is. */
const vaultsFirst = (accounts: SlotChanges['accounts']): SlotChanges['accounts'] => {
  const isVault = ({ account }: SlotChanges['accounts'][number]): boolean =>
    account !== undefined && identifyAccount(account).kind === 'vault';
  return [...accounts.filter(isVault), ...accounts.filter((change) => !isVault(change))];
};

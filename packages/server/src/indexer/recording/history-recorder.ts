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
import { type ClusterState, recogniseAccount } from '@tidegate/core/state';
import {
  pastEvents,
  type TransactionView,
  viewTransaction,
} from '@tidegate/core/views/transactions';
import type { PlacedTransaction, SlotChanges, Step } from '@tidegate/localnet';
import { ReserveSettings } from '../../history/rows/reserve-points.ts';
import type { TransactionInput } from '../../history/schema/event-tables.ts';
import type { Resolution } from '../../history/schema/series-tables.ts';
import type { Batch } from '../../history/writing/batch.ts';
import { joinBatches } from '../../history/writing/merge-batches.ts';
import type { Registry } from '../../registry/registry.ts';
import { eventRows, signatureBytes } from '../events/event-rows.ts';
import { EventFactsBook } from '../events/owner-index.ts';
import { type PricedSample, RecentPrices } from '../prices/recent-price-cache.ts';
import { RewardBooks } from '../sampling/sample-farm-rewards.ts';
import { type SampleBooks, samplePoints } from '../sampling/sample-points.ts';
import { VaultBooks } from '../sampling/vault-totals.ts';
import { LoanBook } from './loan-index.ts';
import { ShareBook } from './share-ledger.ts';

const FASTEST = { level: 1 };

/** What was kept before, from which it goes on. */
export type RecorderBooks = Pick<SampleBooks, 'vaults' | 'rewards'> & {
  readonly loans: LoanBook;
  readonly shares: ShareBook;
};

export type RecorderOptions = {
  readonly state: ClusterState;
  readonly registry: Registry;
  /** Empty unless given. */
  readonly books?: RecorderBooks;
  /** Its own unless given. */
  readonly facts?: EventFactsBook;
  /** A token account holds more or fewer shares than before. */
  readonly onShares?: (account: Address) => void;
};

const emptyBooks = (state: ClusterState): RecorderBooks => ({
  vaults: new VaultBooks(),
  rewards: new RewardBooks(),
  loans: new LoanBook(),
  shares: new ShareBook(state),
});

/** Makes rows of what happens in a cluster: samples, states of positions, events. It writes nothing. */
export class Recorder {
  readonly #state: ClusterState;
  readonly #registry: Registry;
  readonly #books: RecorderBooks;
  readonly #facts: EventFactsBook;
  readonly #onShares: RecorderOptions['onShares'];
  readonly #prices = new RecentPrices();
  readonly #settings = new ReserveSettings();
  readonly #stakePools = new Map<Address, StakePool>();
  /** Mint by pool. */
  readonly #stakeMints: ReadonlyMap<Address, Address>;

  constructor({ state, registry, books, facts, onShares }: RecorderOptions) {
    this.#state = state;
    this.#registry = registry;
    this.#books = books ?? emptyBooks(state);
    this.#facts = facts ?? new EventFactsBook(state);
    this.#onShares = onShares;
    this.#stakeMints = new Map([...registry.stakePools].map(([mint, pool]) => [pool, mint]));
  }

  /** A step of a cluster that nobody else brings into state. */
  record(step: Step): Batch {
    const states = step.slots.map((slot) => this.#applySlot(slot));
    this.#state.setAt(step.at);
    const events = step.transactions.map((transaction) => this.#eventsOf(transaction, step.at));
    return joinBatches([...states, ...events, this.sample(step.at, step.sample)]);
  }

  /** The step with nothing but what rows are made from. */
  relevant(step: Step): Step {
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
    const { kind } = recogniseAccount(account);
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
  notePrices(samples: Iterable<PricedSample>): void {
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
    const { kind } = recogniseAccount(account);
    if (kind === 'shares') {
      return this.#state.vaultOfShares(tokenAccount.view(account).mint) !== undefined;
    }
    return kind !== 'lookupTable' && kind !== 'other';
  }

  #eventsOf({ place, json }: PlacedTransaction, { unix }: ChainTime): Batch {
    const view = viewTransaction(JSON.parse(json));
    const events = pastEvents(view, this.#facts);
    this.#facts.learn(events);
    const at = view.blockTime ?? unix;
    const rows = eventRows(events, { place, at, facts: this.#facts, prices: this.#prices });
    if (events.length === 0) return rows;
    return { ...rows, transactions: [transactionRow(view, { place, at, json })] };
  }
}

type Told = { readonly place: number; readonly at: UnixSeconds; readonly json: string };

const transactionRow = (
  { signature, slot }: TransactionView,
  { place, at, json }: Told,
): TransactionInput => ({
  ...{ signature: signatureBytes(signature), slot, place, at },
  deflated: deflateRawSync(json, FASTEST),
});

/** Token accounts are known for what they are once the vault is. */
const vaultsFirst = (accounts: SlotChanges['accounts']): SlotChanges['accounts'] => {
  const isVault = ({ account }: SlotChanges['accounts'][number]): boolean =>
    account !== undefined && recogniseAccount(account).kind === 'vault';
  return [...accounts.filter(isVault), ...accounts.filter((change) => !isVault(change))];
};

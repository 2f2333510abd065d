import { deflateRawSync } from 'node:zlib';
import type { RawAccount } from '../base/account.ts';
import type { Address } from '../base/address.ts';
import { hasCode } from '../base/errors.ts';
import type { ChainTime, UnixSeconds } from '../base/time.ts';
import type { PlacedTransaction, SlotChanges, Step } from '../chain/step.ts';
import type { Batch } from '../history/batch.ts';
import type { TransactionInput } from '../history/event-tables.ts';
import { ReserveSettings } from '../history/reserve-points.ts';
import type { Resolution } from '../history/series-tables.ts';
import { tokenAccount } from '../protocol/spl/layout/token-account.ts';
import { decodeStakePool, type StakePool } from '../protocol/spl/stake-pool.ts';
import type { Registry } from '../registry/registry.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { recogniseAccount } from '../state/decode-account.ts';
import { pastEvents } from '../views/past-events.ts';
import { type TransactionView, viewTransaction } from '../views/transaction.ts';
import { EventFactsBook } from './event-facts.ts';
import { eventRows, signatureBytes } from './event-rows.ts';
import { joinBatches } from './join-batches.ts';
import { LoanBook } from './loan-book.ts';
import { type PricedSample, RecentPrices } from './recent-prices.ts';
import { RewardBooks } from './reward-points.ts';
import { type SampleBooks, samplePoints } from './sample-points.ts';
import { ShareBook } from './share-book.ts';
import { VaultBooks } from './vault-sums.ts';

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

import type { Address, ClusterAccount, Slot } from '@tidegate/core/base';
import { obligation } from '@tidegate/core/protocol/klend/layout';
import type { ProgramDeployments } from './account-sets.ts';
import type { AccountSubscriptionContext } from './account-subscription.ts';
import { deriveFarmUserAddresses, deriveObligationAddresses } from './wallet-addresses.ts';

type DerivedWalletsOptions = {
  readonly context: AccountSubscriptionContext;
  readonly programs: ProgramDeployments;
  readonly waitMs: number;
  /** A wallet is not read again within this time. */
  readonly freshMs: number;
  readonly maxWallets: number;
};

type Wallet = {
  /** Loans that were requested by an address that cannot be derived. */
  readonly others: Set<Address>;
  readAt: number;
  reading: Promise<void> | undefined;
};

type FoundAccount = { readonly address: Address; readonly account: ClusterAccount };

/** Reads the loans and stakes of requested wallets by their derived addresses, where programs cannot be scanned. */
export class DerivedWallets {
  readonly #options: DerivedWalletsOptions;
  /** Least recently requested first. */
  readonly #wallets = new Map<Address, Wallet>();
  #isStopped = false;

  constructor(options: DerivedWalletsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#wallets.size;
  }

  /** Resolves when state contains the wallet as of now. */
  async load(owner: Address): Promise<void> {
    const wallet = this.#wallets.get(owner) ?? newWallet();
    this.#wallets.delete(owner);
    this.#wallets.set(owner, wallet);
    this.#forgetOldest();
    const { context, freshMs } = this.#options;
    if (context.clock() - wallet.readAt < freshMs) return;
    wallet.reading ??= this.#read(owner, wallet).finally(() => {
      wallet.reading = undefined;
    });
    await wallet.reading;
  }

  /** Loads the owner of an obligation. Ignores other addresses. */
  async loadObligation(address: Address): Promise<void> {
    const { source, state, queue } = this.#options.context;
    const known = state.obligation(address);
    if (known !== undefined) return this.load(known.fields.owner);
    const { accounts } = await source.getAccounts([address], queue.newestSlot);
    const [account] = accounts;
    if (account === undefined || !obligation.matches(account)) return;
    const { owner } = obligation.view(account);
    const wallet = this.#wallets.get(owner) ?? newWallet();
    wallet.others.add(address);
    wallet.readAt = Number.NEGATIVE_INFINITY;
    this.#wallets.set(owner, wallet);
    await wallet.reading;
    await this.load(owner);
  }

  /** Removes all wallets from state, because they are no longer read again. */
  stop(): void {
    this.#isStopped = true;
    for (const owner of this.#wallets.keys()) this.#forget(owner);
  }

  async #read(owner: Address, wallet: Wallet): Promise<void> {
    const { context, waitMs } = this.#options;
    const { state, queue, clock } = context;
    const readAt = clock();
    const loans = [...new Set([...deriveObligationAddresses(state, owner), ...wallet.others])];
    const found = await this.#readAccounts(loans, queue.newestSlot);
    const obligations = found.accounts
      .filter(({ account }) => obligation.matches(account))
      .map(({ address, account }) => ({ address, fields: obligation.view(account) }));
    const stakes = await this.#readAccounts(
      deriveFarmUserAddresses(state, owner, obligations),
      found.slot,
    );
    await queue.waitForSlot(stakes.slot, waitMs);
    wallet.readAt = readAt;
  }

  /** Reads accounts and queues them for their slot. */
  async #readAccounts(
    addresses: readonly Address[],
    minSlot: Slot,
  ): Promise<{ readonly slot: Slot; readonly accounts: readonly FoundAccount[] }> {
    const { absences, state, queue } = this.#options.context;
    const { slot, updates } = await absences.readAccounts(addresses, minSlot);
    const isKnown = (address: Address) =>
      state.obligation(address) !== undefined || state.farmUserAt(address) !== undefined;
    queue.push({
      slot,
      run: () => {
        if (this.#isStopped) return;
        for (const update of updates) {
          if (update.account !== undefined || isKnown(update.address)) state.apply(update);
        }
      },
    });
    const existing = updates.flatMap(({ address, account }) =>
      account === undefined ? [] : [{ address, account }],
    );
    return { slot, accounts: existing };
  }

  #forgetOldest(): void {
    const [oldest] = this.#wallets.keys();
    if (this.#wallets.size <= this.#options.maxWallets || oldest === undefined) return;
    this.#forget(oldest);
  }

  #forget(owner: Address): void {
    const { context, programs } = this.#options;
    this.#wallets.delete(owner);
    for (const program of programs.klend) context.state.forget('obligation', { program, owner });
    for (const program of programs.farms) context.state.forget('farmUser', { program, owner });
  }
}

const newWallet = (): Wallet => ({
  others: new Set(),
  readAt: Number.NEGATIVE_INFINITY,
  reading: undefined,
});

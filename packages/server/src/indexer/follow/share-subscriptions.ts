import { type Address, CodedError, formatError, hasCode } from '@tidegate/core/base';
import { associatedTokenAddress, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { shareAccountSet } from './account-sets.ts';
import {
  AccountSubscription,
  type AccountSubscriptionContext,
  type OnGap,
} from './account-subscription.ts';

type ShareTracksOptions = {
  readonly context: AccountSubscriptionContext;
  readonly onGap: OnGap;
  /** Longest wait for a slot to become complete. */
  readonly waitMs: number;
};

type ShareTrack = {
  readonly track: AccountSubscription;
  /** Shares issued less shares seen, when all accounts had just been read; not zero after a burn outside the vault. */
  difference: bigint;
};

/** Wallets whose balances are kept where only single accounts can be read. */
const MOST_WALLETS = 1_000;

/** Token accounts of the vaults' shares: followed by mint, or read by wallet where the source refuses that. */
export class ShareSubscriptions {
  readonly #options: ShareTracksOptions;
  readonly #tracks = new Map<Address, ShareTrack>();
  readonly #starting = new Map<Address, AccountSubscription>();
  readonly #refused = new Set<Address>();
  readonly #wallets = new Set<Address>();
  #vaultsSeen: readonly unknown[] = [];

  constructor(options: ShareTracksOptions) {
    this.#options = options;
  }

  /** Whether every share mint is followed. */
  get isComplete(): boolean {
    return this.#refused.size === 0 && this.#starting.size === 0;
  }

  get tracks(): AccountSubscription[] {
    return [...this.#tracks.values()].map(({ track }) => track);
  }

  /** Mints of vaults that are not followed yet. */
  newMints(): Address[] {
    const { state } = this.#options.context;
    const vaults = state.vaults();
    if (vaults === this.#vaultsSeen) return [];
    this.#vaultsSeen = vaults;
    const known = (mint: Address) =>
      this.#tracks.has(mint) || this.#starting.has(mint) || this.#refused.has(mint);
    return [...new Set(vaults.map(({ fields }) => fields.sharesMint))].filter((m) => !known(m));
  }

  /** `first`: during the first load, when nobody reads. */
  async add(mint: Address, when: 'first' | 'later'): Promise<void> {
    const { context, onGap, waitMs } = this.#options;
    const track = new AccountSubscription(shareAccountSet(mint), context, onGap);
    this.#starting.set(mint, track);
    try {
      await track.follow();
      if (when === 'first') await track.load();
      else await context.queue.reached(await track.reload(), waitMs);
      this.#tracks.set(mint, { track, difference: this.#differenceOf(mint) });
      context.state.setSharesComplete(mint, true);
    } catch (error) {
      const wasStopped = track.isStopped;
      track.stop();
      if (!(error instanceof CodedError)) throw error;
      if (wasStopped) return;
      const facts = { mint, error: formatError(error) };
      context.log.warn(facts, 'holders of a share are not followed');
      if (hasCode(error, 'SOURCE_REFUSES')) this.#refused.add(mint);
      else this.#vaultsSeen = [];
    } finally {
      this.#starting.delete(mint);
    }
  }

  /**
   * A token account that is closed with the last share in it is not announced. The vault is: its shares are
   * fewer then than the accounts that are held add up to.
   */
  suspicious(): AccountSubscription[] {
    return [...this.#tracks]
      .filter(([mint, { difference }]) => this.#differenceOf(mint) !== difference)
      .map(([, { track }]) => track);
  }

  /** After all accounts of a mint were read: a difference that is still there is the mint's own. */
  noteChecked(track: AccountSubscription): void {
    const { mint } = track.tracked.selection;
    const shares = mint === undefined ? undefined : this.#tracks.get(mint);
    if (mint !== undefined && shares !== undefined) shares.difference = this.#differenceOf(mint);
  }

  /** Reads the associated accounts of a wallet for the mints that cannot be followed. */
  async ensure(owner: Address): Promise<void> {
    if (this.#refused.size === 0) return;
    const { source, queue, state } = this.#options.context;
    const addresses = [...this.#refused].map((m) =>
      associatedTokenAddress(owner, m, TOKEN_PROGRAM),
    );
    const { slot, accounts } = await source.accounts(addresses, queue.newest);
    queue.push({
      slot,
      run: () => {
        for (const [i, address] of addresses.entries()) {
          state.apply({ address, account: accounts[i], slot });
        }
      },
    });
    this.#keep(owner);
    await queue.reached(slot, this.#options.waitMs);
  }

  stop(): void {
    for (const track of [...this.tracks, ...this.#starting.values()]) track.stop();
  }

  #keep(owner: Address): void {
    this.#wallets.delete(owner);
    this.#wallets.add(owner);
    const [oldest] = this.#wallets;
    if (this.#wallets.size <= MOST_WALLETS || oldest === undefined) return;
    this.#wallets.delete(oldest);
    for (const mint of this.#refused) {
      this.#options.context.state.forget('shares', { program: TOKEN_PROGRAM, mint, owner: oldest });
    }
  }

  #differenceOf(mint: Address): bigint {
    const { state } = this.#options.context;
    return (state.vaultOfShares(mint)?.fields.sharesIssued ?? 0n) - state.shareTotal(mint);
  }
}

import { type Address, CodedError } from '@tidegate/core/base';
import { obligation } from '@tidegate/core/protocol/klend/layout';
import { type ProgramDeployments, walletAccountSets } from './account-sets.ts';
import { AccountSubscription, type AccountSubscriptionContext } from './account-subscription.ts';

type WalletTracksOptions = {
  readonly context: AccountSubscriptionContext;
  readonly programs: ProgramDeployments;
  readonly waitMs: number;
  /** A wallet read this lately is not read again. */
  readonly freshMs: number;
  readonly mostWallets: number;
};

type Wallet = {
  readonly tracks: readonly AccountSubscription[];
  readonly loaded: Promise<void>;
  /** Updates were missed, so it was dropped. */
  isInterrupted: boolean;
};

/** How often a wallet is started anew when a gap comes before it is read. */
const ATTEMPTS = 3;

/** Loans and stakes of the wallets that were asked for lately, where all of them are too many to follow. */
export class WalletSubscriptions {
  readonly #options: WalletTracksOptions;
  /** The one that was not asked for longest is first. */
  readonly #wallets = new Map<Address, Wallet>();

  constructor(options: WalletTracksOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#wallets.size;
  }

  /** Resolves when state has the wallet. */
  async ensure(owner: Address): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const wallet = this.#wallets.get(owner) ?? this.#start(owner);
      this.#wallets.delete(owner);
      this.#wallets.set(owner, wallet);
      try {
        await this.#refresh(wallet);
        // a gap may have taken it away while it was looked at
        if (this.#wallets.get(owner) === wallet) return;
        if (attempt === ATTEMPTS) throw interrupted(this.#options.context.source.name);
      } catch (error) {
        if (!wallet.isInterrupted || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** The same for the owner of an obligation; nothing for what is none. */
  async ensureObligation(address: Address): Promise<void> {
    const { source, state, queue } = this.#options.context;
    const held = state.obligation(address);
    if (held !== undefined) return this.ensure(held.fields.owner);
    const { accounts } = await source.accounts([address], queue.newest);
    const [account] = accounts;
    if (account === undefined || !obligation.matches(account)) return;
    await this.ensure(obligation.view(account).owner);
  }

  stop(): void {
    for (const { tracks } of this.#wallets.values()) for (const track of tracks) track.stop();
    this.#wallets.clear();
  }

  #start(owner: Address): Wallet {
    const { context, programs, mostWallets } = this.#options;
    // What was followed before a gap is not known to be right: it is read anew when it is asked for.
    const onGap = () => {
      wallet.isInterrupted = true;
      this.#drop(owner, wallet);
    };
    const tracks = walletAccountSets(programs, owner).map(
      (one) => new AccountSubscription(one, context, onGap),
    );
    const wallet: Wallet = { tracks, loaded: this.#load(tracks), isInterrupted: false };
    wallet.loaded.catch(() => this.#drop(owner, wallet));
    this.#wallets.set(owner, wallet);
    const [oldest] = this.#wallets;
    if (this.#wallets.size > mostWallets && oldest !== undefined) this.#drop(...oldest);
    return wallet;
  }

  async #refresh({ tracks, loaded }: Wallet): Promise<void> {
    await loaded;
    const { context, freshMs, waitMs } = this.#options;
    const isFresh = tracks.every(({ readAt }) => context.clock() - readAt < freshMs);
    if (!isFresh) await Promise.all(tracks.map((track) => track.check(waitMs)));
  }

  async #load(tracks: readonly AccountSubscription[]): Promise<void> {
    const { queue } = this.#options.context;
    await Promise.all(tracks.map((track) => track.follow()));
    const slots = await Promise.all(tracks.map((track) => track.reload()));
    await Promise.all(slots.map((slot) => queue.reached(slot, this.#options.waitMs)));
  }

  #drop(owner: Address, wallet: Wallet): void {
    if (this.#wallets.get(owner) !== wallet) return;
    this.#wallets.delete(owner);
    for (const track of wallet.tracks) {
      track.stop();
      const { kind, selection } = track.tracked;
      this.#options.context.state.forget(kind, selection);
    }
  }
}

const interrupted = (source: string): CodedError =>
  new CodedError('SOURCE_UNAVAILABLE', { source, reason: 'its updates were interrupted' });

import { type Address, type ChainTime, type RawAccount, toAddress, WAD } from '@tidegate/core/base';
import { userState } from '@tidegate/core/protocol/farms/layout';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { ClusterReader } from '@tidegate/core/state';
import { isVaultShareFarm, type ListStakers } from '@tidegate/core/views/vaults';
import type { StateInput, StateRow } from '../../history/schema/event-tables.ts';
import { type Stake, StakeRecords } from './stake-records.ts';

type Holding = { readonly held: bigint; readonly staked: bigint };
type Tokens = { readonly owner: Address; readonly mint: Address; readonly amount: bigint };
type StoredStake = Pick<Stake, 'owner' | 'farm' | 'stake'>;

type ShareReader = Pick<ClusterReader, 'vaults' | 'vaultOfShares' | 'farm'>;

/** Shares of each vault per wallet, in token accounts and in the vault's farm, and all farm stakes. */
export class ShareLedger {
  readonly #reader: ShareReader;
  readonly #tokens = new Map<Address, Tokens>();
  readonly #stakes = new StakeRecords();
  /** Owners by farm and user state, except of delegated farms. */
  readonly #stakers = new Map<Address, Map<Address, Address>>();
  /** Keyed by owner and mint, and by owner and farm. */
  readonly #held = new Map<string, bigint>();
  readonly #staked = new Map<string, bigint>();
  readonly #changed = new Map<string, { readonly owner: Address; readonly vault: Address }>();
  /** Stakes that changed, with what is stored of them. */
  readonly #changedStakes = new Map<Address, StoredStake | undefined>();
  readonly #stored = new Map<string, Holding>();

  constructor(reader: ShareReader) {
    this.#reader = reader;
  }

  /** Takes the latest stored holdings. Call it before the first update, as `restoreStakes`. */
  restoreHoldings(holdings: Iterable<StateRow<'vaultHolding'>>): void {
    for (const { wallet, vault, held, staked } of holdings) {
      this.#stored.set(keyOf(wallet, vault), { held, staked });
    }
  }

  restoreStakes(stakes: Iterable<StateRow<'farmStake'>>): void {
    for (const { userState: address, wallet: owner, farm, stake } of stakes) {
      const unknown = { shares: 0n, isNonZero: false, isSeen: false };
      this.#stakes.set(address, { owner, farm, stake, ...unknown });
    }
  }

  /** Ignores token accounts of other mints. Returns whether the balance changed. */
  updateTokenAccount(address: Address, account: RawAccount): boolean {
    const { mint, owner, amount } = tokenAccount.view(account);
    const before = this.#tokens.get(address);
    if (before === undefined && this.#reader.vaultOfShares(mint) === undefined) return false;
    this.#setTokens(address, { mint, owner, amount });
    return amount !== (before?.amount ?? 0n);
  }

  updateStake(address: Address, account: RawAccount): void {
    const fields = userState.view(account);
    const { owner, farmState: farm, activeStakeScaled } = fields;
    const scaled =
      activeStakeScaled + fields.pendingDepositStakeScaled + fields.pendingWithdrawalUnstakeScaled;
    const shares = scaled / WAD;
    this.#setStake(address, {
      owner,
      farm,
      stake: activeStakeScaled,
      shares,
      isNonZero: scaled > 0n,
      isSeen: true,
    });
  }

  /** Takes the address of a closed account. Returns the owner of a stake. */
  remove(address: Address): Address | undefined {
    if (this.#tokens.has(address)) this.#setTokens(address, undefined);
    const stake = this.#stakes.get(address);
    if (stake?.isSeen !== true) return undefined;
    this.#setStake(address, undefined);
    return stake.owner;
  }

  /** Owners of stakes in a farm, once per stake. */
  readonly stakersOfFarm: ListStakers = (farm) => this.#stakers.get(farm)?.values() ?? [];

  /** Token accounts of a wallet. */
  accountsOf(wallet: Address, mint: Address): readonly Address[] {
    return [...this.#tokens].flatMap(([address, tokens]) =>
      tokens.owner === wallet && tokens.mint === mint ? [address] : [],
    );
  }

  /** The shares of wallets that changed since the last call, as of the end of a slot. */
  drainHoldings({ slot, unix: at }: ChainTime): StateInput<'vaultHolding'>[] {
    const holdings = [...this.#changed].flatMap(([key, { owner, vault }]) => {
      const now = this.#holdingOf(owner, vault);
      const before = this.#stored.get(key) ?? { held: 0n, staked: 0n };
      if (now === undefined) return [];
      if (now.held === before.held && now.staked === before.staked) return [];
      this.#stored.set(key, now);
      return [{ wallet: owner, vault, slot, at, ...now }];
    });
    this.#changed.clear();
    return holdings;
  }

  /** The stakes that changed since the last call, as of the end of a slot. */
  drainStakes({ slot, unix: at }: ChainTime): StateInput<'farmStake'>[] {
    const stakes = [...this.#changedStakes].flatMap(([address, before]) =>
      this.#stakeRow(address, before, { slot, at }),
    );
    this.#changedStakes.clear();
    return stakes;
  }

  /** Sets stored positions to zero that were not seen. Call it after all existing accounts were updated. */
  removeUnseen(): void {
    for (const key of this.#stored.keys()) {
      const [owner, vault] = key.split(' ').map(toAddress);
      if (owner !== undefined && vault !== undefined) this.#changed.set(key, { owner, vault });
    }
    for (const address of this.#stakes.unseen()) this.#setStake(address, undefined);
  }

  #stakeRow(
    address: Address,
    before: StoredStake | undefined,
    time: Pick<StateInput<'farmStake'>, 'slot' | 'at'>,
  ): StateInput<'farmStake'>[] {
    const now = this.#stakes.get(address) ?? (before && { ...before, stake: 0n });
    if (now === undefined || (before?.stake === now.stake && before.owner === now.owner)) return [];
    const { owner, farm, stake } = now;
    return [{ userState: address, ...time, wallet: owner, farm, stake }];
  }

  #holdingOf(owner: Address, vault: Address): Holding | undefined {
    const account = this.#reader.vaults().find(({ address }) => address === vault);
    if (account === undefined) return undefined;
    const { sharesMint, vaultFarm } = account.fields;
    const farm = this.#reader.farm(vaultFarm);
    const takesShares = farm !== undefined && isVaultShareFarm(account.fields, farm.fields);
    // the farm's own token account holds the staked shares
    if (takesShares && farm.fields.farmVaultsAuthority === owner) return undefined;
    return {
      held: this.#held.get(keyOf(owner, sharesMint)) ?? 0n,
      staked: takesShares ? (this.#staked.get(keyOf(owner, vaultFarm)) ?? 0n) : 0n,
    };
  }

  #setTokens(address: Address, now: Tokens | undefined): void {
    const before = this.#tokens.get(address);
    if (before !== undefined) this.#addHeld(before, -before.amount);
    if (now === undefined) this.#tokens.delete(address);
    else {
      this.#tokens.set(address, now);
      this.#addHeld(now, now.amount);
    }
  }

  #addHeld({ owner, mint }: Tokens, amount: bigint): void {
    const key = keyOf(owner, mint);
    this.#held.set(key, (this.#held.get(key) ?? 0n) + amount);
    const vault = this.#reader.vaultOfShares(mint)?.address;
    if (vault !== undefined) this.#changed.set(keyOf(owner, vault), { owner, vault });
  }

  #setStake(address: Address, now: Stake | undefined): void {
    const before = this.#stakes.get(address);
    if (before?.isSeen === true) {
      this.#addStaked(before, -before.shares);
      this.#stakers.get(before.farm)?.delete(address);
    }
    if (!this.#changedStakes.has(address)) this.#changedStakes.set(address, before);
    if (now === undefined) this.#stakes.delete(address);
    else {
      this.#stakes.set(address, now);
      this.#addStaked(now, now.shares);
      if (now.isNonZero) this.#addStaker(address, now);
    }
  }

  /** Vaults never use delegated farms, which have most of the stakes. */
  #isDelegated(farm: Address): boolean {
    return this.#reader.farm(farm)?.fields.isFarmDelegated === 1;
  }

  #addStaker(address: Address, { owner, farm }: Stake): void {
    if (this.#isDelegated(farm)) return;
    const others = this.#stakers.get(farm);
    if (others === undefined) this.#stakers.set(farm, new Map([[address, owner]]));
    else others.set(address, owner);
  }

  #addStaked({ owner, farm }: Stake, shares: bigint): void {
    if (this.#isDelegated(farm)) return;
    const key = keyOf(owner, farm);
    this.#staked.set(key, (this.#staked.get(key) ?? 0n) + shares);
    for (const { address: vault, fields } of this.#reader.vaults()) {
      if (fields.vaultFarm === farm) this.#changed.set(keyOf(owner, vault), { owner, vault });
    }
  }
}

const keyOf = (owner: Address, other: Address): string => `${owner} ${other}`;

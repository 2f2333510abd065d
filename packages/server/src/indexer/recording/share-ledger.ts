import { type Address, type ChainTime, type RawAccount, toAddress, WAD } from '@tidegate/core/base';
import { userState } from '@tidegate/core/protocol/farms/layout';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { ClusterReader } from '@tidegate/core/state';
import { isVaultShareFarm, type ListStakers } from '@tidegate/core/views/vaults';
import type { StateInput, StateRow } from '../../history/schema/event-tables.ts';

type Holding = { readonly held: bigint; readonly staked: bigint };
type Tokens = { readonly owner: Address; readonly mint: Address; readonly amount: bigint };
type Stake = {
  readonly owner: Address;
  readonly farm: Address;
  readonly stake: bigint;
  /** Whole smallest units, on their way in or out included. */
  readonly shares: bigint;
  /** Whether there is anything, be it less than a smallest unit. */
  readonly isSome: boolean;
};

type ShareReader = Pick<ClusterReader, 'vaults' | 'vaultOfShares' | 'farm'>;

type KeptRows = {
  readonly holdings: Iterable<StateRow<'vaultHolding'>>;
  readonly stakes: Iterable<StateRow<'farmStake'>>;
};

type Taken = {
  readonly vaultHoldings: StateInput<'vaultHolding'>[];
  readonly farmStakes: StateInput<'farmStake'>[];
};

/** Who holds how many shares of which vault, in all token accounts of a wallet and in the vault's farm, and all stakes. */
export class ShareLedger {
  readonly #reader: ShareReader;
  readonly #tokens = new Map<Address, Tokens>();
  readonly #stakes = new Map<Address, Stake>();
  /** By farm and user state. */
  readonly #stakers = new Map<Address, Map<Address, Address>>();
  /** By owner and mint, and by owner and farm. */
  readonly #held = new Map<string, bigint>();
  readonly #staked = new Map<string, bigint>();
  readonly #touched = new Map<string, { readonly owner: Address; readonly vault: Address }>();
  readonly #touchedStakes = new Set<Address>();
  readonly #kept = new Map<string, Holding>();
  readonly #keptStakes = new Map<Address, Pick<Stake, 'owner' | 'farm' | 'stake'>>();

  /** `kept`: what was written last. */
  constructor(reader: ShareReader, kept: KeptRows = { holdings: [], stakes: [] }) {
    this.#reader = reader;
    for (const { wallet, vault, held, staked } of kept.holdings) {
      this.#kept.set(keyOf(wallet, vault), { held, staked });
    }
    for (const { userState: address, wallet: owner, farm, stake } of kept.stakes) {
      this.#keptStakes.set(address, { owner, farm, stake });
    }
  }

  /** A token account as it is now; only those of shares are looked at. Returns whether it holds more or less than before. */
  noteTokens(address: Address, account: RawAccount): boolean {
    const { mint, owner, amount } = tokenAccount.view(account);
    const before = this.#tokens.get(address);
    if (before === undefined && this.#reader.vaultOfShares(mint) === undefined) return false;
    this.#setTokens(address, { mint, owner, amount });
    return amount !== (before?.amount ?? 0n);
  }

  noteStake(address: Address, account: RawAccount): void {
    const fields = userState.view(account);
    const { owner, farmState: farm, activeStakeScaled } = fields;
    const scaled =
      activeStakeScaled + fields.pendingDepositStakeScaled + fields.pendingWithdrawalUnstakeScaled;
    const shares = scaled / WAD;
    this.#setStake(address, { owner, farm, stake: activeStakeScaled, shares, isSome: scaled > 0n });
  }

  /** An account that exists no more. */
  noteClosed(address: Address): void {
    if (this.#tokens.has(address)) this.#setTokens(address, undefined);
    if (this.#stakes.has(address)) this.#setStake(address, undefined);
  }

  /** Owners of stakes in a farm, each as often as they have some. */
  readonly stakersIn: ListStakers = (farm) => this.#stakers.get(farm)?.values() ?? [];

  /** What changed since the last time, as of the end of a slot. */
  take({ slot, unix: at }: ChainTime): Taken {
    const vaultHoldings = [...this.#touched].flatMap(([key, { owner, vault }]) => {
      const now = this.#holdingOf(owner, vault);
      const before = this.#kept.get(key) ?? { held: 0n, staked: 0n };
      if (now === undefined) return [];
      if (now.held === before.held && now.staked === before.staked) return [];
      this.#kept.set(key, now);
      return [{ wallet: owner, vault, slot, at, ...now }];
    });
    const farmStakes = [...this.#touchedStakes].flatMap((address) =>
      this.#stakeRow(address, { slot, at }),
    );
    this.#touched.clear();
    this.#touchedStakes.clear();
    return { vaultHoldings, farmStakes };
  }

  /** After all accounts that exist were seen: what was kept of others is gone. */
  closeUnseen(): void {
    for (const key of this.#kept.keys()) {
      const [owner, vault] = key.split(' ').map(toAddress);
      if (owner !== undefined && vault !== undefined) this.#touched.set(key, { owner, vault });
    }
    for (const address of this.#keptStakes.keys()) {
      if (!this.#stakes.has(address)) this.#touchedStakes.add(address);
    }
  }

  #stakeRow(
    address: Address,
    when: Pick<StateInput<'farmStake'>, 'slot' | 'at'>,
  ): StateInput<'farmStake'>[] {
    const before = this.#keptStakes.get(address);
    const now = this.#stakes.get(address) ?? (before && { ...before, stake: 0n });
    if (now === undefined || (before?.stake === now.stake && before.owner === now.owner)) return [];
    const { owner, farm, stake } = now;
    this.#keptStakes.set(address, { owner, farm, stake });
    return [{ userState: address, ...when, wallet: owner, farm, stake }];
  }

  #holdingOf(owner: Address, vault: Address): Holding | undefined {
    const held = this.#reader.vaults().find(({ address }) => address === vault);
    if (held === undefined) return undefined;
    const { sharesMint, vaultFarm } = held.fields;
    const farm = this.#reader.farm(vaultFarm);
    const takesShares = farm !== undefined && isVaultShareFarm(held.fields, farm.fields);
    // what is staked lies in an account of the farm's own
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
    if (vault !== undefined) this.#touched.set(keyOf(owner, vault), { owner, vault });
  }

  #setStake(address: Address, now: Stake | undefined): void {
    const before = this.#stakes.get(address);
    if (before !== undefined) {
      this.#addStaked(before, -before.shares);
      this.#stakers.get(before.farm)?.delete(address);
    }
    if (now === undefined) this.#stakes.delete(address);
    else {
      this.#stakes.set(address, now);
      this.#addStaked(now, now.shares);
      if (now.isSome) this.#addStaker(address, now);
    }
    this.#touchedStakes.add(address);
  }

  #addStaker(address: Address, { owner, farm }: Stake): void {
    const others = this.#stakers.get(farm);
    if (others === undefined) this.#stakers.set(farm, new Map([[address, owner]]));
    else others.set(address, owner);
  }

  #addStaked({ owner, farm }: Stake, shares: bigint): void {
    const key = keyOf(owner, farm);
    this.#staked.set(key, (this.#staked.get(key) ?? 0n) + shares);
    for (const { address: vault, fields } of this.#reader.vaults()) {
      if (fields.vaultFarm === farm) this.#touched.set(keyOf(owner, vault), { owner, vault });
    }
  }
}

const keyOf = (owner: Address, of: Address): string => `${owner} ${of}`;

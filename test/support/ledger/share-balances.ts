import type { Address } from '#core/base/encoding/address.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import type { AccountLedger, LedgerTime } from './account-ledger.ts';

/** Scale of stakes. */
const WAD = 10n ** 18n;

type Slot = Pick<LedgerTime, 'slot'>;

/** Shares per wallet and vault in base units, in token accounts and staked. */
export class ShareBalances {
  readonly #ledger: AccountLedger;
  readonly #tokens: readonly Address[];
  readonly #stakes: readonly Address[];

  constructor(ledger: AccountLedger) {
    this.#ledger = ledger;
    const mints = new Set<Address>();
    const farms = new Set<Address>();
    for (const sample of ledger.samples) {
      for (const { fields } of ledger.all(vaultState, sample)) {
        mints.add(fields.sharesMint);
        farms.add(fields.vaultFarm);
      }
    }
    this.#tokens = ledger.addressesOf(tokenAccount, ({ mint }) => mints.has(mint));
    this.#stakes = ledger.addressesOf(userState, (stake) => farms.has(stake.farmState));
  }

  of(vault: Address, at: Slot): ReadonlyMap<Address, bigint> {
    const { sharesMint, vaultFarm } = this.#ledger.get(vaultState, vault, at);
    const shares = new Map<Address, bigint>();
    const add = (owner: Address, amount: bigint): void => {
      if (amount > 0n) shares.set(owner, (shares.get(owner) ?? 0n) + amount);
    };
    for (const address of this.#tokens) {
      const held = this.#ledger.find(tokenAccount, address, at);
      if (held?.mint === sharesMint) add(held.owner, held.amount);
    }
    const farm = this.#ledger.find(farmState, vaultFarm, at);
    if (farm === undefined) return shares;
    // the farm's token account holds the staked shares
    shares.delete(farm.farmVaultsAuthority);
    for (const address of this.#stakes) {
      const stake = this.#ledger.find(userState, address, at);
      if (stake?.farmState !== vaultFarm) continue;
      const scaled = stake.activeStakeScaled + stake.pendingDepositStakeScaled;
      add(stake.owner, (scaled + stake.pendingWithdrawalUnstakeScaled) / WAD);
    }
    return shares;
  }

  ofWallet(wallet: Address, vault: Address, at: Slot): bigint {
    return this.of(vault, at).get(wallet) ?? 0n;
  }

  /** All wallets that ever had shares. */
  holdersOf(vault: Address): readonly Address[] {
    const wallets = new Set<Address>();
    for (const sample of this.#ledger.samples) {
      for (const wallet of this.of(vault, sample).keys()) wallets.add(wallet);
    }
    return [...wallets];
  }
}

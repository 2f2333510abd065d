import { type Address, type RawAccount, ZERO_ADDRESS } from '@tidegate/core/base';
import { farmState, userState } from '@tidegate/core/protocol/farms/layout';
import { obligation, type ReserveView, reserve } from '@tidegate/core/protocol/klend/layout';
import { type VaultStateView, vaultState } from '@tidegate/core/protocol/kvault/layout';
import { type ClusterReader, identifyAccount } from '@tidegate/core/state';
import type { HistoryEvent, OwnerLookup } from '@tidegate/core/views/transactions';

/** The token of a vault, and the decimals of the token and of the shares. */
export type VaultToken = {
  readonly mint: Address;
  readonly tokenDecimals: bigint;
  readonly sharesDecimals: bigint;
};

type AccountReader = Pick<
  ClusterReader,
  | 'obligation'
  | 'markets'
  | 'reserve'
  | 'reservesOf'
  | 'vault'
  | 'vaultOfShares'
  | 'farm'
  | 'farmUserAt'
>;

/**
 * Owners of positions, and vaults and mints of accounts, for events of any time. Remembers closed positions. Accounts
 * that were never added are looked up in the current state.
 */
export class OwnerIndex implements OwnerLookup {
  readonly #current: AccountReader | undefined;
  readonly #ownersOfObligations = new Map<Address, Address>();
  readonly #ownersOfUserStates = new Map<Address, Address>();
  readonly #vaultsOfMints = new Map<Address, Address>();
  readonly #mintsOfFarms = new Map<Address, Address>();
  readonly #mintsOfReserves = new Map<Address, Address>();
  /** Mints of the reserves whose deposits or debts a farm rewards. */
  readonly #mintsOfReserveFarms = new Map<Address, Address>();
  readonly #vaultTokens = new Map<Address, VaultToken>();

  constructor(current?: AccountReader) {
    this.#current = current;
  }

  /** Takes a current or a past version of an account. Ignores accounts of other programs. */
  addAccount(address: Address, account: RawAccount): void {
    switch (identifyAccount(account).kind) {
      case 'obligation':
        this.addLoan(address, obligation.view(account).owner);
        return;
      case 'farmUser':
        this.addStake(address, userState.view(account).owner);
        return;
      case 'farm':
        if (this.#mintsOfFarms.has(address)) return;
        this.#mintsOfFarms.set(address, farmState.view(account).token.mint);
        return;
      case 'reserve':
        if (this.#mintsOfReserves.has(address)) return;
        this.#addReserve(address, reserve.view(account));
        return;
      case 'vault':
        if (this.#vaultTokens.has(address)) return;
        this.#addVault(address, vaultState.view(account));
        return;
      default:
    }
  }

  addLoan(address: Address, owner: Address): void {
    // the first owner stays
    if (!this.#ownersOfObligations.has(address)) this.#ownersOfObligations.set(address, owner);
  }

  addStake(address: Address, owner: Address): void {
    this.#ownersOfUserStates.set(address, owner);
  }

  /** Events that name the owner of a position help those that do not. */
  addEvents(events: Iterable<HistoryEvent>): void {
    for (const event of events) {
      const { wallet } = event;
      if (wallet === undefined) continue;
      if (event.area === 'lending' && event.obligation !== undefined && namesOwner(event.kind)) {
        this.#ownersOfObligations.set(event.obligation, wallet);
      }
      if (event.area !== 'farm' || event.kind === 'transferOwnership') continue;
      if (event.userState !== undefined) this.#ownersOfUserStates.set(event.userState, wallet);
    }
  }

  ownerOfObligation(address: Address): Address | undefined {
    const known = this.#ownersOfObligations.get(address);
    return known ?? this.#current?.obligation(address)?.fields.owner;
  }

  ownerOfUserState(address: Address): Address | undefined {
    const known = this.#ownersOfUserStates.get(address);
    return known ?? this.#current?.farmUserAt(address)?.fields.owner;
  }

  vaultOfShareMint(mint: Address): Address | undefined {
    return this.#vaultsOfMints.get(mint) ?? this.#current?.vaultOfShares(mint)?.address;
  }

  /** Decided by the token that the farm accepts, because any vault account can name any farm. */
  vaultOfFarm(farm: Address): Address | undefined {
    const mint = this.#mintsOfFarms.get(farm) ?? this.#current?.farm(farm)?.fields.token.mint;
    return mint && this.vaultOfShareMint(mint);
  }

  mintOfReserve(address: Address): Address | undefined {
    const known = this.#mintsOfReserves.get(address);
    return known ?? this.#current?.reserve(address)?.fields.liquidity.mintPubkey;
  }

  /** The token of the reserve whose deposits or debts the farm rewards. */
  mintOfReserveFarm(farm: Address): Address | undefined {
    const known = this.#mintsOfReserveFarms.get(farm);
    if (known !== undefined || this.#current === undefined) return known;
    // a reserve may have got its farm after it was added
    for (const market of this.#current.markets()) {
      for (const { fields } of this.#current.reservesOf(market.address)) this.#addFarms(fields);
    }
    return this.#mintsOfReserveFarms.get(farm);
  }

  tokenOfVault(address: Address): VaultToken | undefined {
    const known = this.#vaultTokens.get(address);
    if (known !== undefined) return known;
    const fields = this.#current?.vault(address)?.fields;
    return fields && vaultToken(fields);
  }

  #addReserve(address: Address, fields: ReserveView): void {
    this.#mintsOfReserves.set(address, fields.liquidity.mintPubkey);
    this.#addFarms(fields);
  }

  #addFarms({ farmCollateral, farmDebt, liquidity }: ReserveView): void {
    for (const farm of [farmCollateral, farmDebt]) {
      if (farm !== ZERO_ADDRESS) this.#mintsOfReserveFarms.set(farm, liquidity.mintPubkey);
    }
  }

  #addVault(address: Address, fields: VaultStateView): void {
    this.#vaultsOfMints.set(fields.sharesMint, address);
    this.#vaultTokens.set(address, vaultToken(fields));
  }
}

/** Events of a third-party payer or of a liquidator name that wallet instead of the owner. */
const namesOwner = (kind: HistoryEvent['kind']): boolean =>
  kind !== 'repayForOther' && kind !== 'liquidate';

const vaultToken = (fields: VaultStateView): VaultToken => ({
  mint: fields.tokenMint,
  tokenDecimals: fields.tokenMintDecimals,
  sharesDecimals: fields.sharesMintDecimals,
});

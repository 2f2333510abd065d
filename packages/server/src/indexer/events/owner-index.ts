import type { Address, RawAccount } from '@tidegate/core/base';
import { farmState, userState } from '@tidegate/core/protocol/farms/layout';
import { obligation, reserve } from '@tidegate/core/protocol/klend/layout';
import { type VaultStateView, vaultState } from '@tidegate/core/protocol/kvault/layout';
import { type ClusterReader, identifyAccount } from '@tidegate/core/state';
import type { HistoryEvent, OwnerLookup } from '@tidegate/core/views/transactions';

/** In what a vault counts. */
export type VaultToken = {
  readonly mint: Address;
  readonly tokenDecimals: bigint;
  readonly sharesDecimals: bigint;
};

type FactsReader = Pick<
  ClusterReader,
  'obligation' | 'reserve' | 'vault' | 'vaultOfShares' | 'farm' | 'farmUserAt'
>;

/**
 * Who owns what, for events of any time: a position that was closed is remembered. What was never seen here is
 * looked for among the accounts that exist now.
 */
export class OwnerIndex implements OwnerLookup {
  readonly #now: FactsReader | undefined;
  readonly #ownersOfObligations = new Map<Address, Address>();
  readonly #ownersOfUserStates = new Map<Address, Address>();
  readonly #vaultsOfMints = new Map<Address, Address>();
  readonly #mintsOfFarms = new Map<Address, Address>();
  readonly #mintsOfReserves = new Map<Address, Address>();
  readonly #vaultTokens = new Map<Address, VaultToken>();

  constructor(now?: FactsReader) {
    this.#now = now;
  }

  /** An account as it is or was; anything but an account of these programs is passed over. */
  see(address: Address, account: RawAccount): void {
    switch (identifyAccount(account).kind) {
      case 'obligation':
        // an obligation never changes hands
        if (this.#ownersOfObligations.has(address)) return;
        this.#ownersOfObligations.set(address, obligation.view(account).owner);
        return;
      case 'farmUser':
        this.#ownersOfUserStates.set(address, userState.view(account).owner);
        return;
      case 'farm':
        if (this.#mintsOfFarms.has(address)) return;
        this.#mintsOfFarms.set(address, farmState.view(account).token.mint);
        return;
      case 'reserve':
        if (this.#mintsOfReserves.has(address)) return;
        this.#mintsOfReserves.set(address, reserve.view(account).liquidity.mintPubkey);
        return;
      case 'vault':
        if (this.#vaultTokens.has(address)) return;
        this.#seeVault(address, vaultState.view(account));
        return;
      default:
    }
  }

  /** Some events name an owner that others of the same position leave out. */
  learn(events: Iterable<HistoryEvent>): void {
    for (const event of events) {
      const { wallet } = event;
      if (wallet === undefined) continue;
      if (event.area === 'lending' && event.obligation !== undefined && isOfOwner(event.kind)) {
        this.#ownersOfObligations.set(event.obligation, wallet);
      }
      if (event.area === 'farm' && event.kind !== 'transferOwnership') {
        this.#ownersOfUserStates.set(event.userState, wallet);
      }
    }
  }

  ownerOfObligation = (address: Address): Address | undefined =>
    this.#ownersOfObligations.get(address) ?? this.#now?.obligation(address)?.fields.owner;

  ownerOfUserState = (address: Address): Address | undefined =>
    this.#ownersOfUserStates.get(address) ?? this.#now?.farmUserAt(address)?.fields.owner;

  vaultOfShareMint = (mint: Address): Address | undefined =>
    this.#vaultsOfMints.get(mint) ?? this.#now?.vaultOfShares(mint)?.address;

  /** By what the farm takes: any vault's account can name any farm. */
  vaultOfFarm = (farm: Address): Address | undefined => {
    const mint = this.#mintsOfFarms.get(farm) ?? this.#now?.farm(farm)?.fields.token.mint;
    return mint && this.vaultOfShareMint(mint);
  };

  mintOfReserve = (address: Address): Address | undefined =>
    this.#mintsOfReserves.get(address) ?? this.#now?.reserve(address)?.fields.liquidity.mintPubkey;

  tokenOfVault = (address: Address): VaultToken | undefined => {
    const seen = this.#vaultTokens.get(address);
    if (seen !== undefined) return seen;
    const fields = this.#now?.vault(address)?.fields;
    return fields && vaultToken(fields);
  };

  #seeVault(address: Address, fields: VaultStateView): void {
    this.#vaultsOfMints.set(fields.sharesMint, address);
    this.#vaultTokens.set(address, vaultToken(fields));
  }
}

/** The other sides of a repayment and of a liquidation name whoever was there. */
const isOfOwner = (kind: HistoryEvent['kind']): boolean =>
  kind !== 'repayForOther' && kind !== 'liquidate';

const vaultToken = (fields: VaultStateView): VaultToken => ({
  mint: fields.tokenMint,
  tokenDecimals: fields.tokenMintDecimals,
  sharesDecimals: fields.sharesMintDecimals,
});

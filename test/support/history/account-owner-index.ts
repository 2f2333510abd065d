import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { farms, klend, kvault } from '#core/protocol/index.ts';
import type { OwnerLookup } from '#core/views/transactions/events/history-event.ts';
import {
  type TransactionView,
  viewTransaction,
} from '#core/views/transactions/transaction-view.ts';
import { encodeTransaction } from '#localnet/rpc/encoding/transaction-encoding.ts';
import { formatJson } from '#localnet/rpc/json.ts';
import type { TransactionRecord } from '#localnet/runtime/transactions/transaction-record.ts';

/** Owners, mints and vaults of the accounts that events refer to. */
export type AccountOwnerLookup = OwnerLookup & {
  shareMintOf(vault: Address): Address | undefined;
  tokenMintOf(vault: Address): Address | undefined;
  collateralMintOf(reserve: Address): Address | undefined;
};

type Accounts = Iterable<readonly [Address, RawAccount | undefined]>;

export function createAccountOwnerLookup(accounts: Accounts): AccountOwnerLookup {
  const obligations = new Map<Address, Address>();
  const states = new Map<Address, Address>();
  const vaultsOfMints = new Map<Address, Address>();
  const vaultsOfFarms = new Map<Address, Address>();
  const vaults = new Map<Address, ReturnType<typeof kvault.accounts.vaultState.view>>();
  const reserves = new Map<Address, ReturnType<typeof klend.accounts.reserve.view>>();
  for (const [address, account] of accounts) {
    if (account === undefined) continue;
    if (klend.accounts.obligation.matches(account)) {
      obligations.set(address, klend.accounts.obligation.view(account).owner);
    } else if (farms.accounts.userState.matches(account)) {
      states.set(address, farms.accounts.userState.view(account).owner);
    } else if (klend.accounts.reserve.matches(account)) {
      reserves.set(address, klend.accounts.reserve.view(account));
    } else if (kvault.accounts.vaultState.matches(account)) {
      const vault = kvault.accounts.vaultState.view(account);
      vaults.set(address, vault);
      vaultsOfMints.set(vault.sharesMint, address);
      vaultsOfFarms.set(vault.vaultFarm, address);
    }
  }
  return {
    ownerOfObligation: (obligation) => obligations.get(obligation),
    ownerOfUserState: (state) => states.get(state),
    vaultOfShareMint: (mint) => vaultsOfMints.get(mint),
    vaultOfFarm: (farm) => vaultsOfFarms.get(farm),
    mintOfReserve: (reserve) => reserves.get(reserve)?.liquidity.mintPubkey,
    shareMintOf: (vault) => vaults.get(vault)?.sharesMint,
    tokenMintOf: (vault) => vaults.get(vault)?.tokenMint,
    collateralMintOf: (reserve) => reserves.get(reserve)?.collateral.mintPubkey,
  };
}

/** Reserves by the token account of their liquidity. */
export function supplyVaultReserves(accounts: Accounts): ReadonlyMap<Address, Address> {
  const pools = new Map<Address, Address>();
  for (const [address, account] of accounts) {
    if (account === undefined || !klend.accounts.reserve.matches(account)) continue;
    pools.set(klend.accounts.reserve.view(account).liquidity.supplyVault, address);
  }
  return pools;
}

/** Reserves by the token accounts in which vaults hold cTokens. */
export function vaultCollateralReserves(accounts: Accounts): ReadonlyMap<Address, Address> {
  const reserves = new Map<Address, Address>();
  for (const [, account] of accounts) {
    if (account === undefined || !kvault.accounts.vaultState.matches(account)) continue;
    const { vaultAllocationStrategy } = kvault.accounts.vaultState.decode(account);
    for (const { ctokenVault, reserve } of vaultAllocationStrategy)
      reserves.set(ctokenVault, reserve);
  }
  return reserves;
}

const encoding = { encoding: 'json', newestVersion: 0, hasRewards: false } as const;

/** The view of a transaction as a node returns it. */
export function viewTransactionRecord(record: TransactionRecord): TransactionView {
  const { slot, unix: blockTime } = record.time;
  const json = formatJson({ slot, blockTime, ...encodeTransaction(record, encoding) });
  return viewTransaction(JSON.parse(json));
}

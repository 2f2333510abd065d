import type { Address, ClusterAccount } from '@tidegate/core/base';
import { FARMS_PROGRAM } from '@tidegate/core/protocol/farms';
import { farmState } from '@tidegate/core/protocol/farms/layout';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { lendingMarket, reserve } from '@tidegate/core/protocol/klend/layout';
import { KVAULT_PROGRAM } from '@tidegate/core/protocol/kvault';
import { vaultState } from '@tidegate/core/protocol/kvault/layout';
import { SCOPE_PROGRAM } from '@tidegate/core/protocol/scope';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  rentExemptLamports,
  SYSTEM_PROGRAM,
} from '@tidegate/core/protocol/spl';
import { configAccounts, type OwnedAccountData } from './accounts/config-accounts.ts';
import {
  encodeLookupTable,
  genesisTableAddress,
  marketLookupAddresses,
  vaultLookupAddresses,
} from './accounts/lookup-table-accounts.ts';
import { marketAddress, marketOwnerAddress } from './accounts/market.ts';
import { oracleAccounts } from './accounts/oracle.ts';
import {
  encodeStakePool,
  isStakePoolToken,
  STAKE_POOL_PROGRAM,
  stakePoolAddress,
} from './accounts/stake-pools.ts';
import { vaultAddress, vaultAdminAddress } from './accounts/vault.ts';
import type { GenesisState } from './genesis-state.ts';
import { MARKET_SPECS } from './specs/market-specs.ts';
import { TOKEN_SYMBOLS } from './specs/token-specs.ts';
import { VAULT_SPECS } from './specs/vault-specs.ts';

/** All genesis accounts, rent-exempt, and the system accounts of the keys. */
export function listGenesisAccounts(
  state: GenesisState,
  lamportsOfKeys: ReadonlyMap<Address, bigint>,
): ReadonlyMap<Address, ClusterAccount> {
  const { ledger, keys, oracle } = state;
  const owned = [
    ...configAccounts(keys),
    ...ownedBy(SCOPE_PROGRAM, oracleAccounts(keys, oracle.initialPrices(state))),
    ...ownedBy(STAKE_POOL_PROGRAM, stakePools(state)),
    ...ownedBy(KLEND_PROGRAM, encodeAll(state.markets, lendingMarket.encode)),
    ...ownedBy(KLEND_PROGRAM, encodeAll(state.reserves, reserve.encode)),
    ...ownedBy(FARMS_PROGRAM, encodeAll(state.farms, farmState.encode)),
    ...ownedBy(KVAULT_PROGRAM, encodeAll(state.vaults, vaultState.encode)),
    ...ownedBy(ADDRESS_LOOKUP_TABLE_PROGRAM, lookupTables(state)),
  ];
  const system = [...lamportsOfKeys].map(
    ([address, lamports]) =>
      [address, { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), lamports }] as const,
  );
  return new Map<Address, ClusterAccount>([
    ...owned.map(([address, account]) => [address, withRent(account)] as const),
    ...ledger.accounts(),
    ...system,
  ]);
}

const withRent = (account: OwnedAccountData): ClusterAccount => ({
  ...account,
  lamports: rentExemptLamports(account.data.length),
});

function encodeAll<Value>(
  values: ReadonlyMap<Address, Value>,
  encode: (value: Value) => Uint8Array,
): ReadonlyMap<Address, Uint8Array> {
  return new Map([...values].map(([address, value]) => [address, encode(value)]));
}

const ownedBy = (
  owner: Address,
  accounts: ReadonlyMap<Address, Uint8Array>,
): readonly (readonly [Address, OwnedAccountData])[] =>
  [...accounts].map(([address, data]) => [address, { owner, data }]);

function stakePools({ keys, startTime, days }: GenesisState): ReadonlyMap<Address, Uint8Array> {
  return new Map(
    TOKEN_SYMBOLS.filter(isStakePoolToken).map((symbol) => [
      stakePoolAddress(keys, symbol),
      encodeStakePool(keys, { symbol, days, slot: startTime.slot }),
    ]),
  );
}

function lookupTables({
  keys,
  reserves,
  vaults: vaultStates,
  startTime,
}: GenesisState): ReadonlyMap<Address, Uint8Array> {
  const markets = MARKET_SPECS.map(({ key }) => ({
    authority: marketOwnerAddress(keys, key),
    addresses: marketLookupAddresses(marketAddress(keys, key), reserves),
  }));
  const vaults = VAULT_SPECS.flatMap(({ key }) => {
    const address = vaultAddress(keys, key);
    const vault = vaultStates.get(address);
    if (vault === undefined) return [];
    const addresses = vaultLookupAddresses(address, vault, reserves);
    return [{ authority: vaultAdminAddress(keys, key), addresses }];
  });
  return new Map(
    [...markets, ...vaults].map(({ authority, addresses }) => [
      genesisTableAddress(authority, startTime),
      encodeLookupTable(authority, addresses, startTime),
    ]),
  );
}

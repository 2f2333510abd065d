import type { Address } from '../../base/address.ts';
import type { ClusterAccount } from '../../base/cluster-account.ts';
import { farmState } from '../../protocol/farms/layout/farm-state.ts';
import { FARMS_PROGRAM } from '../../protocol/farms/program.ts';
import { lendingMarket } from '../../protocol/klend/layout/lending-market.ts';
import { reserve } from '../../protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import { vaultState } from '../../protocol/kvault/layout/vault-state.ts';
import { KVAULT_PROGRAM } from '../../protocol/kvault/program.ts';
import { SCOPE_PROGRAM } from '../../protocol/scope/program.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';
import { rentExempt } from '../../protocol/spl/rent.ts';
import { configAccounts, type OwnedData } from './config-accounts.ts';
import { encodeTable, marketTable, tableAddress, vaultTable } from './lookup-tables.ts';
import { marketAddress, marketOwner } from './market.ts';
import { MARKETS } from './market-specs.ts';
import { oracleAccounts } from './oracle.ts';
import { encodeStakePool, isStaked, STAKE_POOL_PROGRAM, stakePoolAddress } from './stake-pools.ts';
import { TOKEN_SYMBOLS } from './tokens.ts';
import { vaultAddress, vaultAdmin } from './vault.ts';
import { VAULTS } from './vault-specs.ts';
import type { World } from './world.ts';

/** Every account of the founded world, each with the lamports that keep it alive, and the keys with theirs. */
export function listAccounts(
  world: World,
  lamportsOfKeys: ReadonlyMap<Address, bigint>,
): ReadonlyMap<Address, ClusterAccount> {
  const { ledger, keys, oracle } = world;
  const owned = [
    ...configAccounts(keys),
    ...ownedBy(SCOPE_PROGRAM, oracleAccounts(keys, oracle.firstPrices(world))),
    ...ownedBy(STAKE_POOL_PROGRAM, stakePools(world)),
    ...ownedBy(KLEND_PROGRAM, encoded(world.markets, lendingMarket.encode)),
    ...ownedBy(KLEND_PROGRAM, encoded(world.reserves, reserve.encode)),
    ...ownedBy(FARMS_PROGRAM, encoded(world.farms, farmState.encode)),
    ...ownedBy(KVAULT_PROGRAM, encoded(world.vaults, vaultState.encode)),
    ...ownedBy(ADDRESS_LOOKUP_TABLE_PROGRAM, lookupTables(world)),
  ];
  const system = [...lamportsOfKeys].map(
    ([address, lamports]) =>
      [address, { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), lamports }] as const,
  );
  return new Map<Address, ClusterAccount>([
    ...owned.map(([address, account]) => [address, living(account)] as const),
    ...ledger.accounts(),
    ...system,
  ]);
}

const living = (account: OwnedData): ClusterAccount => ({
  ...account,
  lamports: rentExempt(account.data.length),
});

function encoded<Value>(
  values: ReadonlyMap<Address, Value>,
  encode: (value: Value) => Uint8Array,
): ReadonlyMap<Address, Uint8Array> {
  return new Map([...values].map(([address, value]) => [address, encode(value)]));
}

const ownedBy = (
  owner: Address,
  accounts: ReadonlyMap<Address, Uint8Array>,
): readonly (readonly [Address, OwnedData])[] =>
  [...accounts].map(([address, data]) => [address, { owner, data }]);

function stakePools({ keys, founded, days }: World): ReadonlyMap<Address, Uint8Array> {
  return new Map(
    TOKEN_SYMBOLS.filter(isStaked).map((symbol) => [
      stakePoolAddress(keys, symbol),
      encodeStakePool(keys, { symbol, days, slot: founded.slot }),
    ]),
  );
}

function lookupTables({
  keys,
  reserves,
  vaults: saving,
  founded,
}: World): ReadonlyMap<Address, Uint8Array> {
  const markets = MARKETS.map(({ key }) => ({
    authority: marketOwner(keys, key),
    addresses: marketTable(marketAddress(keys, key), reserves),
  }));
  const vaults = VAULTS.flatMap(({ key }) => {
    const address = vaultAddress(keys, key);
    const vault = saving.get(address);
    if (vault === undefined) return [];
    const addresses = vaultTable(address, vault, reserves);
    return [{ authority: vaultAdmin(keys, key), addresses }];
  });
  return new Map(
    [...markets, ...vaults].map(({ authority, addresses }) => [
      tableAddress(authority, founded),
      encodeTable(authority, addresses, founded),
    ]),
  );
}

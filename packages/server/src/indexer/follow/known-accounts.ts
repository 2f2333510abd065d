import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import { reserve } from '@tidegate/core/protocol/klend/layout';
import { addressLookupTable } from '@tidegate/core/protocol/spl/layout';
import type { ClusterState, ProgramAccountKind } from '@tidegate/core/state';
import type { ChainSource } from '../../chain/source/chain-source.ts';

/** Addresses that are known without reading the cluster. */
export type KnownAddresses = {
  readonly markets: readonly KnownMarket[];
  readonly vaults: readonly Address[];
};

type KnownMarket = {
  readonly address: Address;
  readonly programId: Address;
  readonly lookupTable: Address;
};

type KnownAccountsContext = {
  readonly source: ChainSource;
  /** Contains the kinds that are read before: markets, reserves, vaults, then farms. */
  readonly state: ClusterState;
  readonly known: KnownAddresses;
};

/** Enough to recognize a reserve: its discriminator. */
const PREFIX_BYTES = 8;

/**
 * The accounts of a kind that can be found without scanning the program: from the configured addresses, from the lookup
 * tables of the markets, and from the accounts that name them. Some may not exist or belong to another program.
 */
export async function findKnownAccounts(
  kind: ProgramAccountKind,
  program: Address,
  context: KnownAccountsContext,
): Promise<ReadonlySet<Address>> {
  const found = new Set(await addressesOf(kind, program, context));
  found.delete(ZERO_ADDRESS);
  return found;
}

async function addressesOf(
  kind: ProgramAccountKind,
  program: Address,
  context: KnownAccountsContext,
): Promise<readonly Address[]> {
  const { state, known } = context;
  switch (kind) {
    case 'market':
      return marketsOf(known, program).map(({ address }) => address);
    case 'reserve':
      return findReserves(program, context);
    case 'vault':
      return known.vaults;
    case 'farm':
      return farmsOf(state);
    case 'farmsConfig':
      return farmsOf(state).map((farm) => state.farm(farm)?.fields.globalConfig ?? ZERO_ADDRESS);
    case 'prices':
      return allReserves(state).map(
        ({ fields }) => fields.config.tokenInfo.scopeConfiguration.priceFeed,
      );
    case 'farmUser':
    case 'obligation':
      return [];
  }
}

async function findReserves(
  program: Address,
  { source, known }: KnownAccountsContext,
): Promise<Address[]> {
  const tables = marketsOf(known, program)
    .map(({ lookupTable }) => lookupTable)
    .filter((table) => table !== ZERO_ADDRESS);
  const { accounts } = await source.getAccounts(tables);
  const listed = new Set(
    accounts.flatMap((account) =>
      account === undefined ? [] : [...addressLookupTable.decode(account).addresses],
    ),
  );
  const candidates = [...listed];
  const prefixes = await source.getAccounts(candidates, undefined, PREFIX_BYTES);
  return candidates.filter((_, i) => {
    const account = prefixes.accounts[i];
    return account?.owner === program && hasDiscriminator(account.data);
  });
}

const hasDiscriminator = (data: Uint8Array): boolean =>
  reserve.discriminator.every((byte, i) => byte === data[i]);

const marketsOf = ({ markets }: KnownAddresses, program: Address): readonly KnownMarket[] =>
  markets.filter(({ programId }) => programId === program);

const allReserves = (state: ClusterState) =>
  state.markets().flatMap(({ address }) => state.reservesOf(address));

function farmsOf(state: ClusterState): Address[] {
  return [
    ...allReserves(state).flatMap(({ fields }) => [fields.farmCollateral, fields.farmDebt]),
    ...state.vaults().map(({ fields }) => fields.vaultFarm),
  ];
}

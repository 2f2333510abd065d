import type { Address } from '#core/base/encoding/address.ts';
import type { Ratio } from '#core/base/numbers/decimal.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import type { ChainTime } from '#core/base/time.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { globalConfig } from '#core/protocol/farms/layout/global-config.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { withdrawTicket } from '#core/protocol/klend/layout/withdraw-ticket.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { NEWEST_RULES } from '#core/protocol/releases/program-rules.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { addressLookupTable } from '#core/protocol/spl/layout/address-lookup-table.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { identifyAccount } from '#core/state/account-kinds.ts';
import type { ClusterReader, StoredAccountWithData } from '#core/state/cluster-reader.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { UnknownValues } from '#core/state/unknown-values.ts';
import type { UnreadableAccounts } from '#core/state/unreadable-accounts.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { goldenCluster, readGolden } from './golden.ts';
import { RECORDED_BUILD_RULES } from './recorded-build.ts';

type Cluster = {
  readonly at: ChainTime;
  readonly accounts: ReadonlyMap<Address, RawAccount>;
  readonly slotMs?: Ratio;
  readonly version?: () => number;
};

/** A reader of the golden cluster with optional changes. */
export function goldenReader(changes: Partial<Cluster> = {}): ClusterReader {
  return readerOf({ ...goldenCluster(), ...changes });
}

/** A reader that scans all accounts for each lookup. */
function readerOf(cluster: Cluster): ClusterReader {
  const { at, version = () => 1, slotMs = { numerator: 400n, denominator: 1n } } = cluster;
  let unreadable: UnreadableAccounts | undefined;
  return {
    version,
    versionOf: version,
    at: () => at,
    slotMs: () => slotMs,
    rulesAt: () => ({ ...NEWEST_RULES, vaults: RECORDED_BUILD_RULES.vaults }),
    get unreadable() {
      unreadable ??= unreadableOf(cluster);
      return unreadable;
    },
    unknownValues: new UnknownValues(),
    ...lendingOf(cluster),
    ...vaultsOf(cluster),
    ...farmsOf(cluster),
    ...tablesOf(cluster),
    prices: (feed) => finder(cluster, oraclePrices).one(feed)?.fields.prices,
  };
}

/** The accounts that the state reports as unreadable. */
function unreadableOf({ accounts, at }: Cluster): UnreadableAccounts {
  const state = new ClusterState({ log: silentLog });
  for (const [address, account] of accounts) {
    if (identifyAccount(account).kind !== 'unreadable') continue;
    state.apply({ address, account, slot: at.slot });
  }
  return state.unreadable;
}

type Kind<Fields> = {
  matches(account: RawAccount): boolean;
  view(account: RawAccount): Fields;
};

/** Accounts of one type by address. */
function finder<Fields>({ accounts }: Cluster, kind: Kind<Fields>) {
  const one = (address: Address): StoredAccountWithData<Fields> | undefined => {
    const account = accounts.get(address);
    if (account === undefined || !kind.matches(account)) return undefined;
    if (identifyAccount(account).kind === 'unreadable') return undefined;
    return { address, program: account.owner, fields: kind.view(account), data: account.data };
  };
  const all = (): StoredAccountWithData<Fields>[] =>
    [...accounts.keys()].sort().flatMap((a) => one(a) ?? []);
  return { one, all };
}

function lendingOf(cluster: Cluster) {
  const markets = finder(cluster, lendingMarket);
  const reserves = finder(cluster, reserve);
  const obligations = finder(cluster, obligation);
  const tickets = finder(cluster, withdrawTicket);
  return {
    markets: markets.all,
    market: markets.one,
    reserve: reserves.one,
    reservesOf: (market: Address) =>
      reserves.all().filter(({ fields }) => fields.lendingMarket === market),
    obligation: obligations.one,
    obligationsOf: (owner: Address) =>
      obligations.all().filter(({ fields }) => fields.owner === owner),
    obligationsIn: (market: Address) =>
      obligations.all().filter(({ fields }) => fields.lendingMarket === market),
    withdrawTicketsIn: (reserve: Address) =>
      tickets.all().filter(({ fields }) => fields.reserve === reserve),
    withdrawTicketsOf: (owner: Address) =>
      tickets.all().filter(({ fields }) => fields.owner === owner),
  };
}

function vaultsOf(cluster: Cluster) {
  const vaults = finder(cluster, vaultState);
  const tokenAccounts = finder(cluster, tokenAccount);
  const balancesOf = (mint: Address) =>
    tokenAccounts.all().filter(({ fields }) => fields.mint === mint && fields.amount > 0n);
  const shareBalances = (mint: Address) =>
    balancesOf(mint)
      .filter(({ address, fields }) => address === associated(fields.owner, mint))
      .map(({ fields }) => ({ owner: fields.owner, amount: fields.amount }));
  return {
    vaults: vaults.all,
    vault: vaults.one,
    vaultOfShares: (mint: Address) => vaults.all().find(({ fields }) => fields.sharesMint === mint),
    shareBalances,
    shareBalance: (mint: Address, owner: Address) =>
      tokenAccounts.one(associated(owner, mint))?.fields.amount ?? 0n,
    shareOwners: (mint: Address) => [
      ...new Set(balancesOf(mint).map(({ fields }) => fields.owner)),
    ],
  };
}

const associated = (owner: Address, mint: Address): Address =>
  associatedTokenAddress(owner, mint, TOKEN_PROGRAM);

function farmsOf(cluster: Cluster) {
  const farms = finder(cluster, farmState);
  const users = finder(cluster, userState);
  return {
    farm: farms.one,
    farmsConfig: (address: Address) => finder(cluster, globalConfig).one(address)?.fields,
    farmUser: (farm: Address, delegatee: Address) =>
      users.all().find(({ fields }) => fields.farmState === farm && fields.delegatee === delegatee),
    farmUserAt: users.one,
    farmUsersOf: (owner: Address) => users.all().filter(({ fields }) => fields.owner === owner),
    farmUsersIn: (farm: Address) => users.all().filter(({ fields }) => fields.farmState === farm),
  };
}

/** Lookup tables of vaults, and of markets, which only the registry has. */
function tablesOf(cluster: Cluster) {
  const all = finder(cluster, { ...addressLookupTable, view: addressLookupTable.decode }).all;
  const named = (): Address[] => {
    const { markets } = readGolden('cluster.json') as { markets: { lookupTable: Address }[] };
    const vaults = finder(cluster, vaultState).all();
    return [
      ...markets.map(({ lookupTable }) => lookupTable),
      ...vaults.map(({ fields }) => fields.vaultLookupTable),
    ];
  };
  const lookupTables = () => all().filter(({ address }) => named().includes(address));
  return {
    lookupTables,
    lookupTable: (table: Address) => lookupTables().find(({ address }) => address === table),
  };
}

import type { Address } from '#core/base/encoding/address.ts';
import { userMetadata } from '#core/protocol/klend/layout/user-metadata.ts';
import { userMetadataAddress } from '#core/protocol/klend/pda.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { goldenCluster, readGolden } from './golden.ts';

type Named = { readonly name: string; readonly address: Address };

type GoldenReserve = {
  readonly address: Address;
  readonly liquiditySupply: Address;
  readonly scopeFeed: Address;
};

type GoldenMarket = Named & {
  readonly lookupTable: Address;
  readonly reserves: Readonly<Record<string, GoldenReserve>>;
};

type GoldenVault = Named & {
  readonly sharesMint: Address;
  readonly authority: Address;
  readonly tokenVault: Address;
  readonly lut: Address;
  readonly farm: Address;
  readonly allocations: readonly { readonly reserve: Address; readonly ctokenVault: Address }[];
};

type GoldenUser = Named & { readonly obligations: readonly { readonly address: Address }[] };

type GoldenToken = { readonly mint: Address; readonly tokenProgram: Address };

type ClusterFile = {
  readonly markets: readonly GoldenMarket[];
  readonly vaults: readonly GoldenVault[];
  readonly users: readonly GoldenUser[];
  readonly tokens: Readonly<Record<string, GoldenToken>>;
};

let file: ClusterFile | undefined;

function cluster(): ClusterFile {
  file ??= readGolden('cluster.json') as ClusterFile;
  return file;
}

export const goldenMarket = (name: 'Main Market' | 'JLP Market'): GoldenMarket =>
  named(cluster().markets, name);

export const goldenReserve = (
  market: 'Main Market' | 'JLP Market',
  token: 'SOL' | 'USDC' | 'USDT' | 'JITOSOL' | 'PYUSD' | 'CBBTC' | 'JLP',
): GoldenReserve => present(goldenMarket(market).reserves[token], `reserve ${token}`);

export const goldenVault = (name: 'Steady USDC' | 'SOL Earn'): GoldenVault =>
  named(cluster().vaults, name);

export const goldenUser = (name: string): GoldenUser => named(cluster().users, name);

/** The first loan of a user. */
export const goldenLoan = (userName: string): Address =>
  present(goldenUser(userName).obligations[0], `loan of ${userName}`).address;

/** The associated token account of a user. */
export function goldenTokenAddress(userName: string, token: 'USDC' | 'SOL' | 'PYUSD'): Address {
  const { mint, tokenProgram } = present(cluster().tokens[token], token);
  return associatedTokenAddress(goldenUser(userName).address, mint, tokenProgram);
}

/** The lookup table that a user's metadata names. */
export function goldenUserTable(userName: string): Address {
  const address = userMetadataAddress(goldenUser(userName).address);
  const account = present(goldenCluster().accounts.get(address), `metadata of ${userName}`);
  return userMetadata.decode(account).userLookupTable;
}

/** Number of addresses in a lookup table. */
export function goldenTableLength(table: Address): number {
  return (present(goldenCluster().accounts.get(table), table).data.length - 56) / 32;
}

export const goldenReserveCount = (): number =>
  cluster().markets.reduce((sum, { reserves }) => sum + Object.keys(reserves).length, 0);

function named<Item extends Named>(items: readonly Item[], name: string): Item {
  return present(
    items.find((item) => item.name === name),
    name,
  );
}

function present<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The golden data has no ${name}.`);
  return value;
}

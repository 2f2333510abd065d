import { readFileSync } from 'node:fs';
import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import type { Cluster } from '../../clusters/served-clusters.ts';
import type { OperationContext } from '../operation-context.ts';

/** Addresses in the examples by role, written by `npm run examples`. */
const FILE = new URL('../../../generated/example-addresses.json', import.meta.url);

/** Loans to look at for one with a deposit and a debt. */
const MAX_LOANS = 500;

type Roles = Readonly<Record<string, Address | undefined>>;

/** For each address in the examples, the address on the primary cluster that has the same role. */
export function mapExampleAddresses(context: OperationContext): Record<string, string> {
  const [cluster] = context.clusters.all;
  if (cluster === undefined || cluster.reader.at().slot === 0n) return {};
  const examples = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>;
  const actual = rolesOf(context, cluster);
  return Object.fromEntries(
    Object.entries(examples).flatMap(([role, example]) => {
      const address = actual[role];
      return address === undefined ? [] : [[example, address]];
    }),
  );
}

function rolesOf({ demo }: OperationContext, cluster: Cluster): Roles {
  const { reader, registry } = cluster;
  const known = demo()?.addresses;
  const loan = known === undefined ? findLoan(cluster) : undefined;
  const market = known?.market ?? loan?.market ?? reader.markets()[0]?.address;
  const vault = known?.vault ?? findVault(reader);
  const { sharesMint, vaultFarm } = (vault && reader.vault(vault)?.fields) ?? {};
  const reserves = market === undefined ? [] : reader.reservesOf(market);
  const staked = reserves.find(({ fields }) =>
    registry.stakePools.has(fields.liquidity.mintPubkey),
  );
  return {
    market,
    vault,
    sharesMint,
    farm: vaultFarm,
    wallet: known?.wallet ?? loan?.owner,
    obligation: known?.obligation ?? loan?.address,
    reserve: known?.deposit.reserve ?? loan?.deposit ?? reserves[0]?.address,
    borrowReserve: known?.borrow.reserve ?? loan?.borrow ?? reserves[0]?.address,
    stakedReserve: staked?.address,
  };
}

/** A loan with a deposit and a debt, in the first listed market that has one. */
function findLoan({ reader, registry }: Cluster) {
  const listed = registry.markets.map(({ address }) => address);
  const markets = listed.length > 0 ? listed : reader.markets().map(({ address }) => address);
  let left = MAX_LOANS;
  for (const market of markets) {
    for (const { address, fields } of reader.obligationsIn(market)) {
      left -= 1;
      if (left < 0) return undefined;
      const deposit = [...fields.deposits].map((each) => each.depositReserve).find(isSet);
      const borrow = [...fields.borrows].map((each) => each.borrowReserve).find(isSet);
      if (deposit && borrow) return { address, owner: fields.owner, market, deposit, borrow };
    }
  }
  return undefined;
}

const isSet = (address: Address): boolean => address !== ZERO_ADDRESS;

/** A vault with shares and a farm, or else any. */
function findVault(reader: ClusterReader): Address | undefined {
  const vaults = reader.vaults();
  const staked = vaults.find(({ fields }) => fields.sharesIssued > 0n && isSet(fields.vaultFarm));
  return (staked ?? vaults[0])?.address;
}

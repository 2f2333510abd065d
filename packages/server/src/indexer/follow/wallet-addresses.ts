import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import { userStateAddress } from '@tidegate/core/protocol/farms';
import { obligationAddress } from '@tidegate/core/protocol/klend';
import type { ObligationView } from '@tidegate/core/protocol/klend/layout';
import type { ClusterReader } from '@tidegate/core/state';

type Market = ReturnType<ClusterReader['markets']>[number];

/**
 * Addresses that loans of a wallet can have: the plain loan of each market, a lending loan per reserve, and multiply and
 * leverage loans of the pairs in elevation groups. Loans of other pairs or with another id are not among them.
 */
export function deriveObligationAddresses(reader: ClusterReader, owner: Address): Address[] {
  return reader.markets().flatMap((market) => {
    const { address: lendingMarket, program } = market;
    const of = { owner, lendingMarket };
    const lending = reader.reservesOf(lendingMarket).map(({ fields }) => ({
      ...of,
      kind: 'lending' as const,
      mint: fields.liquidity.mintPubkey,
    }));
    const pairs = elevationGroupPairs(reader, market).flatMap((pair) => [
      { ...of, ...pair, kind: 'multiply' as const },
      { ...of, ...pair, kind: 'leverage' as const },
    ]);
    return [{ ...of, kind: 'vanilla' as const }, ...lending, ...pairs].map((input) =>
      obligationAddress(input, program),
    );
  });
}

/** Addresses of the wallet's stakes in vault farms, and of its loans in the farms of their reserves. */
export function deriveFarmUserAddresses(
  reader: ClusterReader,
  owner: Address,
  loans: readonly { readonly address: Address; readonly fields: ObligationView }[],
): Address[] {
  const stakes = reader
    .vaults()
    .map(({ fields }) => ({ farm: fields.vaultFarm, delegatee: owner }));
  const loanFarms = loans.flatMap(({ address: delegatee, fields }) => [
    ...[...fields.deposits].map(({ depositReserve }) => ({
      farm: reader.reserve(depositReserve)?.fields.farmCollateral ?? ZERO_ADDRESS,
      delegatee,
    })),
    ...[...fields.borrows].map(({ borrowReserve }) => ({
      farm: reader.reserve(borrowReserve)?.fields.farmDebt ?? ZERO_ADDRESS,
      delegatee,
    })),
  ]);
  return [...stakes, ...loanFarms].flatMap(({ farm, delegatee }) => {
    const program = reader.farm(farm)?.program;
    return program === undefined ? [] : [userStateAddress(farm, delegatee, program)];
  });
}

/** Mints of each reserve in an elevation group, with the mint of the group's debt reserve. */
function elevationGroupPairs(reader: ClusterReader, { address, fields }: Market) {
  const reserves = reader.reservesOf(address);
  return [...fields.elevationGroups].flatMap(({ id, debtReserve }) => {
    const debtMint = reader.reserve(debtReserve)?.fields.liquidity.mintPubkey;
    if (id === 0 || debtMint === undefined) return [];
    return reserves
      .filter((each) => each.fields.config.elevationGroups.includes(id))
      .map((each) => ({ collateralMint: each.fields.liquidity.mintPubkey, debtMint }))
      .filter(({ collateralMint }) => collateralMint !== debtMint);
  });
}

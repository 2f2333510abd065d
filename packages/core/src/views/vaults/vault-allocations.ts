import type { Address } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import {
  divRatioOrZero,
  mulRatio,
  ratioOfSf,
  ratioOfUnits,
  sumRatios,
  ZERO_RATIO,
} from '../../base/numbers/ratio.ts';
import { type Sf, sfFromInt, ZERO_SF } from '../../base/numbers/scaled-fraction.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { usedAllocations } from '../../protocol/kvault/math/holdings.ts';
import type { AddressedAccount } from '../lending/market-snapshot.ts';
import { sfToWholeTokens } from './vault-metrics.ts';
import type { VaultReserve } from './vault-reserves.ts';
import type { VaultSnapshot } from './vault-snapshot.ts';

/** A part of a vault's holdings: whole tokens, USD, and percent of all holdings. */
export type AllocatedAmount = { readonly tokens: Ratio; readonly usd: Ratio; readonly pct: Ratio };

/** A token that can collateralize loans of a reserve. */
type CollateralToken = {
  readonly reserve: Address;
  readonly mint: Address;
  readonly symbol: string;
  /** The loan-to-value percentage at which a loan against it is liquidated. */
  readonly liquidationLtvPct: number;
};

export type VaultAllocationMetrics = AllocatedAmount & {
  readonly reserve: VaultReserve;
  /** Percent of all weights, including the unallocated weight. */
  readonly targetWeightPct: Ratio;
  /** Whole tokens; undefined without a cap. */
  readonly cap: Ratio | undefined;
  readonly collateral: readonly CollateralToken[];
};

export type VaultAllocationsReport = {
  readonly investedUsd: Ratio;
  /** The part of the holdings that is lent out, by the utilization of each reserve. */
  readonly utilization: Ratio;
  readonly allocations: readonly VaultAllocationMetrics[];
  readonly unallocated: AllocatedAmount;
};

/** In the order of the vault's account. `reservesOf` returns the reserves of a market. */
export function viewVaultAllocations(
  vault: VaultSnapshot,
  reservesOf: (market: Address) => readonly AddressedAccount<ReserveView>[],
): VaultAllocationsReport {
  const { fields, holdings, totalHoldings } = vault;
  const liquidity = new Map(holdings.invested.map((part) => [part.reserve, part.liquidity]));
  const used = usedAllocations(fields);
  const weights = used.reduce(
    (sum, { targetAllocationWeight }) => sum + targetAllocationWeight,
    fields.unallocatedWeight,
  );
  const allocations = used.flatMap((allocation) => {
    const reserve = vault.reserves.get(allocation.reserve);
    if (reserve === undefined) return [];
    const cap = allocation.tokenAllocationCap;
    return {
      ...partOf(vault, liquidity.get(allocation.reserve) ?? ZERO_SF),
      reserve,
      targetWeightPct: percent(allocation.targetAllocationWeight, weights),
      cap: cap === U64_MAX ? undefined : ratioOfUnits(cap, fields.tokenMintDecimals),
      collateral: collateralFor(allocation.reserve, reservesOf(reserve.market.address)),
    };
  });
  const lent = allocations.map(({ tokens, reserve }) =>
    mulRatio(tokens, ratioOfSf(reserve.rates.utilization)),
  );
  return {
    investedUsd: partOf(vault, holdings.investedTotal).usd,
    utilization: divRatioOrZero(
      sumRatios(lent),
      sfToWholeTokens(totalHoldings, fields.tokenMintDecimals),
    ),
    allocations,
    unallocated: partOf(vault, sfFromInt(holdings.available)),
  };
}

function partOf({ fields, totalHoldings, tokenPrice }: VaultSnapshot, amount: Sf): AllocatedAmount {
  const tokens = sfToWholeTokens(amount, fields.tokenMintDecimals);
  const usd = mulRatio(tokens, tokenPrice ?? ZERO_RATIO);
  return { tokens, usd, pct: percent(amount, totalHoldings) };
}

const percent = (part: bigint, whole: bigint): Ratio =>
  whole === 0n ? ZERO_RATIO : { numerator: part * 100n, denominator: whole };

/** Every other reserve of the market with a liquidation threshold. */
function collateralFor(
  debt: Address,
  reserves: readonly AddressedAccount<ReserveView>[],
): readonly CollateralToken[] {
  return reserves.flatMap(({ address, fields }) => {
    const { liquidationThresholdPct, tokenInfo } = fields.config;
    if (address === debt || liquidationThresholdPct === 0) return [];
    return {
      reserve: address,
      mint: fields.liquidity.mintPubkey,
      symbol: bytesToText(tokenInfo.name),
      liquidationLtvPct: liquidationThresholdPct,
    };
  });
}

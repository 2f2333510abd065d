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
import type { Placed } from '../lending/market-snapshot.ts';
import { sfToWholeTokens } from './vault-metrics.ts';
import type { VaultReserve } from './vault-reserves.ts';
import type { VaultSnapshot } from './vault-snapshot.ts';

/** A part of what a vault holds: whole tokens, USD, and percent of all that it holds. */
export type AllocatedAmount = { readonly tokens: Ratio; readonly usd: Ratio; readonly pct: Ratio };

/** What can be pledged for loans of a reserve that the vault lends to. */
type PledgedToken = {
  readonly reserve: Address;
  readonly mint: Address;
  readonly symbol: string;
  /** Percent of its value at which a loan against it is liquidated. */
  readonly liquidationLtvPct: number;
};

export type VaultAllocationMetrics = AllocatedAmount & {
  readonly reserve: VaultReserve;
  /** Percent of all weights, that of what stays unallocated included. */
  readonly targetWeightPct: Ratio;
  /** Whole tokens; undefined for no cap. */
  readonly cap: Ratio | undefined;
  readonly collateral: readonly PledgedToken[];
};

export type VaultAllocationsReport = {
  readonly investedUsd: Ratio;
  /** The part of everything the vault holds that borrowers have, by the utilization of each reserve. */
  readonly utilization: Ratio;
  readonly allocations: readonly VaultAllocationMetrics[];
  readonly unallocated: AllocatedAmount;
};

/** In the order of the vault's account. `reservesOf` tells the reserves of a market. */
export function viewVaultAllocations(
  vault: VaultSnapshot,
  reservesOf: (market: Address) => readonly Placed<ReserveView>[],
): VaultAllocationsReport {
  const { fields, holdings, held } = vault;
  const liquidity = new Map(holdings.invested.map((part) => [part.reserve, part.liquidity]));
  const used = usedAllocations(fields);
  const weights = used.reduce(
    (sum, { targetAllocationWeight }) => sum + targetAllocationWeight,
    fields.unallocatedWeight,
  );
  const allocations = used.flatMap((place) => {
    const reserve = vault.reserves.get(place.reserve);
    if (reserve === undefined) return [];
    const cap = place.tokenAllocationCap;
    return {
      ...partOf(vault, liquidity.get(place.reserve) ?? ZERO_SF),
      reserve,
      targetWeightPct: percent(place.targetAllocationWeight, weights),
      cap: cap === U64_MAX ? undefined : ratioOfUnits(cap, fields.tokenMintDecimals),
      collateral: pledgedFor(place.reserve, reservesOf(reserve.market.address)),
    };
  });
  const lent = allocations.map(({ tokens, reserve }) =>
    mulRatio(tokens, ratioOfSf(reserve.rates.utilization)),
  );
  return {
    investedUsd: partOf(vault, holdings.investedTotal).usd,
    utilization: divRatioOrZero(sumRatios(lent), sfToWholeTokens(held, fields.tokenMintDecimals)),
    allocations,
    unallocated: partOf(vault, sfFromInt(holdings.available)),
  };
}

function partOf({ fields, held, tokenPrice }: VaultSnapshot, amount: Sf): AllocatedAmount {
  const tokens = sfToWholeTokens(amount, fields.tokenMintDecimals);
  const usd = mulRatio(tokens, tokenPrice ?? ZERO_RATIO);
  return { tokens, usd, pct: percent(amount, held) };
}

const percent = (part: bigint, whole: bigint): Ratio =>
  whole === 0n ? ZERO_RATIO : { numerator: part * 100n, denominator: whole };

/** Every other reserve of the market that loans can be liquidated against, in their order. */
function pledgedFor(
  debt: Address,
  reserves: readonly Placed<ReserveView>[],
): readonly PledgedToken[] {
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

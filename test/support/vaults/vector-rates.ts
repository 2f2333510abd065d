import { sfFromBits } from '#core/base/numbers/scaled-fraction.ts';
import type { CTokenExchangeRate } from '#core/protocol/klend/math/exact-ratio.ts';

/** A reserve whose S cTokens are worth L bits, which are lamports times 2^60. */
export type VectorRate = { readonly L: bigint; readonly S: bigint };

export const L0: VectorRate = {
  L: 73_929_312_281_779_856_681_222_178_258_142n,
  S: 57_654_321_098_765n,
};

export const THREE_PER_TWO: VectorRate = {
  L: 3_458_764_513_820_540_928_000_000_000_000n,
  S: 2_000_000_000_000n,
};

/** A little more than ten lamports per cToken: by 2^-60 / 3. */
export const BELOW_60_BITS: VectorRate = { L: 34_587_645_138_205_409_281n, S: 3n };

export const exchangeOf = ({ L, S }: VectorRate): CTokenExchangeRate => ({
  totalSupply: sfFromBits(L),
  mintTotalSupply: S,
});

import { toLamports } from '../../../base/numbers/lamports.ts';
import { requireMovement, tokenMovements } from '../../spl/token-movements.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import type {
  redeemFees,
  topupReserveRewards,
  withdrawProtocolFee,
  withdrawReferrerFees,
} from '../instructions/administration.ts';
import type { KlendEventBody } from './klend-event.ts';

type RedeemCall = ReturnType<typeof redeemFees.decode>;
type ProtocolCall = ReturnType<typeof withdrawProtocolFee.decode>;
type ReferrerCall = ReturnType<typeof withdrawReferrerFees.decode>;
type TopupCall = ReturnType<typeof topupReserveRewards.decode>;

export function readRedeemedFees({ accounts }: RedeemCall, call: Call): KlendEventBody {
  const { lendingMarket, reserve, reserveLiquidityMint: liquidityMint } = accounts;
  const liquidityAmount = transferred(call, {
    source: accounts.reserveSupplyLiquidity,
    destination: accounts.reserveLiquidityFeeReceiver,
  });
  return { kind: 'redeemFees', lendingMarket, reserve, liquidityMint, liquidityAmount };
}

export function readProtocolFee({ accounts }: ProtocolCall, call: Call): KlendEventBody {
  const { lendingMarket, reserve, reserveLiquidityMint: liquidityMint } = accounts;
  const { feeVault: source, feeCollectorAta: destination } = accounts;
  const liquidityAmount = transferred(call, { source, destination });
  return { kind: 'withdrawProtocolFee', lendingMarket, reserve, liquidityMint, liquidityAmount };
}

export function readReferrerFees({ accounts }: ReferrerCall, call: Call): KlendEventBody {
  const { referrer, lendingMarket, reserve, reserveLiquidityMint: liquidityMint } = accounts;
  const { reserveSupplyLiquidity: source, referrerTokenAccount: destination } = accounts;
  return {
    kind: 'withdrawReferrerFees',
    referrer,
    lendingMarket,
    reserve,
    liquidityMint,
    liquidityAmount: transferred(call, { source, destination }),
  };
}

export function readRewardsTopup({ accounts }: TopupCall, call: Call): KlendEventBody {
  const { signer: payer, lendingMarket, reserve, reserveLiquidityMint: liquidityMint } = accounts;
  const { sourceLiquidity: source, reserveLiquiditySupply: destination } = accounts;
  return {
    kind: 'topupReserveRewards',
    payer,
    lendingMarket,
    reserve,
    liquidityMint,
    liquidityAmount: transferred(call, { source, destination }),
  };
}

type Transfer = {
  readonly source: RedeemCall['accounts']['reserve'];
  readonly destination: RedeemCall['accounts']['reserve'];
};

const transferred = (call: Call, { source, destination }: Transfer) =>
  toLamports(
    requireMovement(
      tokenMovements(call.children).transferred(source, destination),
      'transfer of tokens',
    ),
  );

import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import {
  flashBorrowReserveLiquidity,
  flashRepayReserveLiquidity,
} from '../../protocol/klend/instructions/borrows.ts';
import { liquidateObligationAndRedeemReserveCollateralV2 } from '../../protocol/klend/instructions/liquidation.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import {
  type AccountRule,
  type AllowedInstruction,
  absent,
  allowInstruction,
  equals,
  instructionsSysvar,
  signingWallet,
  tokenProgram,
} from './account-rules.ts';
import {
  farmsProgram,
  knownReserve,
  marketAuthority,
  marketReserves,
  refreshedObligation,
  reserveRules,
} from './lending-account-rules.ts';

const repaid = reserveRules('repayReserve');
const seized = reserveRules('withdrawReserve');
const lent = reserveRules('reserve');

/** A reserve of the market of the instruction. */
const marketReserve: AccountRule = (address, call) =>
  knownReserve(address, call) &&
  call.context.state.reserve(address ?? ZERO_ADDRESS)?.fields.lendingMarket ===
    call.accounts['lendingMarket'];

/** The obligation's account in the farm that is in the account `name`. */
const farmUserIn = (name: string): AccountRule =>
  equals(({ accounts, context }) => {
    const [farm, obligation] = [accounts[name], accounts['obligation']];
    return farm === undefined || obligation === undefined
      ? undefined
      : context.derive(userStateAddress, farm, obligation);
  });

const walletCollateral = equals(({ accounts, context }) => {
  const reserve = context.state.reserve(accounts['withdrawReserve'] ?? ZERO_ADDRESS);
  return reserve && context.tokenAccount(reserve.fields.collateral.mintPubkey, TOKEN_PROGRAM);
});

const flashLoanRules = {
  userTransferAuthority: signingWallet,
  lendingMarketAuthority: marketAuthority,
  lendingMarket: lent.market,
  reserve: knownReserve,
  reserveLiquidityMint: lent.mint,
  reserveLiquidityFeeReceiver: lent.fees,
  referrerTokenState: absent,
  referrerAccount: absent,
  sysvarInfo: instructionsSysvar,
  tokenProgram: lent.tokenProgram,
};

/** Instructions of the lending program that are not about a loan of the wallet alone. */
export const allowedMarketInstructions: readonly AllowedInstruction[] = [
  allowInstruction(
    liquidateObligationAndRedeemReserveCollateralV2,
    {
      liquidator: signingWallet,
      obligation: refreshedObligation,
      lendingMarket: repaid.market,
      lendingMarketAuthority: marketAuthority,
      repayReserve: marketReserve,
      repayReserveLiquidityMint: repaid.mint,
      repayReserveLiquiditySupply: repaid.supply,
      withdrawReserve: marketReserve,
      withdrawReserveLiquidityMint: seized.mint,
      withdrawReserveCollateralMint: seized.collateralMint,
      withdrawReserveCollateralSupply: seized.collateralSupply,
      withdrawReserveLiquiditySupply: seized.supply,
      withdrawReserveLiquidityFeeReceiver: seized.fees,
      userSourceLiquidity: repaid.walletTokens,
      userDestinationCollateral: walletCollateral,
      userDestinationLiquidity: seized.walletTokens,
      collateralTokenProgram: tokenProgram,
      repayLiquidityTokenProgram: repaid.tokenProgram,
      withdrawLiquidityTokenProgram: seized.tokenProgram,
      instructionSysvarAccount: instructionsSysvar,
      collateralObligationFarmUserState: farmUserIn('collateralReserveFarmState'),
      collateralReserveFarmState: seized.collateralFarm,
      debtObligationFarmUserState: farmUserIn('debtReserveFarmState'),
      debtReserveFarmState: repaid.debtFarm,
      farmsProgram,
    },
    {
      args: ({ maxAllowedLtvOverridePercent }) => maxAllowedLtvOverridePercent === 0n,
      remaining: marketReserves,
    },
  ),
  allowInstruction(flashBorrowReserveLiquidity, {
    ...flashLoanRules,
    reserveSourceLiquidity: lent.supply,
    userDestinationLiquidity: lent.walletTokens,
  }),
  allowInstruction(flashRepayReserveLiquidity, {
    ...flashLoanRules,
    reserveDestinationLiquidity: lent.supply,
    userSourceLiquidity: lent.walletTokens,
  }),
];

import { farmAccounts, reserveAccounts } from '../bytes/derived-addresses.ts';
import {
  FARMS_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_PROGRAMS,
} from '../bytes/programs.ts';
import type { ReserveData } from '../chain/chain-data.ts';
import {
  type AccountRule,
  type AccountRules,
  always,
  anyOf,
  checkedByProgram,
  exactly,
  storedOnChain,
} from './account-rules.ts';
import type { LiquidationContext } from './liquidation-context.ts';

type Rule = AccountRule<LiquidationContext>;
type Side = 'repay' | 'withdraw';
type Derivation = (program: string, ...addresses: readonly string[]) => string;

const ofReserve = (side: Side, derive: Derivation, pick: (data: ReserveData) => string): Rule =>
  storedOnChain({
    value: (context) => {
      const { data } = context[side];
      return data && pick(data);
    },
    derived: (context) => [
      derive(context.program, context[side].reserve),
      derive(context.program, context.market, context[side].mint),
    ],
  });

const mintOf = (side: Side): Rule =>
  storedOnChain({ value: (context) => context[side].data?.mint });

const tokenProgramOf = (side: Side): Rule =>
  storedOnChain({
    value: (context) => context[side].data?.tokenProgram,
    derived: () => TOKEN_PROGRAMS,
  });

const farmOf = (side: Side): Rule =>
  storedOnChain({
    code: 'WRONG_FARM',
    value: (context) => {
      const { data } = context[side];
      return data && (side === 'repay' ? data.farmDebt : data.farmCollateral);
    },
  });

/** The loan's account in the farm that the instruction names beside it. */
const stakeOf = (farm: string): Rule =>
  exactly('WRONG_FARM', ({ loan }, { accounts }) => {
    const state = accounts[farm];
    return state && farmAccounts.userState(state, loan);
  });

const wallet: Rule = exactly('WRONG_WALLET', (context) => context.wallet);

export const liquidationRules: AccountRules<LiquidationContext> = {
  liquidator: wallet,
  obligation: exactly('WRONG_LOAN', ({ loan }) => loan),
  lendingMarket: exactly('WRONG_MARKET', ({ market }) => market),
  lendingMarketAuthority: exactly('WRONG_MARKET', ({ marketAuthority }) => marketAuthority),
  repayReserve: exactly('WRONG_RESERVE', ({ repay }) => repay.reserve),
  repayReserveLiquidityMint: mintOf('repay'),
  repayReserveLiquiditySupply: ofReserve(
    'repay',
    reserveAccounts.liquiditySupply,
    (data) => data.supplyVault,
  ),
  withdrawReserve: exactly('WRONG_RESERVE', ({ withdraw }) => withdraw.reserve),
  withdrawReserveLiquidityMint: mintOf('withdraw'),
  withdrawReserveCollateralMint: exactly('WRONG_ACCOUNT', ({ collateralMint }) => collateralMint),
  withdrawReserveCollateralSupply: ofReserve(
    'withdraw',
    reserveAccounts.collateralSupply,
    (data) => data.collateralVault,
  ),
  withdrawReserveLiquiditySupply: ofReserve(
    'withdraw',
    reserveAccounts.liquiditySupply,
    (data) => data.supplyVault,
  ),
  withdrawReserveLiquidityFeeReceiver: ofReserve(
    'withdraw',
    reserveAccounts.feeReceiver,
    (data) => data.feeVault,
  ),
  userSourceLiquidity: exactly('WRONG_TOKEN_ACCOUNT', ({ repay }) => repay.tokenAccount),
  userDestinationCollateral: exactly('WRONG_TOKEN_ACCOUNT', (context) => context.collateralAccount),
  userDestinationLiquidity: exactly('WRONG_TOKEN_ACCOUNT', ({ withdraw }) => withdraw.tokenAccount),
  collateralTokenProgram: always(TOKEN_PROGRAM),
  repayLiquidityTokenProgram: tokenProgramOf('repay'),
  withdrawLiquidityTokenProgram: tokenProgramOf('withdraw'),
  instructionSysvarAccount: always(INSTRUCTIONS_SYSVAR),
  collateralObligationFarmUserState: stakeOf('collateralReserveFarmState'),
  collateralReserveFarmState: farmOf('withdraw'),
  debtObligationFarmUserState: stakeOf('debtReserveFarmState'),
  debtReserveFarmState: farmOf('repay'),
  farmsProgram: always(FARMS_PROGRAM),
};

/** The loan's missing accounts in the farms of the liquidation; the program checks who owns the loan. */
export const liquidationFarmRules: AccountRules<LiquidationContext> = {
  payer: wallet,
  owner: checkedByProgram(),
  obligation: exactly('WRONG_LOAN', ({ loan }) => loan),
  lendingMarketAuthority: exactly('WRONG_MARKET', ({ marketAuthority }) => marketAuthority),
  reserve: anyOf('WRONG_RESERVE', ({ repay, withdraw }, { args }) => [
    args['mode'] === 1n ? repay.reserve : withdraw.reserve,
  ]),
  reserveFarmState: exactly('WRONG_FARM', ({ main }, { args }) => {
    const name = args['mode'] === 1n ? 'debtReserveFarmState' : 'collateralReserveFarmState';
    return main.accounts[name] ?? '';
  }),
  obligationFarm: stakeOf('reserveFarmState'),
  lendingMarket: exactly('WRONG_MARKET', ({ market }) => market),
  farmsProgram: always(FARMS_PROGRAM),
  rent: always(RENT_SYSVAR),
  systemProgram: always(SYSTEM_PROGRAM),
};

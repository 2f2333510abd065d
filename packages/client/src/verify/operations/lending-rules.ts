import { farmAccounts, referrerTokenState, reserveAccounts } from '../bytes/derived-addresses.ts';
import {
  FARMS_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_PROGRAMS,
} from '../bytes/programs.ts';
import type { ReserveData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import {
  type AccountRule,
  type AccountRules,
  always,
  checkedByProgram,
  exactly,
  storedOnChain,
} from './account-rules.ts';
import type { LendingContext } from './lending-context.ts';

type Rule = AccountRule<LendingContext>;

const wallet: Rule = exactly('WRONG_WALLET', (context) => context.wallet);
const metadata: Rule = exactly('WRONG_ACCOUNT', (context) => context.metadata);
const actedReserve: Rule = exactly('WRONG_RESERVE', (context) => context.reserve);
const tokenAccount: Rule = exactly('WRONG_TOKEN_ACCOUNT', (context) => context.tokenAccount);
const systemProgram: Rule = always(SYSTEM_PROGRAM);

type Derivation = (program: string, ...addresses: readonly string[]) => string;

/** An account of the reserve. Early deployments derived it from the market and the mint. */
const ofReserve = (derive: Derivation, pick: (data: ReserveData) => string): Rule =>
  storedOnChain({
    value: ({ reserves, reserve }) => {
      const data = reserves[reserve];
      return data && pick(data);
    },
    derived: ({ program, reserve, market, mint }) => [
      derive(program, reserve),
      derive(program, market, mint),
    ],
  });

const liquiditySupply = ofReserve(reserveAccounts.liquiditySupply, (data) => data.supplyVault);
const collateralSupply = ofReserve(
  reserveAccounts.collateralSupply,
  (data) => data.collateralVault,
);
const feeReceiver = ofReserve(reserveAccounts.feeReceiver, (data) => data.feeVault);
const collateralMint = ofReserve(reserveAccounts.collateralMint, (data) => data.collateralMint);

/** With chain data the one of the reserve; otherwise the program compares it with the reserve. */
const mint: Rule = storedOnChain({ value: ({ reserves, reserve }) => reserves[reserve]?.mint });

const liquidityTokenProgram: Rule = storedOnChain({
  value: ({ reserves, reserve }) => reserves[reserve]?.tokenProgram,
  derived: () => TOKEN_PROGRAMS,
});

/** Deposits and withdrawals have a stake in the farm of the collateral, the others in the farm of the debt. */
export const isDebtAction = ({ action }: LendingContext): boolean =>
  action === 'borrow' || action === 'repay';

const farm: Rule = storedOnChain({
  code: 'WRONG_FARM',
  value: (context) => {
    const data = context.reserves[context.reserve];
    return data && (isDebtAction(context) ? data.farmDebt : data.farmCollateral);
  },
});

const stakeIn = ({ loan }: LendingContext, state: string | undefined): string | undefined =>
  state && farmAccounts.userState(state, loan);

const referrerState: Rule = exactly('WRONG_REFERRER', ({ program, referrer, reserve }) =>
  referrer === undefined ? undefined : referrerTokenState(program, referrer, reserve),
);

/** By the names that the instructions of the lending program use; equal names mean the same. */
export const lendingRules: AccountRules<LendingContext> = {
  owner: wallet,
  payer: wallet,
  feePayer: wallet,
  obligationOwner: wallet,
  obligation: exactly('WRONG_LOAN', ({ loan }) => loan),
  lendingMarket: exactly('WRONG_MARKET', ({ market }) => market),
  lendingMarketAuthority: exactly('WRONG_MARKET', ({ marketAuthority }) => marketAuthority),
  reserve: actedReserve,
  borrowReserve: actedReserve,
  repayReserve: actedReserve,
  withdrawReserve: actedReserve,
  reserveLiquidityMint: mint,
  borrowReserveLiquidityMint: mint,
  reserveLiquiditySupply: liquiditySupply,
  reserveSourceLiquidity: liquiditySupply,
  reserveDestinationLiquidity: liquiditySupply,
  reserveCollateralMint: collateralMint,
  reserveDestinationDepositCollateral: collateralSupply,
  reserveSourceCollateral: collateralSupply,
  borrowReserveLiquidityFeeReceiver: feeReceiver,
  userSourceLiquidity: tokenAccount,
  userDestinationLiquidity: tokenAccount,
  placeholderUserDestinationCollateral: exactly('WRONG_ACCOUNT', () => undefined),
  collateralTokenProgram: always(TOKEN_PROGRAM),
  liquidityTokenProgram,
  tokenProgram: liquidityTokenProgram,
  instructionSysvarAccount: always(INSTRUCTIONS_SYSVAR),
  reserveFarmState: farm,
  obligationFarmUserState: exactly('WRONG_FARM', (context, { accounts }) =>
    stakeIn(context, accounts['reserveFarmState']),
  ),
  farmsProgram: always(FARMS_PROGRAM),
  referrerTokenState: referrerState,
  referrer: exactly('WRONG_REFERRER', ({ referrer }) => referrer),
  rent: always(RENT_SYSVAR),
  systemProgram,
  userMetadata: metadata,
  ownerUserMetadata: metadata,
  referrerUserMetadata: exactly('WRONG_REFERRER', () => undefined),
  seed1Account: exactly('WRONG_LOAN', ({ seeds }) => seeds?.seed1),
  seed2Account: exactly('WRONG_LOAN', ({ seeds }) => seeds?.seed2),
};

/** The stake that the operation uses, and no other. */
export const farmSetupRules: AccountRules<LendingContext> = {
  ...lendingRules,
  reserveFarmState: exactly('WRONG_FARM', ({ main }) => main.accounts['reserveFarmState'] ?? ''),
  obligationFarm: exactly('WRONG_FARM', (context, { accounts }) =>
    stakeIn(context, accounts['reserveFarmState']),
  ),
};

const absent: Rule = exactly('WRONG_REFERRER', () => undefined);

/** A flash loan has no referrer: its accounts would not make it cheaper. */
export const flashLoanRules: AccountRules<LendingContext> = {
  ...lendingRules,
  userTransferAuthority: wallet,
  reserveLiquidityFeeReceiver: feeReceiver,
  referrerTokenState: absent,
  referrerAccount: absent,
  sysvarInfo: always(INSTRUCTIONS_SYSVAR),
};

type RefreshedMarket = Pick<LendingContext, 'market' | 'reserves'>;

const oracle = (index: number): AccountRule<RefreshedMarket> =>
  storedOnChain({
    value: ({ reserves }, { accounts }: Call) =>
      reserves[accounts['reserve'] ?? '']?.oracles[index],
  });

/** Anyone may refresh any reserve of the market. Which ones is checked against the loan. */
export const refreshReserveRules: AccountRules<RefreshedMarket> = {
  reserve: checkedByProgram(),
  lendingMarket: exactly('WRONG_MARKET', ({ market }) => market),
  pythOracle: oracle(0),
  switchboardPriceOracle: oracle(1),
  switchboardTwapOracle: oracle(2),
  scopePrices: oracle(3),
};

import { type Address, nonZeroAddress } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { obligation as obligationLayout } from '../../protocol/klend/layout/obligation.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import { lendingMarketAuthority, userMetadataAddress } from '../../protocol/klend/pda.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import type { BuildContext } from '../build.ts';
import { farmOf, reserveSymbol } from '../lending/lending-action-context.ts';
import {
  type LoanAccount,
  loanOfAccount,
  readWalletMetadata,
} from '../lending/lending-position.ts';
import { requireMarket, requireMarketReserve } from '../lending/lending-request.ts';
import type { ModeledLoan } from '../simulation/lending-model.ts';
import { isWrappedSol, requiredTokenAccounts, type WalletToken } from '../wallet/token-accounts.ts';
import { existingAccount, requireAccountsRead } from '../wallet/wallet-accounts.ts';
import type { LiquidationRequest } from './liquidation-request.ts';

/** A reserve of the liquidation, and the liquidator's account of its token. */
export type LiquidationSide = {
  readonly reserve: StoredAccountWithData<ReserveView>;
  readonly symbol: string;
  readonly token: WalletToken & { readonly decimals: number };
  /** The loan's account in the farm of the debt or of the deposit. */
  readonly farm: ReturnType<typeof farmOf>;
};

/** The loan to liquidate, with its debt and its deposit. */
export type LiquidationTarget = ModeledLoan & {
  readonly obligation: Address;
  readonly loan: LoanAccount;
  readonly authority: Address;
  readonly repay: LiquidationSide;
  readonly withdraw: LiquidationSide;
  /** Receives what the reserve cannot redeem. Its decimals are those of the deposit's token. */
  readonly collateral: WalletToken & { readonly decimals: number };
};

/** Addresses to read before `readLiquidationTarget`. */
export function liquidationAccounts(
  { wallet, loan, ...request }: LiquidationRequest,
  context: BuildContext,
): readonly Address[] {
  const { state } = context;
  const { program } = requireMarket(state, request.market);
  const { repay, withdraw } = sidesOf({ wallet, loan, ...request }, state);
  const { lookupTable } = readWalletMetadata(context, wallet) ?? {};
  return [
    wallet,
    loan,
    userMetadataAddress(wallet, program),
    ...[repay.token, withdraw.token, collateralOf(withdraw)].flatMap(requiredTokenAccounts),
    ...[repay.farm?.user, withdraw.farm?.user, lookupTable].filter((each) => each !== undefined),
  ];
}

export function readLiquidationTarget(
  request: LiquidationRequest,
  context: BuildContext,
): LiquidationTarget {
  requireAccountsRead(liquidationAccounts(request, context), context);
  const { state } = context;
  const { wallet, loan: obligation } = request;
  const market = requireMarket(state, request.market);
  const { program } = market;
  const loan = readLoan(request, program, context);
  const { repay, withdraw } = sidesOf(request, state);
  requirePositions(request, loan, { repay, withdraw });
  return {
    wallet,
    market,
    program,
    obligation,
    loan,
    kind: { kind: 'vanilla' },
    referrer: nonZeroAddress(loan.fields.referrer),
    reserve: repay.reserve,
    otherReserves: [withdraw.reserve],
    authority: lendingMarketAuthority(market.address, program),
    repay,
    withdraw,
    collateral: collateralOf(withdraw),
  };
}

function readLoan(
  { loan: address, market }: LiquidationRequest,
  program: Address,
  context: BuildContext,
): LoanAccount {
  const account = existingAccount(address, context);
  const isLoan = account?.owner === program && obligationLayout.matches(account);
  const loan = isLoan ? loanOfAccount(account) : undefined;
  if (loan?.fields.lendingMarket === market) return loan;
  throw notLiquidatable(address, `the market ${market} has no such loan`);
}

function requirePositions(
  { loan: address }: LiquidationRequest,
  loan: LoanAccount,
  { repay, withdraw }: Pick<LiquidationTarget, 'repay' | 'withdraw'>,
): void {
  if (!loan.borrows.includes(repay.reserve.address)) {
    throw notLiquidatable(address, `it owes no ${repay.symbol}`);
  }
  if (!loan.deposits.includes(withdraw.reserve.address)) {
    throw notLiquidatable(address, `it has no ${withdraw.symbol} deposit`);
  }
}

export const notLiquidatable = (loan: Address, reason: string): CodedError =>
  new CodedError('KLEND_LOAN_NOT_LIQUIDATABLE', { loan, reason });

function sidesOf(
  { wallet, market, loan, repayReserve, withdrawReserve }: LiquidationRequest,
  state: ClusterReader,
): Pick<LiquidationTarget, 'repay' | 'withdraw'> {
  const sideOf = (address: Address, action: 'repay' | 'withdraw'): LiquidationSide => {
    const reserve = requireMarketReserve(state, market, address);
    const { mintPubkey: mint, tokenProgram, mintDecimals } = reserve.fields.liquidity;
    const symbol = reserveSymbol(reserve.fields);
    const label = isWrappedSol({ mint }) ? 'wrapped SOL' : symbol;
    const token = { wallet, mint, tokenProgram, label, decimals: Number(mintDecimals) };
    return { reserve, symbol, token, farm: farmOf(action, reserve.fields, loan) };
  };
  return { repay: sideOf(repayReserve, 'repay'), withdraw: sideOf(withdrawReserve, 'withdraw') };
}

const collateralOf = ({ reserve, symbol, token }: LiquidationSide) => ({
  ...token,
  mint: reserve.fields.collateral.mintPubkey,
  tokenProgram: TOKEN_PROGRAM,
  label: `cTokens of ${symbol}`,
});

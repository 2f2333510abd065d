import { type Address, formatUnits, mulRatio, type Ratio } from '@tidegate/core/base';
import type { LoanBorrow, LoanDeposit } from '@tidegate/core/views/lending';
import type {
  EarnPosition,
  FarmStake,
  PortfolioLoan,
  PortfolioSection,
} from '@tidegate/core/views/portfolio';
import { vaultName } from '@tidegate/core/views/vaults';
import type { Static } from 'typebox';
import { formatLiveRatio, formatLiveSf } from '../../decimal-format/live-decimals.ts';
import type {
  PortfolioBorrow,
  PortfolioDeposit,
  PortfolioEarn,
  PortfolioLending,
  PortfolioMultiply,
  PortfolioStaking,
} from './schema.ts';

/** Ticker of a mint. */
type Ticker = (mint: Address) => string;

/** USD for a whole token. */
type Price = (mint: Address) => Ratio | undefined;

/** `now` is the time of the state that positions and prices are of. */
export const portfolioSectionJson = ({ errors }: PortfolioSection<unknown>, now: string) => ({
  indexed: true,
  positionsRefreshedOn: now,
  pricesRefreshedOn: now,
  errors: errors.map((code) => ({ code })),
});

export const NOT_INDEXED_SECTION = {
  indexed: false,
  positionsRefreshedOn: null,
  pricesRefreshedOn: null,
  errors: [],
};

export function lendingJson({ loan, humanTag }: PortfolioLoan): Static<typeof PortfolioLending> {
  return {
    obligation: loan.address,
    market: loan.market,
    tag: humanTag,
    netValue: formatLiveRatio(loan.stats.netAccountValue),
    totalDepositValue: formatLiveSf(loan.stats.userTotalDeposit),
    totalBorrowValue: formatLiveSf(loan.stats.userTotalBorrow),
    ltv: shortText(loan.currentLtv),
    maxLtv: shortText(loan.maxLtv),
    liquidationLtv: shortText(loan.liquidationLtv),
    leverage: formatLiveRatio(loan.leverage),
    deposits: loan.deposits.map(depositJson),
    borrows: loan.borrows.map(borrowJson),
  };
}

/** A loan of one token against one other. */
export function multiplyJson(found: PortfolioLoan): Static<typeof PortfolioMultiply> {
  const [deposit] = found.loan.deposits;
  const [borrow] = found.loan.borrows;
  return {
    ...lendingJson(found),
    ...(deposit && { depositMint: deposit.reserve.mint }),
    ...(borrow && { borrowMint: borrow.reserve.mint }),
  };
}

export function earnJson(
  { vault, shares, tokens, value }: EarnPosition,
  ticker: Ticker,
): Static<typeof PortfolioEarn> {
  const { tokenMint } = vault.fields;
  return {
    vault: vault.address,
    tokenMint,
    symbol: ticker(tokenMint),
    name: vaultName(vault.fields),
    netValue: value === undefined ? null : formatLiveRatio(value),
    shares: formatLiveRatio(shares),
    amount: formatLiveRatio(tokens),
  };
}

export function stakingJson(
  { farm, stake }: FarmStake,
  { ticker, price: priceOf }: { readonly ticker: Ticker; readonly price: Price },
): Static<typeof PortfolioStaking> {
  const { mint } = farm.fields.token;
  const price = priceOf(mint);
  return {
    mint,
    symbol: ticker(mint),
    farm: farm.address,
    amount: formatLiveRatio(stake),
    value: price === undefined ? null : formatLiveRatio(mulRatio(stake, price)),
    price: price === undefined ? null : formatLiveRatio(price),
  };
}

function depositJson(deposit: LoanDeposit): Static<typeof PortfolioDeposit> {
  return {
    ...tokenJson(deposit),
    maxLtv: formatLiveRatio(deposit.maxLtv),
    liquidationLtv: formatLiveRatio(deposit.liquidationLtv),
  };
}

function borrowJson(borrow: LoanBorrow): Static<typeof PortfolioBorrow> {
  return { ...tokenJson(borrow), borrowFactor: formatLiveRatio(borrow.borrowFactor) };
}

const tokenJson = ({ reserve, tokens, value }: LoanDeposit | LoanBorrow) => ({
  mint: reserve.mint,
  symbol: reserve.symbol,
  amount: formatLiveRatio(tokens),
  value: formatLiveSf(value),
  price: formatLiveRatio(reserve.exactPrice),
  reserve: reserve.address,
});

const SHORT_DECIMALS = 20;

/** Cut after 20 decimal places: some readers drop longer texts. */
const shortText = ({ numerator, denominator }: Ratio): string =>
  formatUnits((numerator * 10n ** BigInt(SHORT_DECIMALS)) / denominator, SHORT_DECIMALS);

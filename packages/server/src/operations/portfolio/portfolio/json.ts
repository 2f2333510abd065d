import { type Address, formatUnits, mulRatio, type Ratio } from '@tidegate/core/base';
import type { LoanBorrow, LoanDeposit } from '@tidegate/core/views/lending';
import type {
  CTokenHolding,
  EarnPosition,
  FarmStake,
  PortfolioLoan,
  PortfolioSection,
} from '@tidegate/core/views/portfolio';
import { vaultName } from '@tidegate/core/views/vaults';
import type { Static } from 'typebox';
import { formatLiveRatio, formatLiveSf } from '../../../support/decimals/live-decimals.ts';
import type { readPortfolio } from './query.ts';
import type {
  Portfolio,
  PortfolioBorrow,
  PortfolioCToken,
  PortfolioDeposit,
  PortfolioEarn,
  PortfolioLending,
  PortfolioMultiply,
  PortfolioStaking,
} from './schema.ts';

type SymbolLookup = (mint: Address) => string;

/** USD per whole token. */
type PriceLookup = (mint: Address) => Ratio | undefined;

type PortfolioJsonContext = {
  /** Time of the cluster state. */
  readonly now: string;
  readonly symbolOf: SymbolLookup;
  readonly priceOf: PriceLookup;
};

export function portfolioJson(
  portfolio: ReturnType<typeof readPortfolio>,
  context: PortfolioJsonContext,
): Static<typeof Portfolio> {
  const { now, symbolOf } = context;
  const { lending, multiply, leverage, earn, privateCredit, staking, ctokens } = portfolio;
  return {
    timestamp: now,
    sections: {
      lending: sectionJson(lending, now),
      multiply: sectionJson(multiply, now),
      leverage: sectionJson(leverage, now),
      liquidity: NOT_INDEXED_SECTION,
      earn: sectionJson(earn, now),
      privateCredit: sectionJson(privateCredit, now),
      staking: sectionJson(staking, now),
      ctokens: sectionJson(ctokens, now),
    },
    lending: lending.items.map(lendingJson),
    multiply: multiply.items.map(multiplyJson),
    leverage: leverage.items.map(multiplyJson),
    liquidity: [],
    earn: earn.items.map((position) => earnJson(position, symbolOf)),
    privateCredit: privateCredit.items.map((position) => earnJson(position, symbolOf)),
    staking: staking.items.map((stake) => stakingJson(stake, context)),
    ctokens: ctokens.items.map(ctokenJson),
  };
}

const sectionJson = ({ errors }: PortfolioSection<unknown>, now: string) => ({
  indexed: true,
  positionsRefreshedOn: now,
  pricesRefreshedOn: now,
  errors: errors.map((code) => ({ code })),
});

const NOT_INDEXED_SECTION = {
  indexed: false,
  positionsRefreshedOn: null,
  pricesRefreshedOn: null,
  errors: [],
};

function lendingJson({ loan, humanTag }: PortfolioLoan): Static<typeof PortfolioLending> {
  return {
    obligation: loan.address,
    market: loan.market,
    tag: humanTag,
    netValue: formatLiveRatio(loan.stats.netAccountValue),
    totalDepositValue: formatLiveSf(loan.stats.userTotalDeposit),
    totalBorrowValue: formatLiveSf(loan.stats.userTotalBorrow),
    ltv: formatLtv(loan.currentLtv),
    maxLtv: formatLtv(loan.maxLtv),
    liquidationLtv: formatLtv(loan.liquidationLtv),
    leverage: formatLiveRatio(loan.leverage),
    deposits: loan.deposits.map(depositJson),
    borrows: loan.borrows.map(borrowJson),
  };
}

/** Loan with one deposit and one borrow. */
function multiplyJson(portfolioLoan: PortfolioLoan): Static<typeof PortfolioMultiply> {
  const [deposit] = portfolioLoan.loan.deposits;
  const [borrow] = portfolioLoan.loan.borrows;
  return {
    ...lendingJson(portfolioLoan),
    ...(deposit && { depositMint: deposit.reserve.mint }),
    ...(borrow && { borrowMint: borrow.reserve.mint }),
  };
}

function earnJson(
  { vault, shares, tokens, value }: EarnPosition,
  symbolOf: SymbolLookup,
): Static<typeof PortfolioEarn> {
  const { tokenMint } = vault.fields;
  return {
    vault: vault.address,
    tokenMint,
    symbol: symbolOf(tokenMint),
    name: vaultName(vault.fields),
    netValue: value === undefined ? null : formatLiveRatio(value),
    shares: formatLiveRatio(shares),
    amount: formatLiveRatio(tokens),
  };
}

function stakingJson(
  { farm, total }: FarmStake,
  { symbolOf, priceOf }: Pick<PortfolioJsonContext, 'symbolOf' | 'priceOf'>,
): Static<typeof PortfolioStaking> {
  const { mint } = farm.fields.token;
  const price = priceOf(mint);
  return {
    mint,
    symbol: symbolOf(mint),
    farm: farm.address,
    amount: formatLiveRatio(total),
    value: price === undefined ? null : formatLiveRatio(mulRatio(total, price)),
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

function ctokenJson(holding: CTokenHolding): Static<typeof PortfolioCToken> {
  const { market, ctokenMint, ctokens } = holding;
  return { ...tokenJson(holding), market, ctokenMint, ctokens: formatLiveRatio(ctokens) };
}

type ValuedTokens = Pick<LoanDeposit, 'reserve' | 'tokens' | 'value'>;

const tokenJson = ({ reserve, tokens, value }: ValuedTokens) => ({
  mint: reserve.mint,
  symbol: reserve.symbol,
  amount: formatLiveRatio(tokens),
  value: formatLiveSf(value),
  price: formatLiveRatio(reserve.exactPrice),
  reserve: reserve.address,
});

const LTV_DECIMALS = 20;

/** Truncated after 20 decimals, because some clients reject longer strings. */
const formatLtv = ({ numerator, denominator }: Ratio): string =>
  formatUnits((numerator * 10n ** BigInt(LTV_DECIMALS)) / denominator, LTV_DECIMALS);

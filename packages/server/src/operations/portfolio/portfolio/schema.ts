import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString, NullableString } from '../../../http/schemas/primitives.ts';

const Instant = Type.String({ format: 'date-time' });

const NullableInstant = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'date-time',
});

const PortfolioSectionState = Type.Object(
  {
    indexed: Type.Boolean({ description: 'Whether this deployment serves the section' }),
    positionsRefreshedOn: describe(
      NullableInstant,
      'Time of the positions, UTC; null if the section is not served',
    ),
    pricesRefreshedOn: describe(
      NullableInstant,
      'Time of the prices, UTC; null if the section is not served',
    ),
    errors: describe(
      Type.Optional(
        Type.Array(
          Type.Object(
            { code: Type.String({ description: 'Error code' }) },
            { title: 'PortfolioSectionError' },
          ),
          {
            default: [],
          },
        ),
      ),
      'Reasons why positions are missing from the section',
    ),
  },
  { title: 'PortfolioSectionState' },
);

const token = {
  mint: describe(AddressString, 'Mint of the token'),
  symbol: Type.String({ description: 'Symbol of the token' }),
  amount: describe(DecimalString, 'Amount in whole tokens'),
  value: describe(NullableString, 'Value in USD; null if the price is unknown'),
  price: describe(NullableString, 'USD per whole token; null if unknown'),
  reserve: describe(Type.Optional(AddressString), 'Address of the reserve'),
};

const PortfolioToken = Type.Object(token, { title: 'PortfolioToken' });

export const PortfolioDeposit = Type.Object(
  {
    ...token,
    maxLtv: describe(DecimalString, 'Maximum loan-to-value of the deposit, as a fraction'),
    liquidationLtv: describe(
      DecimalString,
      'Loan-to-value at which liquidation starts, as a fraction',
    ),
  },
  { title: 'PortfolioDeposit' },
);

export const PortfolioBorrow = Type.Object(
  {
    ...token,
    borrowFactor: describe(
      DecimalString,
      'Factor by which the debt counts against the borrow limit',
    ),
  },
  { title: 'PortfolioBorrow' },
);

const TAGS = [
  ...['Vanilla', 'Lending', 'LendingFixedRate', 'Multiply', 'MultiplyFixedRate'],
  ...['Leverage', 'LeverageFixedRate'],
];

const loan = {
  obligation: describe(AddressString, 'Address of the obligation account'),
  market: describe(AddressString, 'Address of the lending market'),
  tag: describe(Type.Unsafe<string>({ type: 'string', enum: TAGS }), 'Kind of loan'),
  netValue: describe(NullableString, 'Deposits minus debts, in USD'),
  totalDepositValue: describe(NullableString, 'Value of the deposits in USD'),
  totalBorrowValue: describe(NullableString, 'Value of the debts in USD'),
  ltv: describe(NullableString, 'Debt with borrow factors divided by deposits, as a fraction'),
  maxLtv: describe(NullableString, 'Maximum loan-to-value, as a fraction'),
  liquidationLtv: describe(
    NullableString,
    'Loan-to-value at which liquidation starts, as a fraction',
  ),
  leverage: describe(NullableString, 'Value of the deposits divided by the net value'),
  deposits: describe(Type.Array(PortfolioDeposit), 'One entry per deposit'),
  borrows: describe(Type.Array(PortfolioBorrow), 'One entry per debt'),
};

const pairLoan = {
  ...loan,
  depositMint: describe(Type.Optional(AddressString), 'Mint of the deposited token'),
  borrowMint: describe(Type.Optional(AddressString), 'Mint of the borrowed token'),
};

export const PortfolioLending = Type.Object(loan, { title: 'PortfolioLending' });
export const PortfolioMultiply = Type.Object(pairLoan, { title: 'PortfolioMultiply' });
const PortfolioLeverage = Type.Object(pairLoan, { title: 'PortfolioLeverage' });

const PortfolioLiquidity = Type.Object(
  {
    strategy: describe(AddressString, 'Address of the strategy'),
    shareMint: describe(AddressString, 'Mint of the shares'),
    shares: describe(DecimalString, 'Shares held, in whole shares'),
    netValue: describe(NullableString, 'Value in USD'),
    tokenA: describe(PortfolioToken, 'First token of the pair'),
    tokenB: describe(PortfolioToken, 'Second token of the pair'),
  },
  { title: 'PortfolioLiquidity' },
);

const earn = {
  vault: describe(AddressString, 'Address of the vault'),
  tokenMint: describe(AddressString, 'Mint of the token of the vault'),
  symbol: Type.String({ description: 'Symbol of the token' }),
  name: Type.String({ description: 'Name of the vault' }),
  netValue: describe(NullableString, 'Value of the shares in USD; null if the price is unknown'),
  shares: describe(DecimalString, 'Shares held, staked ones included, in whole shares'),
  amount: describe(DecimalString, 'Value of the shares in whole tokens'),
};

export const PortfolioEarn = Type.Object(earn, { title: 'PortfolioEarn' });

export const PortfolioStaking = Type.Object(
  {
    mint: describe(AddressString, 'Mint of the staked token'),
    symbol: Type.String({ description: 'Symbol of the token' }),
    farm: describe(AddressString, 'Address of the farm'),
    amount: describe(DecimalString, 'Stake in whole tokens'),
    value: describe(NullableString, 'Value in USD; null if the price is unknown'),
    price: describe(NullableString, 'USD per whole token; null if unknown'),
  },
  { title: 'PortfolioStaking' },
);

/** cTokens in the wallet, outside of any loan. `amount` is in the underlying token. */
export const PortfolioCToken = Type.Object(
  {
    ...token,
    reserve: describe(AddressString, 'Address of the reserve'),
    market: describe(AddressString, 'Address of the lending market'),
    ctokenMint: describe(AddressString, 'Mint of the cToken'),
    ctokens: describe(DecimalString, 'Balance in whole cTokens'),
  },
  { title: 'PortfolioCToken' },
);

const PortfolioSections = Type.Object(
  {
    lending: describe(PortfolioSectionState, 'State of the section `lending`'),
    multiply: describe(PortfolioSectionState, 'State of the section `multiply`'),
    leverage: describe(PortfolioSectionState, 'State of the section `leverage`'),
    liquidity: describe(PortfolioSectionState, 'State of the section `liquidity`'),
    earn: describe(PortfolioSectionState, 'State of the section `earn`'),
    privateCredit: describe(PortfolioSectionState, 'State of the section `privateCredit`'),
    staking: describe(PortfolioSectionState, 'State of the section `staking`'),
    ctokens: describe(Type.Optional(PortfolioSectionState), 'State of the section `ctokens`'),
  },
  { title: 'PortfolioSections' },
);

export const Portfolio = Type.Object(
  {
    timestamp: describe(Instant, 'Time of the state, UTC'),
    sections: describe(PortfolioSections, 'What each section covers'),
    lending: describe(Type.Array(PortfolioLending), 'Vanilla and Lending loans'),
    multiply: describe(Type.Array(PortfolioMultiply), 'Multiply loans'),
    leverage: describe(Type.Array(PortfolioLeverage), 'Leverage loans'),
    liquidity: describe(
      Type.Array(PortfolioLiquidity),
      'Liquidity strategies; always empty, because they are not indexed',
    ),
    earn: describe(Type.Array(PortfolioEarn), 'Shares of ordinary vaults'),
    privateCredit: describe(
      Type.Array(Type.Object(earn, { title: 'PortfolioPrivateCredit' })),
      'Shares of private credit vaults',
    ),
    staking: describe(
      Type.Array(PortfolioStaking),
      'Stakes in farms that belong to neither a vault nor a reserve',
    ),
    ctokens: describe(
      Type.Optional(Type.Array(PortfolioCToken)),
      'cTokens in the wallet, outside of any loan',
    ),
  },
  { title: 'Portfolio' },
);

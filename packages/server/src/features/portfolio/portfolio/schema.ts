import { Type } from 'typebox';
import { AddressString, DecimalString, NullableString } from '../../../http/schemas/primitives.ts';

const Instant = Type.String({ format: 'date-time' });

const NullableInstant = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'date-time',
});

const PortfolioSectionState = Type.Object(
  {
    indexed: Type.Boolean(),
    positionsRefreshedOn: NullableInstant,
    pricesRefreshedOn: NullableInstant,
    errors: Type.Optional(
      Type.Array(Type.Object({ code: Type.String() }, { title: 'PortfolioSectionError' }), {
        default: [],
      }),
    ),
  },
  { title: 'PortfolioSectionState' },
);

const token = {
  mint: AddressString,
  symbol: Type.String(),
  amount: DecimalString,
  value: NullableString,
  price: NullableString,
  reserve: Type.Optional(AddressString),
};

const PortfolioToken = Type.Object(token, { title: 'PortfolioToken' });

export const PortfolioDeposit = Type.Object(
  { ...token, maxLtv: DecimalString, liquidationLtv: DecimalString },
  { title: 'PortfolioDeposit' },
);

export const PortfolioBorrow = Type.Object(
  { ...token, borrowFactor: DecimalString },
  { title: 'PortfolioBorrow' },
);

const TAGS = [
  ...['Vanilla', 'Lending', 'LendingFixedRate', 'Multiply', 'MultiplyFixedRate'],
  ...['Leverage', 'LeverageFixedRate'],
];

const loan = {
  obligation: AddressString,
  market: AddressString,
  tag: Type.Unsafe<string>({ type: 'string', enum: TAGS }),
  netValue: NullableString,
  totalDepositValue: NullableString,
  totalBorrowValue: NullableString,
  ltv: NullableString,
  maxLtv: NullableString,
  liquidationLtv: NullableString,
  leverage: NullableString,
  deposits: Type.Array(PortfolioDeposit),
  borrows: Type.Array(PortfolioBorrow),
};

const pairLoan = {
  ...loan,
  depositMint: Type.Optional(AddressString),
  borrowMint: Type.Optional(AddressString),
};

export const PortfolioLending = Type.Object(loan, { title: 'PortfolioLending' });
export const PortfolioMultiply = Type.Object(pairLoan, { title: 'PortfolioMultiply' });
const PortfolioLeverage = Type.Object(pairLoan, { title: 'PortfolioLeverage' });

const PortfolioLiquidity = Type.Object(
  {
    strategy: AddressString,
    shareMint: AddressString,
    shares: DecimalString,
    netValue: NullableString,
    tokenA: PortfolioToken,
    tokenB: PortfolioToken,
  },
  { title: 'PortfolioLiquidity' },
);

const earn = {
  vault: AddressString,
  tokenMint: AddressString,
  symbol: Type.String(),
  name: Type.String(),
  netValue: NullableString,
  shares: DecimalString,
  amount: DecimalString,
};

export const PortfolioEarn = Type.Object(earn, { title: 'PortfolioEarn' });

export const PortfolioStaking = Type.Object(
  {
    mint: AddressString,
    symbol: Type.String(),
    farm: AddressString,
    amount: DecimalString,
    value: NullableString,
    price: NullableString,
  },
  { title: 'PortfolioStaking' },
);

const PortfolioSections = Type.Object(
  {
    lending: PortfolioSectionState,
    multiply: PortfolioSectionState,
    leverage: PortfolioSectionState,
    liquidity: PortfolioSectionState,
    earn: PortfolioSectionState,
    privateCredit: PortfolioSectionState,
    staking: PortfolioSectionState,
  },
  { title: 'PortfolioSections' },
);

export const Portfolio = Type.Object(
  {
    timestamp: Instant,
    sections: PortfolioSections,
    lending: Type.Array(PortfolioLending),
    multiply: Type.Array(PortfolioMultiply),
    leverage: Type.Array(PortfolioLeverage),
    liquidity: Type.Array(PortfolioLiquidity),
    earn: Type.Array(PortfolioEarn),
    privateCredit: Type.Array(Type.Object(earn, { title: 'PortfolioPrivateCredit' })),
    staking: Type.Array(PortfolioStaking),
  },
  { title: 'Portfolio' },
);

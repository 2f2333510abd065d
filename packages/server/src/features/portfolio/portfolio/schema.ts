import { Type } from 'typebox';
import { AddressText, DecimalText, NullableText } from '../../../http/schemas/primitives.ts';

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
  mint: AddressText,
  symbol: Type.String(),
  amount: DecimalText,
  value: NullableText,
  price: NullableText,
  reserve: Type.Optional(AddressText),
};

const PortfolioToken = Type.Object(token, { title: 'PortfolioToken' });

export const PortfolioDeposit = Type.Object(
  { ...token, maxLtv: DecimalText, liquidationLtv: DecimalText },
  { title: 'PortfolioDeposit' },
);

export const PortfolioBorrow = Type.Object(
  { ...token, borrowFactor: DecimalText },
  { title: 'PortfolioBorrow' },
);

const TAGS = [
  ...['Vanilla', 'Lending', 'LendingFixedRate', 'Multiply', 'MultiplyFixedRate'],
  ...['Leverage', 'LeverageFixedRate'],
];

const loan = {
  obligation: AddressText,
  market: AddressText,
  tag: Type.Unsafe<string>({ type: 'string', enum: TAGS }),
  netValue: NullableText,
  totalDepositValue: NullableText,
  totalBorrowValue: NullableText,
  ltv: NullableText,
  maxLtv: NullableText,
  liquidationLtv: NullableText,
  leverage: NullableText,
  deposits: Type.Array(PortfolioDeposit),
  borrows: Type.Array(PortfolioBorrow),
};

const pair = {
  ...loan,
  depositMint: Type.Optional(AddressText),
  borrowMint: Type.Optional(AddressText),
};

export const PortfolioLending = Type.Object(loan, { title: 'PortfolioLending' });
export const PortfolioMultiply = Type.Object(pair, { title: 'PortfolioMultiply' });
const PortfolioLeverage = Type.Object(pair, { title: 'PortfolioLeverage' });

const PortfolioLiquidity = Type.Object(
  {
    strategy: AddressText,
    shareMint: AddressText,
    shares: DecimalText,
    netValue: NullableText,
    tokenA: PortfolioToken,
    tokenB: PortfolioToken,
  },
  { title: 'PortfolioLiquidity' },
);

const earn = {
  vault: AddressText,
  tokenMint: AddressText,
  symbol: Type.String(),
  name: Type.String(),
  netValue: NullableText,
  shares: DecimalText,
  amount: DecimalText,
};

export const PortfolioEarn = Type.Object(earn, { title: 'PortfolioEarn' });

export const PortfolioStaking = Type.Object(
  {
    mint: AddressText,
    symbol: Type.String(),
    farm: AddressText,
    amount: DecimalText,
    value: NullableText,
    price: NullableText,
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

import type { LoanReport, PriceGroup } from '@tidegate/client';

type Position = {
  readonly symbol: string;
  readonly value: string;
  readonly price: number;
  /** Liquidation LTV of a deposit, borrow factor of a debt. */
  readonly weight: number;
};

const mintOf = (symbol: string): string => `${symbol} mint`;

const position = ({ symbol, value, price }: Position) => ({
  tokenMint: mintOf(symbol),
  tokenName: symbol,
  tokenValue: value,
  tokenPrice: price,
});

/** A loan with what its health is computed from. */
export const exampleLoan = (
  deposits: readonly Position[],
  debts: readonly Position[],
): LoanReport['loanInfo'] =>
  ({
    collateral: {
      deposits: deposits.map((each) => ({ ...position(each), liquidationLtv: each.weight })),
    },
    debt: { borrows: debts.map((each) => ({ ...position(each), borrowFactor: each.weight })) },
  }) as unknown as LoanReport['loanInfo'];

export const examplePositions = {
  SOL: { symbol: 'SOL', value: '10000', price: 160, weight: 0.75 },
  JitoSOL: { symbol: 'JitoSOL', value: '10000', price: 200, weight: 0.9 },
  JLP: { symbol: 'JLP', value: '2000', price: 4, weight: 0.5 },
  USDC: { symbol: 'USDC', value: '4000', price: 1, weight: 1 },
  BONK: { symbol: 'BONK', value: '1000', price: 0.00002, weight: 1.25 },
} as const;

/** SOL and what is staked of it. */
export const stakedSolGroup: PriceGroup = {
  basis: 'price-chain',
  elevationGroup: 0,
  reference: mintOf('SOL'),
  tokens: [
    ['SOL', '160', '1'],
    ['JitoSOL', '200', '1.25'],
  ].map(([symbol = '', price = '', rate = '']) => ({
    reserve: `${symbol} reserve`,
    mint: mintOf(symbol),
    symbol,
    price,
    rate,
  })),
};

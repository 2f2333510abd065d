import { Amount, Usd } from '../components/number.tsx';
import type { Column } from '../components/table.tsx';
import { healthOf, type WalletLoan } from '../loans/wallet-loans.ts';

export const NO_PRICE = 'a price is not known';

type PositionAmountsProps = {
  readonly list: readonly {
    readonly mint: string;
    readonly symbol: string;
    readonly amount: string;
  }[];
  readonly value: string | null;
};

/** The value of deposits or debts, and the tokens that it is made of. */
export const PositionAmounts = ({ list, value }: PositionAmountsProps) => (
  <>
    <Usd value={value} reason={NO_PRICE} />
    {list.map(({ mint, symbol, amount }) => (
      <span key={mint} class="cell-note">
        <Amount value={amount} unit={symbol} />
      </span>
    ))}
  </>
);

export const healthColumn: Column<WalletLoan> = {
  key: 'health',
  title: 'Health',
  hint: 'The LTV of liquidation divided by the LTV; 1 or less can be liquidated',
  isNumber: true,
  sortBy: healthOf,
  cell: (loan) => (
    <Amount value={healthOf(loan)} reason="a loan without debt cannot be liquidated" />
  ),
};

import { Field } from '../../../components/field.tsx';
import { formatAmount } from '../../../format/number.ts';
import { healthOf, loanKind, type WalletLoan } from '../../../loans/wallet-loans.ts';
import type { BuildFields } from '../../../routing/build-fields.ts';
import { actions } from '../actions.ts';
import type { Choices, FormProps } from '../form-props.ts';

/** The loan of the wallet that the transaction changes. */
export function LoanField({ fields, choices, problems, onChange }: FormProps) {
  const { loans = [] } = choices;
  const { obligation, loanKind: newKind } = fields;
  const isListed = loans.some((each) => each.obligation === obligation);
  return (
    <Field label="Loan" problem={problems.obligation} help={helpOf(fields, choices)}>
      {(attributes) => (
        <select
          {...attributes}
          data-field="obligation"
          value={obligation === '' ? newKind : obligation}
          onChange={({ currentTarget }) => onChange(changesFor(currentTarget.value, fields, loans))}
        >
          {unnamedLoans(fields).map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
          {loans.map((loan) => (
            <option key={loan.obligation} value={loan.obligation}>
              {loanTitle(loan, choices)}
            </option>
          ))}
          {obligation !== '' && !isListed && <option value={obligation}>{obligation}</option>}
        </select>
      )}
    </Field>
  );
}

/** Choices that name no loan by its address. */
function unnamedLoans({ action }: BuildFields) {
  const plain = { value: '', title: 'The plain loan of the wallet in the market' };
  switch (action) {
    case 'exit':
      return [{ value: '', title: 'Choose a loan' }];
    case 'deposit':
      return [{ value: '', title: 'The plain loan, opened if there is none' }];
    case 'multiply':
      return [
        { value: '', title: 'The plain loan, opened if there is none' },
        {
          value: 'multiply',
          title: 'The multiply loan of the two tokens, opened if there is none',
        },
        {
          value: 'leverage',
          title: 'The leverage loan of the two tokens, opened if there is none',
        },
      ];
    default:
      return [plain];
  }
}

/** A loan comes with its market, and with the tokens that a change of its leverage is about. */
function changesFor(
  value: string,
  { market, reserve }: BuildFields,
  loans: readonly WalletLoan[],
): Partial<BuildFields> {
  const loan = loans.find(({ obligation }) => obligation === value);
  if (loan === undefined) return { obligation: '', loanKind: value };
  return {
    obligation: value,
    loanKind: '',
    market: loan.market,
    reserve: loan.market === market ? reserve : '',
    collateral: loan.deposits[0]?.reserve ?? '',
    debt: loan.borrows[0]?.reserve ?? '',
  };
}

function helpOf({ action, wallet }: BuildFields, { loans }: Choices): string | undefined {
  if (wallet === '') return 'Enter a wallet first';
  if (loans === undefined) return 'The loans of the wallet are read';
  if (loans.length > 0) return 'With its health: below 1 it can be liquidated';
  return action === 'deposit' || actions[action].target === 'rewards'
    ? undefined
    : 'The wallet has no loan';
}

const symbolsOf = (list: readonly { readonly symbol: string }[]): string =>
  list.map(({ symbol }) => symbol).join(' + ');

/** Its kind, tokens, health and market. */
export function loanTitle(loan: WalletLoan, { markets }: Pick<Choices, 'markets'>): string {
  const { market, deposits, borrows } = loan;
  const name = markets.find(({ lendingMarket }) => lendingMarket === market)?.name;
  const debts = borrows.length === 0 ? '' : ` against ${symbolsOf(borrows)}`;
  return [
    `${loanKind(loan)}: ${symbolsOf(deposits)}${debts}`,
    healthText(loan),
    name ?? 'an unlisted market',
  ].join(' · ');
}

function healthText(loan: WalletLoan): string {
  if (loan.borrows.length === 0) return 'no debt';
  const health = healthOf(loan);
  return health === undefined ? 'health not known' : `health ${formatAmount(health).short}`;
}

import type { LiquidatableLoan, LoanLiquidation } from '@tidegate/client';
import { apiRequest, useResource } from '../../../api/resource.ts';
import { Field } from '../../../components/field.tsx';
import { shortenAddress } from '../../../format/address.ts';
import { formatAmount, formatPercent, formatUsd } from '../../../format/number.ts';
import { ALL } from '../actions.ts';
import type { FormProps } from '../form-props.ts';
import { TokenAmountField } from './token-amount-field.tsx';

const POLL_MS = 10_000;

/** A loan that can be liquidated, and which of its debts is repaid for which deposit. */
export function LiquidationFields(form: FormProps) {
  const { market, obligation } = form.fields;
  const { data, error } = useResource(
    market === ''
      ? undefined
      : apiRequest('GET /klend/liquidatable', { query: { market, limit: 100 } }),
    { pollMs: POLL_MS },
  );
  const loan = data?.loans.find(({ loanId }) => loanId === obligation);
  const received = loan?.liquidations.find(isPair(form));
  return (
    <>
      <LiquidatableField {...form} loans={data?.loans} failure={error?.message} />
      <PairField {...form} liquidations={loan?.liquidations ?? []} />
      <TokenAmountField
        {...form}
        field="minimum"
        label={`Least to receive in ${received?.withdrawToken ?? 'tokens'}`}
        help="Optional: the transaction fails if it pays less"
      />
    </>
  );
}

const isPair =
  ({ fields: { debt, collateral } }: FormProps) =>
  ({ repayReserve, withdrawReserve }: LoanLiquidation): boolean =>
    repayReserve === debt && withdrawReserve === collateral;

type LiquidatableFieldProps = FormProps & {
  /** Undefined until they are read. */
  readonly loans: readonly LiquidatableLoan[] | undefined;
  readonly failure: string | undefined;
};

function LiquidatableField({ loans, failure, ...form }: LiquidatableFieldProps) {
  const { obligation, market } = form.fields;
  const choose = (address: string): void => {
    const best = loans?.find(({ loanId }) => loanId === address)?.liquidations[0];
    form.onChange({ obligation: address, ...(best === undefined ? NO_PAIR : fieldsOf(best)) });
  };
  const listed = loans ?? [];
  const isListed = listed.some(({ loanId }) => loanId === obligation);
  return (
    <Field
      label="Loan to liquidate"
      problem={form.problems.obligation ?? failure}
      help={helpOf(market, loans)}
    >
      {(attributes) => (
        <select
          {...attributes}
          data-field="obligation"
          value={obligation}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">Choose a loan</option>
          {listed.map((loan) => (
            <option key={loan.loanId} value={loan.loanId}>
              {loanTitle(loan)}
            </option>
          ))}
          {obligation !== '' && !isListed && <option value={obligation}>{obligation}</option>}
        </select>
      )}
    </Field>
  );
}

const NO_PAIR = { debt: '', collateral: '', amount: '' };

/** As much as the program allows when the transaction lands, because the most of now can be too much then. */
const fieldsOf = ({ repayReserve, withdrawReserve }: LoanLiquidation) => ({
  debt: repayReserve,
  collateral: withdrawReserve,
  amount: ALL,
});

function helpOf(market: string, loans: readonly LiquidatableLoan[] | undefined): string {
  if (market === '') return 'Choose a market first';
  if (loans === undefined) return 'The loans of the market are read';
  if (loans.length === 0) return 'No loan of this market can be liquidated now';
  return 'Loans that the program lets anyone liquidate now, the largest debt first';
}

const loanTitle = ({
  loanId,
  currentLtv,
  liquidationLtv,
  liquidations,
}: LiquidatableLoan): string =>
  [
    shortenAddress(loanId),
    `LTV ${formatPercent(currentLtv).short} of ${formatPercent(liquidationLtv).short}`,
    ...liquidations
      .slice(0, 1)
      .map(({ profitUsdValue }) => `${formatUsd(profitUsdValue).short} of profit`),
  ].join(' · ');

type PairFieldProps = FormProps & { readonly liquidations: readonly LoanLiquidation[] };

/** Which debt is repaid for which deposit. */
function PairField({ liquidations, ...form }: PairFieldProps) {
  const { fields, problems, onChange } = form;
  const index = liquidations.findIndex(isPair(form));
  const chosen = liquidations[index];
  return (
    <Field
      label="Repay and receive"
      problem={problems.debt ?? problems.collateral}
      help={chosen === undefined ? 'Choose a loan first' : termsOf(chosen)}
    >
      {(attributes) => (
        <select
          {...attributes}
          data-field="debt"
          value={fields.debt === '' ? '' : index}
          onChange={({ currentTarget }) => {
            const pair = liquidations[Number(currentTarget.value)];
            if (currentTarget.value !== '' && pair !== undefined) onChange(fieldsOf(pair));
          }}
        >
          <option value="">Choose a debt and a deposit</option>
          {liquidations.map(({ repayReserve, repayToken, withdrawReserve, withdrawToken }, at) => (
            <option key={`${repayReserve} ${withdrawReserve}`} value={at}>
              Repay {repayToken}, receive {withdrawToken}
            </option>
          ))}
          {fields.debt !== '' && chosen === undefined && (
            <option value={-1}>Not possible now</option>
          )}
        </select>
      )}
    </Field>
  );
}

function termsOf(each: LoanLiquidation): string {
  const { repayAmount, repayToken, receivedAmount, withdrawToken, bonus, profitUsdValue } = each;
  return `At most ${formatAmount(repayAmount, repayToken).short} for ${formatAmount(receivedAmount, withdrawToken).short}: a bonus of ${formatPercent(bonus).short}, ${formatUsd(profitUsdValue).short} of profit before the costs of a swap`;
}

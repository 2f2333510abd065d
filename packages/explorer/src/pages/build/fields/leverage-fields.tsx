import { Field } from '../../../components/field.tsx';
import type { BuildFields } from '../../../routing/build-fields.ts';
import { BuildLink } from '../../../routing/build-link.tsx';
import type { FormProps } from '../form-props.ts';
import { TokenAmountField } from './token-amount-field.tsx';

/** The amounts of both tokens, and the swap between them. */
export function LeverageFields(form: FormProps) {
  const { fields } = form;
  const [collateral, debt] = [symbolOf(fields.collateral, form), symbolOf(fields.debt, form)];
  return (
    <>
      {fields.action === 'multiply' ? (
        <>
          <TokenAmountField
            {...form}
            field="ownAmount"
            label={`Your own deposit in ${collateral}`}
            help="Optional: deposited with the flash loan"
          />
          <TokenAmountField
            {...form}
            field="collateralAmount"
            label={`Flash loan in ${collateral}`}
            help="Deposited too, and repaid with what the swap returns"
          />
          <TokenAmountField
            {...form}
            field="amount"
            label={`Borrow in ${debt}`}
            help="The input of the swap"
          />
        </>
      ) : (
        <>
          <TokenAmountField
            {...form}
            field="amount"
            label={`Repay in ${debt}`}
            help="With a flash loan, which what the swap returns repays"
            acceptsAll
          />
          <TokenAmountField
            {...form}
            field="collateralAmount"
            label={`Withdraw in ${collateral}`}
            help="The input of the swap"
            acceptsAll
          />
        </>
      )}
      <SwapField {...form} />
      <WithoutSwap {...fields} />
    </>
  );
}

const symbolOf = (reserve: string, { choices }: FormProps): string =>
  choices.markets.flatMap(({ reserves = [] }) => reserves).find((each) => each.reserve === reserve)
    ?.liquidityToken ?? 'tokens';

const SwapField = ({ fields, problems, onChange }: FormProps) => (
  <div class="build-wide">
    <Field
      label="Swap"
      problem={problems.swap}
      help="The server swaps nothing: bring the instructions of an aggregator, as JSON. SOL must stay wrapped. The page does not store them."
    >
      {(attributes) => (
        <textarea
          {...attributes}
          class="bytes"
          rows={4}
          spellcheck={false}
          data-field="swap"
          placeholder='{"instructions": […], "lookupTables": […]}'
          value={fields.swap}
          onInput={({ currentTarget }) => onChange({ swap: currentTarget.value.trim() })}
        />
      )}
    </Field>
  </div>
);

/** What reaches the same end with tokens of the wallet. */
function WithoutSwap({ action, wallet, market, obligation, collateral, debt }: BuildFields) {
  const known = { wallet, market, obligation };
  if (action === 'multiply') {
    return (
      <p class="weak build-wide">
        Without a swap:{' '}
        <BuildLink action="deposit" known={{ ...known, reserve: collateral }}>
          deposit collateral
        </BuildLink>{' '}
        of the wallet, then{' '}
        <BuildLink action="borrow" known={{ ...known, reserve: debt }}>
          borrow
        </BuildLink>
        .
      </p>
    );
  }
  return (
    <p class="weak build-wide">
      Without a swap:{' '}
      <BuildLink action="repay" known={{ ...known, reserve: debt }}>
        repay
      </BuildLink>{' '}
      with tokens of the wallet, then{' '}
      <BuildLink action="withdraw" known={{ ...known, reserve: collateral }}>
        withdraw
      </BuildLink>
      , or{' '}
      <BuildLink action="exit" known={known}>
        close the loan
      </BuildLink>
      .
    </p>
  );
}

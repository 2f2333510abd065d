import { useRef, useState } from 'preact/hooks';
import { Field } from '../../../components/field.tsx';
import { Amount } from '../../../components/number.tsx';
import { isAddress } from '../../../format/address.ts';
import { useBalances } from '../../../positions/own-portfolio.ts';
import { balanceOf, type TokenBalance } from '../../../positions/token-balance.ts';
import { ALL, actions } from '../actions.ts';
import type { FormProps } from '../form-props.ts';
import { amountUnit } from './amount-unit.ts';
import { excessiveBorrow, type MaxBorrow, requestMaxBorrow } from './max-borrow.ts';
import { paidMint } from './paid-token.ts';

/** How much, with what the wallet has and the most that is possible. */
export function AmountField(form: FormProps) {
  const { fields, choices, problems, onChange } = form;
  const unit = amountUnit(fields, choices);
  const isAll = fields.amount === ALL;
  const { balance, isUnreadable } = useBalance(form);
  const borrow = useMaxBorrow(form);
  const parts = { ...form, isAll, unit, balance, borrow, isUnreadable };
  return (
    <Field
      label={`Amount${unit === '' ? '' : ` in ${unit}`}`}
      problem={problems.amount}
      help={<AmountHelp {...parts} />}
      actions={<AmountActions {...parts} />}
    >
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          inputMode="decimal"
          autocomplete="off"
          data-field="amount"
          value={fields.amount}
          onInput={({ currentTarget }) => onChange({ amount: currentTarget.value.trim() })}
        />
      )}
    </Field>
  );
}

type PartProps = FormProps & {
  readonly isAll: boolean;
  readonly unit: string;
  /** Undefined for an action that pays no token, and until it is known. */
  readonly balance: TokenBalance | undefined;
  readonly isUnreadable: boolean;
  readonly borrow: ReturnType<typeof useMaxBorrow>;
};

function AmountHelp({ fields, isAll, unit, balance, borrow, isUnreadable }: PartProps) {
  const { acceptsAll } = actions[fields.action];
  if (isAll) return 'Everything, when the transaction lands';
  if (isUnreadable) return 'The balance of the wallet cannot be read now';
  if (balance !== undefined) {
    return <BalanceNote balance={balance} unit={unit} hasMax={!acceptsAll} />;
  }
  return borrow?.note ?? 'In whole tokens, such as 1.5';
}

function AmountActions({ fields, isAll, balance, borrow, onChange }: PartProps) {
  if (actions[fields.action].acceptsAll) return <AllButton isAll={isAll} onChange={onChange} />;
  if (borrow !== undefined) return <MaxButton isDisabled={borrow.isBusy} onClick={borrow.find} />;
  if (balance === undefined) return null;
  return (
    <MaxButton
      isDisabled={Number(balance.usable) === 0}
      onClick={() => onChange({ amount: balance.usable })}
    />
  );
}

type AllButtonProps = Pick<FormProps, 'onChange'> & { readonly isAll: boolean };

const AllButton = ({ isAll, onChange }: AllButtonProps) => (
  <button
    type="button"
    class="link-button action-link"
    aria-pressed={isAll}
    onClick={() => onChange({ amount: isAll ? '' : ALL })}
  >
    {isAll ? 'Enter an amount' : 'Everything'}
  </button>
);

type MaxButtonProps = { readonly isDisabled: boolean; readonly onClick: () => void };

const MaxButton = ({ isDisabled, onClick }: MaxButtonProps) => (
  <button type="button" class="link-button action-link" disabled={isDisabled} onClick={onClick}>
    Max
  </button>
);

type BalanceNoteProps = {
  readonly balance: TokenBalance;
  readonly unit: string;
  readonly hasMax: boolean;
};

const BalanceNote = ({ balance: { amount, reserved }, unit, hasMax }: BalanceNoteProps) => (
  <>
    The wallet has <Amount value={amount} unit={unit} />
    {hasMax && reserved !== undefined && (
      <>
        ; Max leaves <Amount value={reserved} unit={unit} /> for{' '}
        <span data-hint="The rent of every account that a first deposit opens, the minimum of a wallet, and fees">
          rent and fees
        </span>
      </>
    )}
  </>
);

/** Of the token that the wallet pays. */
function useBalance({ fields, choices }: FormProps): Pick<PartProps, 'balance' | 'isUnreadable'> {
  const mint = paidMint(fields, choices);
  const wallet = isAddress(fields.wallet) ? fields.wallet : undefined;
  const { data, error } = useBalances(wallet, mint);
  if (mint === undefined || data === undefined) {
    return { balance: undefined, isUnreadable: error !== undefined };
  }
  return { balance: balanceOf(data, mint), isUnreadable: false };
}

type BorrowState = { readonly key: string; readonly result: MaxBorrow | undefined };

/** What the server would lend, when it is asked for. Undefined until it can be. */
function useMaxBorrow({ fields, choices, onChange }: FormProps) {
  const [state, setState] = useState<BorrowState>();
  const latest = useRef('');
  const { action, wallet, market, obligation, reserve } = fields;
  const key = [action, wallet, market, obligation, reserve].join(' ');
  latest.current = key;
  const excess = excessiveBorrow(fields, choices);
  if (excess === undefined) return undefined;
  const find = async (): Promise<void> => {
    setState({ key, result: undefined });
    const result = await requestMaxBorrow(fields, excess);
    // the form may be about something else by now
    if (latest.current !== key) return;
    setState({ key, result });
    if (result.amount !== undefined) onChange({ amount: result.amount });
  };
  const current = state?.key === key ? state : undefined;
  return {
    isBusy: current !== undefined && current.result === undefined,
    note: current?.result?.note,
    find: () => void find(),
  };
}

import { Field } from '../../../components/field.tsx';
import { ALL } from '../actions.ts';
import type { FormProps } from '../form-props.ts';

type TokenAmountFieldProps = FormProps & {
  readonly field: 'amount' | 'collateralAmount' | 'ownAmount' | 'minimum';
  /** With the token. */
  readonly label: string;
  readonly help: string;
  /** Whether everything can be requested. */
  readonly acceptsAll?: boolean;
};

/** One of several amounts, in whole tokens. */
export function TokenAmountField(props: TokenAmountFieldProps) {
  const { field, label, help, acceptsAll = false, fields, problems, onChange } = props;
  const isAll = fields[field] === ALL;
  return (
    <Field
      label={label}
      problem={problems[field]}
      help={isAll ? 'Everything, when the transaction lands' : help}
      actions={
        acceptsAll && (
          <button
            type="button"
            class="link-button action-link"
            aria-label={isAll ? `Enter an amount: ${label}` : `Everything: ${label}`}
            aria-pressed={isAll}
            onClick={() => onChange({ [field]: isAll ? '' : ALL })}
          >
            {isAll ? 'Enter an amount' : 'Everything'}
          </button>
        )
      }
    >
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          inputMode="decimal"
          autocomplete="off"
          data-field={field}
          value={fields[field]}
          onInput={({ currentTarget }) => onChange({ [field]: currentTarget.value.trim() })}
        />
      )}
    </Field>
  );
}

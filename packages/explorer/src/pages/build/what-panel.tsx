import { Field } from '../../components/field.tsx';
import { Panel } from '../../components/panel.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { ACTION_NAMES, type ActionName, type BuildFields } from '../../routing/build-fields.ts';
import { ALL, actions } from './actions.ts';
import { amountUnit } from './amount-unit.ts';
import { BuildTarget } from './build-target.tsx';
import type { Choices, FormProps } from './form-props.ts';
import { TargetFields } from './target-fields.tsx';
import { WalletField } from './wallet-field.tsx';

type WhatPanelProps = FormProps & { readonly onSubmit: () => void };

const tabs = ACTION_NAMES.map((value) => ({ value, title: actions[value].title }));

/** The first step: who does what with how much. */
export function WhatPanel({ onSubmit, ...form }: WhatPanelProps) {
  const { fields, choices, onChange } = form;
  const { help, target } = actions[fields.action];
  const submit = (event: Event): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Panel title="1 · What" actions={choices.demo !== undefined && <ExampleButton {...form} />}>
      <form class="panel-form" onSubmit={submit} noValidate>
        <div class="build-actions">
          <Tabs
            label="Action"
            tabs={tabs}
            value={fields.action}
            onChange={(action: ActionName) => onChange({ action, amount: '' })}
          />
          <p class="weak">{help}</p>
        </div>
        <BuildTarget {...fields} />
        <div class="build-fields">
          <WalletField {...form} />
          <TargetFields {...form} />
          {target !== 'rewards' && <AmountField {...form} />}
        </div>
        <div class="button-row">
          <button type="submit" class="button primary">
            Check
          </button>
          <span class="weak small">Builds the transaction and simulates it. Nothing is sent.</span>
        </div>
      </form>
    </Panel>
  );
}

function AmountField({ fields, choices, problems, onChange }: FormProps) {
  const { acceptsAll } = actions[fields.action];
  const isAll = fields.amount === ALL;
  const unit = amountUnit(fields, choices);
  return (
    <Field
      label={`Amount${unit === '' ? '' : ` in ${unit}`}`}
      problem={problems.amount}
      help={isAll ? 'Everything, when the transaction lands' : 'In whole tokens, such as 1.5'}
      actions={
        acceptsAll && (
          <button
            type="button"
            class="link-button action-link"
            aria-pressed={isAll}
            onClick={() => onChange({ amount: isAll ? '' : ALL })}
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
          data-field="amount"
          value={fields.amount}
          onInput={({ currentTarget }) => onChange({ amount: currentTarget.value.trim() })}
        />
      )}
    </Field>
  );
}

/** On the embedded cluster: a request that succeeds for its demo wallet. */
function ExampleButton({ fields, choices: { demo }, onChange }: FormProps) {
  if (demo === undefined) return null;
  return (
    <button
      type="button"
      class="link-button action-link"
      onClick={() => onChange(exampleOf(fields.action, demo))}
    >
      Fill in an example
    </button>
  );
}

function exampleOf(action: ActionName, demo: NonNullable<Choices['demo']>): Partial<BuildFields> {
  const { wallet, market, vault } = demo;
  switch (action) {
    case 'deposit':
    case 'borrow':
    case 'repay':
    case 'withdraw':
      return { wallet, market, ...demo[action] };
    case 'vault-deposit':
    case 'vault-withdraw':
      return { wallet, vault, amount: '1' };
    case 'claim':
      return { wallet, vault, market: '', amount: '' };
  }
}

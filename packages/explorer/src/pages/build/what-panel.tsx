import { Panel } from '../../components/panel.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { ACTION_NAMES, type ActionName, type BuildFields } from '../../routing/build-fields.ts';
import { actions } from './actions.ts';
import { AmountField } from './fields/amount-field.tsx';
import type { Choices, FormProps } from './form-props.ts';
import { TargetFields } from './target-fields.tsx';
import { WalletField } from './wallet-field.tsx';

type WhatPanelProps = FormProps & { readonly onSubmit: () => void };

const tabs = ACTION_NAMES.map((value) => ({ value, title: actions[value].title }));

/** The first step: who does what with how much. */
export function WhatPanel({ onSubmit, ...form }: WhatPanelProps) {
  const { fields, onChange } = form;
  const { help, hasAmount } = actions[fields.action];
  const submit = (event: Event): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Panel title="1 · What" actions={<ExampleButton {...form} />}>
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
        <div class="build-fields">
          <WalletField {...form} />
          <TargetFields {...form} />
          {hasAmount && <AmountField {...form} />}
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

/** On the embedded cluster: a request that succeeds for its demo wallet. */
function ExampleButton({ fields, choices: { demo }, onChange }: FormProps) {
  const example = demo && exampleOf(fields.action, demo);
  if (example === undefined) return null;
  return (
    <button type="button" class="link-button action-link" onClick={() => onChange(example)}>
      Fill in an example
    </button>
  );
}

/** Undefined for what needs more than the demo wallet has, such as a swap. */
function exampleOf(
  action: ActionName,
  demo: NonNullable<Choices['demo']>,
): Partial<BuildFields> | undefined {
  const { wallet, market, vault } = demo;
  switch (action) {
    case 'deposit':
    case 'borrow':
    case 'repay':
    case 'withdraw':
      return { wallet, market, obligation: '', ...demo[action] };
    case 'vault-deposit':
    case 'vault-withdraw':
      return { wallet, vault, amount: '1' };
    case 'multiply':
    case 'deleverage':
    case 'exit':
    case 'liquidate':
      return undefined;
    case 'vault-exit':
      return { wallet, vault };
    case 'claim':
      return { wallet, vault, market: '', obligation: '', amount: '' };
  }
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { useListedMarkets, useVaults } from '../../api/directory.ts';
import { apiRequest, useResource } from '../../api/resource.ts';
import { PageTitle } from '../../components/page-title.tsx';
import { ACTION_NAMES, type ActionName, type BuildFields } from '../../routing/build-fields.ts';
import { choice, query, setQuery } from '../../routing/location.ts';
import { builderRequest, type FieldProblems, findProblems } from './actions.ts';
import { type Check, useCheck } from './check.ts';
import { CheckBlock } from './check-block.tsx';
import type { Choices } from './form-props.ts';
import { OutcomeBlock } from './outcome-block.tsx';
import { type Sent, SignPanel } from './sign-panel.tsx';
import { type StepName, Steps } from './steps.tsx';
import { chainOf } from './wallet-standard.ts';
import { WhatPanel } from './what-panel.tsx';
import './build.css';

const LIST_MS = 30_000;
const FIELD_NAMES = ['wallet', 'market', 'obligation', 'reserve', 'vault', 'amount'] as const;

/** Choose, check and sign a transaction. The URL holds the choice. */
export function BuildPage() {
  const fields = readFields();
  const problems = findProblems(fields);
  const isRequested = query.value.get('step') === 'check';
  const isChecking = isRequested && isEmpty(problems);
  const { sent, setSent } = useSent(JSON.stringify(fields));
  const choices = useChoices();
  const check = useCheck(isChecking ? builderRequest(fields) : undefined, sent !== undefined);
  const { change, checkWith, changeAction, complete } = useChanges(fields, setSent);
  return (
    <div class="page">
      <PageTitle title="Build a transaction" />
      <Steps current={isChecking ? stepOf(check.data, sent) : 'what'} />
      <div class="page" data-step="what" tabIndex={-1}>
        <WhatPanel
          fields={fields}
          choices={choices}
          problems={isRequested ? problems : {}}
          onChange={change}
          onSubmit={() => checkWith({})}
        />
      </div>
      {isChecking && (
        <div class="page" data-step="check" tabIndex={-1}>
          <CheckBlock
            check={check}
            fields={fields}
            onAmount={(amount) => checkWith({ amount })}
            onAction={changeAction}
          />
        </div>
      )}
      {isChecking && check.data !== undefined && (
        <SignPanel
          check={check.data}
          wallet={fields.wallet}
          chain={choices.chain}
          hasDemoWallets={choices.demo !== undefined}
          isSent={sent !== undefined}
          onSent={complete}
        />
      )}
      {check.data !== undefined && sent !== undefined && (
        <div class="page" data-step="sent" tabIndex={-1}>
          <OutcomeBlock fields={fields} sent={sent} check={check.data} onAction={changeAction} />
        </div>
      )}
    </div>
  );
}

const isEmpty = (problems: FieldProblems): boolean => Object.keys(problems).length === 0;

const stepOf = (check: Check | undefined, sent: Sent | undefined): StepName =>
  sent !== undefined || check?.preview.success ? 'sign' : 'check';

/** Changes of the fields, each with the focus where the reader goes on. */
function useChanges(fields: BuildFields, setSent: (sent: Sent | undefined) => void) {
  const focus = useFocus();
  const change = (changes: Partial<BuildFields>): void =>
    writeFields(withoutOtherLoan(changes, fields), { step: undefined });
  return {
    change,
    checkWith(changes: Partial<BuildFields>): void {
      setSent(undefined);
      writeFields(changes, { step: 'check' });
      focus(isEmpty(findProblems({ ...fields, ...changes })) ? 'check' : 'problem');
    },
    complete(sent: Sent): void {
      setSent(sent);
      focus('sent');
    },
    changeAction(action: ActionName): void {
      change({ action });
      focus('what');
    },
  };
}

/** Another wallet or market has another loan. */
function withoutOtherLoan(
  changes: Partial<BuildFields>,
  { wallet, market }: BuildFields,
): Partial<BuildFields> {
  const next = { wallet, market, ...changes };
  const isSame = next.wallet === wallet && next.market === market;
  return isSame ? changes : { obligation: '', ...changes };
}

function readFields(): BuildFields {
  const text = (name: string): string => query.value.get(name) ?? '';
  return {
    action: choice('action', ACTION_NAMES).value,
    wallet: text('wallet'),
    market: text('market'),
    obligation: text('obligation'),
    reserve: text('reserve'),
    vault: text('vault'),
    amount: text('amount'),
  };
}

function writeFields(
  changes: Partial<BuildFields>,
  { step }: { readonly step: string | undefined },
): void {
  const texts = FIELD_NAMES.flatMap((name) => {
    const value = changes[name];
    return value === undefined ? [] : [[name, value === '' ? undefined : value] as const];
  });
  setQuery({
    ...Object.fromEntries(texts),
    ...(changes.action !== undefined && { action: changes.action }),
    step,
  });
}

/** The transaction that was sent for these fields. */
function useSent(key: string) {
  const [state, setState] = useState<{ readonly key: string; readonly sent: Sent }>();
  return {
    sent: state?.key === key ? state.sent : undefined,
    setSent: (sent: Sent | undefined) => setState(sent && { key, sent }),
  };
}

function useChoices(): Choices {
  const { data: markets = [] } = useListedMarkets(LIST_MS);
  const { data: vaults = [] } = useVaults();
  const { data: status } = useResource(apiRequest('GET /status'), { pollMs: 0 });
  return { markets, vaults, demo: status?.demo, chain: chainOf(status?.clusters[0]?.env) };
}

/** Moves the focus to a step, or to the first field with a problem, after the next render. */
function useFocus(): (target: 'what' | 'check' | 'sent' | 'problem') => void {
  const [request, setRequest] = useState({ target: '', count: 0 });
  const handled = useRef(0);
  useEffect(() => {
    if (request.count === handled.current) return;
    handled.current = request.count;
    const selector =
      request.target === 'problem' ? '[aria-invalid="true"]' : `[data-step="${request.target}"]`;
    document.querySelector<HTMLElement>(selector)?.focus();
  }, [request]);
  return (target) => setRequest(({ count }) => ({ target, count: count + 1 }));
}

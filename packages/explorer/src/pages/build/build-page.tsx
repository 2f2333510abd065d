import { useEffect, useRef, useState } from 'preact/hooks';
import { useListedMarkets, useVaults } from '../../api/directory.ts';
import { apiRequest, useResource } from '../../api/resource.ts';
import { PageTitle } from '../../components/page-title.tsx';
import { isAddress } from '../../format/address.ts';
import { loansOf } from '../../loans/wallet-loans.ts';
import {
  ACTION_NAMES,
  type ActionName,
  type BuildFields,
  EMPTY_FIELDS,
} from '../../routing/build-fields.ts';
import { choice, query, setQuery } from '../../routing/location.ts';
import { connectedWallet } from '../../wallets/connected-wallet.ts';
import { chainOf } from '../../wallets/wallet-standard.ts';
import { type Check, useCheck } from './check.ts';
import type { Choices } from './form-props.ts';
import { NOT_SENT, type Sent, useSent } from './outcome/use-sent.ts';
import { CheckStep, FeeStep, SentStep, SignStep } from './page-steps.tsx';
import { usePlan } from './plan/use-plan.ts';
import { useLoanRisk } from './preview-risk.ts';
import { FEE_CHOICES } from './priority-fee.ts';
import { builderRequest } from './request/builder-request.ts';
import { type FieldName, type FieldProblems, findProblems } from './request/field-problems.ts';
import type { Signed } from './sign/sign-panel.tsx';
import { type StepName, Steps } from './steps.tsx';
import { WhatPanel } from './what-panel.tsx';
import './build.css';

const LIST_MS = 30_000;
/** What the URL has. */
const FIELD_NAMES = Object.keys(EMPTY_FIELDS).filter(
  (name) => name !== 'action' && name !== 'swap',
) as readonly Exclude<FieldName, 'swap'>[];

/** Choose, check and sign a transaction. The URL holds the choice. */
export function BuildPage() {
  const { fields, problems, isChecking, setSwap } = useForm();
  const { sent, remember } = useSent();
  const choices = useChoices(fields.wallet);
  const fee = choice('fee', FEE_CHOICES);
  const changes = useChanges(fields, { remember, setSwap });
  const isFrozen = sent !== undefined;
  useNewWallet();
  const request = isChecking ? builderRequest(fields) : undefined;
  const check = useCheck(request, { fee: fee.value, isFrozen, round: changes.round });
  const risk = useLoanRisk(check.data?.preview);
  // after a reload there is only what was sent
  const hasCheck = isChecking && !(isFrozen && check.data === undefined);
  const plan = usePlan(JSON.stringify(fields), () => changes.checkWith({}));
  return (
    <div class="page">
      <PageTitle title="Build a transaction" />
      <Steps current={stepOf(isChecking, check.data, sent)} />
      <div class="page" data-step="what" tabIndex={-1}>
        <WhatPanel
          fields={fields}
          choices={choices}
          problems={problems}
          onChange={changes.change}
          onSubmit={() => changes.checkWith({})}
        />
      </div>
      {hasCheck && (
        <CheckStep
          fields={fields}
          completed={plan.completed}
          check={check}
          risk={risk}
          sent={sent}
          onAmount={(amount) => changes.checkWith({ amount })}
          onAction={changes.changeAction}
        />
      )}
      {hasCheck && <FeeStep action={fields.action} check={check.data} sent={sent} fee={fee} />}
      {isChecking && check.data !== undefined && (
        <SignStep
          fields={fields}
          check={check.data}
          risk={risk}
          round={changes.round}
          choices={choices}
          isSent={isFrozen}
          onSigned={changes.complete}
        />
      )}
      {sent !== undefined && (
        <SentStep
          fields={fields}
          sent={sent}
          check={check.data}
          onAction={changes.changeAction}
          onBuildAgain={() => changes.checkWith({})}
          onNext={plan.next}
        />
      )}
    </div>
  );
}

/** What is chosen, and whether it is complete. */
function useForm() {
  const [swap, setSwap] = useState('');
  const fields = { ...readFields(), swap };
  const problems = findProblems(fields);
  const isRequested = query.value.get('step') === 'check';
  return {
    fields,
    problems: isRequested ? problems : {},
    isChecking: isRequested && isEmpty(problems),
    setSwap,
  };
}

const isEmpty = (problems: FieldProblems): boolean => Object.keys(problems).length === 0;

function stepOf(isChecking: boolean, check: Check | undefined, sent: Sent | undefined): StepName {
  if (!isChecking) return 'what';
  return sent !== undefined || check?.preview.success ? 'sign' : 'check';
}

type Setters = {
  readonly remember: ReturnType<typeof useSent>['remember'];
  readonly setSwap: (swap: string) => void;
};

/** Changes of the fields, each with the focus where the reader goes on. */
function useChanges(fields: BuildFields, { remember, setSwap }: Setters) {
  const focus = useFocus();
  const [round, setRound] = useState(0);
  const change = (changes: Partial<BuildFields>): void => {
    if (changes.swap !== undefined) setSwap(changes.swap);
    writeFields(withoutOtherLoan(changes, fields), { step: undefined });
  };
  return {
    round,
    change,
    checkWith(changes: Partial<BuildFields>): void {
      setRound(round + 1);
      // the transaction stays that of this wallet if another one is connected
      const pinned = fields.wallet === '' ? {} : { wallet: fields.wallet };
      writeFields({ ...pinned, ...changes }, { step: 'check' });
      focus(isEmpty(findProblems({ ...fields, ...changes })) ? 'check' : 'problem');
    },
    complete({ check: { preview, holding }, signed, ...transaction }: Signed): void {
      remember(transaction, { before: { preview, holding }, signed });
      focus('sent');
    },
    changeAction(action: ActionName): void {
      change({ action });
      focus('what');
    },
  };
}

/** Another wallet or market has another loan, and a loan to liquidate is not one of the wallet. */
function withoutOtherLoan(
  changes: Partial<BuildFields>,
  { action, wallet, market }: BuildFields,
): Partial<BuildFields> {
  const next = { action, wallet, market, ...changes };
  const isLiquidation = next.action === 'liquidate';
  const isSame =
    (next.wallet === wallet || isLiquidation) &&
    next.market === market &&
    isLiquidation === (action === 'liquidate');
  return isSame ? changes : { obligation: '', ...changes };
}

/** A field that was emptied takes the wallet that is connected afterwards. */
function useNewWallet(): void {
  const address = connectedWallet.value?.address;
  const known = useRef(address);
  useEffect(() => {
    const isNew = address !== undefined && address !== known.current;
    known.current = address;
    if (isNew && query.peek().get('wallet') === '') setQuery({ wallet: undefined });
  }, [address]);
}

function readFields(): BuildFields {
  const text = (name: string): string => query.value.get(name) ?? '';
  const texts = Object.fromEntries(FIELD_NAMES.map((name) => [name, text(name)]));
  return {
    ...EMPTY_FIELDS,
    ...texts,
    action: choice('action', ACTION_NAMES).value,
    // of the reader, unless the URL has one or the reader has emptied the field
    wallet: query.value.get('wallet') ?? connectedWallet.value?.address ?? '',
  };
}

/** What was sent belongs to the fields as they were. */
function writeFields(
  changes: Partial<BuildFields>,
  { step }: { readonly step: string | undefined },
): void {
  const texts = FIELD_NAMES.flatMap((name) => {
    const value = changes[name];
    if (value === undefined) return [];
    return [[name, value === '' && name !== 'wallet' ? undefined : value] as const];
  });
  setQuery({
    ...Object.fromEntries(texts),
    ...(changes.action !== undefined && { action: changes.action }),
    step,
    ...NOT_SENT,
  });
}

function useChoices(wallet: string): Choices {
  const { data: markets = [] } = useListedMarkets(LIST_MS);
  const { data: vaults = [] } = useVaults();
  const { data: status } = useResource(apiRequest('GET /status'), { pollMs: 0 });
  const { data: portfolio } = useResource(
    isAddress(wallet)
      ? apiRequest('GET /portfolio/{pubkey}', { path: { pubkey: wallet } })
      : undefined,
    { pollMs: LIST_MS },
  );
  const loans = portfolio && loansOf(portfolio);
  return { markets, vaults, loans, demo: status?.demo, chain: chainOf(status?.clusters[0]?.env) };
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

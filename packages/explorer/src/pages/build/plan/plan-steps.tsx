import type { Preview } from '@tidegate/client';
import { Panel } from '../../../components/panel.tsx';
import { Signature } from '../../../components/transaction/signature.tsx';
import { formatCount } from '../../../format/number.ts';
import type { ActionName } from '../../../routing/build-fields.ts';
import type { Check } from '../check.ts';
import type { Sent } from '../outcome/use-sent.ts';
import { PlanView } from '../plan-view.tsx';
import { WalletChanges } from '../wallet-changes.tsx';
import { type CompletedStep, isPlan } from './use-plan.ts';
import './plan.css';

type PlanStepsProps = {
  readonly action: ActionName;
  readonly completed: readonly CompletedStep[];
  /** The transaction that is next; undefined while it is built, and if none can be. */
  readonly check: Check | undefined;
  /** Undefined until it was sent. */
  readonly sent: Sent | undefined;
};

/** Several transactions, one after the other: what has happened, what is next, and what follows. */
export function PlanSteps({ action, completed, check, sent }: PlanStepsProps) {
  if (!isPlan(action) || (check === undefined && completed.length === 0)) return null;
  const following = check?.following ?? [];
  return (
    <Panel title="All transactions">
      {check !== undefined && (
        <p class="weak">{introduction(completed.length + 1 + following.length)}</p>
      )}
      <ol class="plan-steps">
        {completed.map(({ summary, signature }) => (
          <li key={signature} class="is-done">
            <span class="plan-step-state">Done</span>
            <span>
              {summary} <Signature signature={signature} />
            </span>
          </li>
        ))}
        {check !== undefined && (
          <li aria-current="step">
            <span class="plan-step-state">{sent === undefined ? 'Next' : 'Sent'}</span>
            <span>{check.preview.plan.summary}</span>
          </li>
        )}
        {following.map((each, index) => (
          <li key={index}>
            <span class="plan-step-state">Later</span>
            <FollowingStep preview={each} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function introduction(total: number): string {
  if (total === 1) return 'One transaction does all of it.';
  return `${formatCount(total)} transactions, one after the other. Each is built from the state that the one before has left, and checked again before you sign it. If you stop in between, what has landed stays, and the rest can be built later.`;
}

/** Computed on the state after the transactions before it. */
const FollowingStep = ({ preview }: { readonly preview: Preview }) => (
  <details>
    <summary>{preview.plan.summary}</summary>
    <div class="columns plan-step-preview">
      <PlanView preview={preview} />
      <div class="build-part">
        <WalletChanges preview={preview} />
      </div>
    </div>
  </details>
);

import { Panel } from '../../../components/panel.tsx';
import { formatCount } from '../../../format/number.ts';
import type { ActionName } from '../../../routing/build-fields.ts';
import type { Check } from '../check.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { Sent } from '../outcome/use-sent.ts';
import { type CompletedStep, isPlan } from './use-plan.ts';

type PlanOutcomeProps = {
  readonly action: ActionName;
  readonly kind: Outcome['kind'];
  readonly sent: Sent;
  /** As it was signed; undefined after a reload. */
  readonly check: Check | undefined;
  readonly onNext: (step: CompletedStep) => void;
};

/** After a transaction of a plan: what is left to do. */
export function PlanOutcome({ action, kind, sent, check, onNext }: PlanOutcomeProps) {
  if (!isPlan(action)) return null;
  if (kind !== 'landed') return <Stopped kind={kind} check={check} />;
  if (check?.following.length === 0) return <Completed action={action} />;
  const summary = sent.before?.preview.plan.summary ?? 'A transaction that landed.';
  return (
    <Panel title="The rest of the plan">
      <p>{restOf(check)}</p>
      <div class="button-row">
        <button
          type="button"
          class="button primary"
          onClick={() => onNext({ summary, signature: sent.signature })}
        >
          Check the next transaction
        </button>
      </div>
    </Panel>
  );
}

function restOf(check: Check | undefined): string {
  if (check === undefined) return 'What is left is built from the present state.';
  const [next, ...others] = check.following;
  const summary = next?.plan.summary ?? '';
  return others.length === 0
    ? `One transaction follows: ${summary}`
    : `${formatCount(others.length + 1)} transactions follow. The next: ${summary}`;
}

const Completed = ({ action }: Pick<PlanOutcomeProps, 'action'>) => (
  <Panel title="The plan is complete">
    <p>
      {action === 'exit'
        ? 'The loan is closed, and everything that it had is in the wallet.'
        : 'The shares are sold, as far as the vault can pay for them now.'}
    </p>
  </Panel>
);

/** What has happened and what has not. Nothing while it can still land. */
const Stopped = ({ kind, check }: Pick<PlanOutcomeProps, 'kind' | 'check'>) =>
  kind === 'pending' || kind === 'unknown' ? null : (
    <Panel title="The plan has stopped">
      <p>
        What landed before this transaction stays as it is. This one changed nothing
        {kind === 'failed' ? ' but its fee' : ''}
        {check !== undefined && check.following.length > 0
          ? ', and those after it were not sent'
          : ''}
        . Build again to go on from the present state.
      </p>
    </Panel>
  );

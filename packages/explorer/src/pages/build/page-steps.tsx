import type { ActionName, BuildFields } from '../../routing/build-fields.ts';
import type { Check } from './check.ts';
import { CheckBlock } from './check-block.tsx';
import { FeePanel } from './fee-panel.tsx';
import type { Choices } from './form-props.ts';
import { OutcomeBlock } from './outcome/outcome-block.tsx';
import type { Sent } from './outcome/use-sent.ts';
import { PlanOutcome } from './plan/plan-outcome.tsx';
import { PlanSteps } from './plan/plan-steps.tsx';
import { type CompletedStep, isPlan } from './plan/use-plan.ts';
import type { LoanRiskState } from './preview-risk.ts';
import type { FeeChoice } from './priority-fee.ts';
import { RiskGate } from './risk-gate.tsx';
import { type Signed, SignPanel } from './sign/sign-panel.tsx';

type CheckStepProps = Parameters<typeof CheckBlock>[0] & {
  readonly completed: readonly CompletedStep[];
  readonly sent: Sent | undefined;
};

/** What the transaction would do, and its place in a plan. */
export const CheckStep = ({ completed, sent, ...props }: CheckStepProps) => (
  <div class="page" data-step="check" tabIndex={-1}>
    <PlanSteps
      action={props.fields.action}
      completed={completed}
      check={props.check.data}
      sent={sent}
    />
    <CheckBlock {...props} />
  </div>
);

type FeeStepProps = {
  readonly action: ActionName;
  readonly check: Check | undefined;
  readonly sent: Sent | undefined;
  readonly fee: { readonly value: FeeChoice; readonly set: (choice: FeeChoice) => void };
};

/** Of a transaction that can be signed. A plan has none: a budget would split it into more transactions. */
export const FeeStep = ({ action, check, sent, fee }: FeeStepProps) =>
  isPlan(action) || isFailing(check) || sent !== undefined ? null : (
    <FeePanel
      offer={check?.feeOffer}
      problem={check?.feeProblem}
      isReading={check === undefined}
      choice={fee.value}
      onChoice={fee.set}
    />
  );

/** For another reason than its fee, which another choice would lower. */
const isFailing = (check: Check | undefined): boolean =>
  check?.preview.success === false && check.feeOffer === undefined;

type SignStepProps = {
  readonly fields: BuildFields;
  readonly check: Check;
  readonly risk: LoanRiskState;
  /** Another check needs another confirmation. */
  readonly round: number;
  readonly choices: Choices;
  readonly isSent: boolean;
  readonly onSigned: (signed: Signed) => void;
};

/** The way to sign, behind the confirmation of a risk. */
export const SignStep = ({ fields, risk, round, choices, ...sign }: SignStepProps) => (
  <RiskGate {...risk} subject={JSON.stringify([fields, round])} isSent={sign.isSent}>
    <SignPanel
      {...sign}
      wallet={fields.wallet}
      chain={choices.chain}
      hasDemoWallets={choices.demo !== undefined}
    />
  </RiskGate>
);

type SentStepProps = {
  readonly fields: BuildFields;
  readonly sent: Sent;
  readonly check: Check | undefined;
  readonly onAction: (action: ActionName) => void;
  readonly onBuildAgain: () => void;
  readonly onNext: (step: CompletedStep) => void;
};

/** What became of the transaction, and what is left of a plan. */
export const SentStep = ({ check, onNext, ...props }: SentStepProps) => (
  <div class="page" data-step="sent" tabIndex={-1}>
    <OutcomeBlock key={props.sent.signature} {...props}>
      {(kind) => (
        <PlanOutcome
          action={props.fields.action}
          kind={kind}
          sent={props.sent}
          check={check}
          onNext={onNext}
        />
      )}
    </OutcomeBlock>
  </div>
);

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Panel } from '../../components/panel.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type LoanRiskState, mustConfirm } from './preview-risk.ts';

type RiskGateProps = LoanRiskState & {
  /** What the confirmation is for: other fields need another one. */
  readonly subject: string;
  readonly isSent: boolean;
  /** The way to sign. */
  readonly children: ComponentChildren;
};

const HEIGHT = 120;

/** A loan that a day can bring to its liquidation must be confirmed before signing. */
export function RiskGate({ risk, isLoading, subject, isSent, children }: RiskGateProps) {
  const [confirmed, setConfirmed] = useState('');
  if (risk === undefined || isSent) return <>{children}</>;
  if (isLoading) return <Skeleton height={HEIGHT} />;
  if (!mustConfirm(risk)) return <>{children}</>;
  const isConfirmed = confirmed === subject;
  return (
    <>
      <Panel title="Confirm the risk">
        <p>This transaction brings the loan close to its liquidation, as step 2 says.</p>
        <label class="risk-confirm">
          <input
            type="checkbox"
            checked={isConfirmed}
            onChange={({ currentTarget }) => setConfirmed(currentTarget.checked ? subject : '')}
          />
          I know that this loan can be liquidated soon after it
        </label>
      </Panel>
      {isConfirmed && children}
    </>
  );
}

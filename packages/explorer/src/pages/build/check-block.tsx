import type { Resource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Message, Panel } from '../../components/panel.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import {
  DecodedFacts,
  DecodedInstructions,
  DecodedWarnings,
} from '../../components/transaction/decoded-transaction.tsx';
import { formatCount } from '../../format/number.ts';
import type { Check } from './check.ts';
import { compareLoans } from './loan-changes.ts';
import { LoanTable } from './loan-table.tsx';
import { PlanView } from './plan-view.tsx';
import { previewAlerts } from './preview-alerts.ts';
import { Rejection, type RejectionProps, SimulatedFailure } from './rejection-view.tsx';
import { WalletChanges } from './wallet-changes.tsx';

type CheckBlockProps = Omit<RejectionProps, 'error'> & { readonly check: Resource<Check> };

const SKELETON_HEIGHT = 420;

/** The second step: the plan, before and after, alerts, and the transaction itself. */
export function CheckBlock({ check, ...help }: CheckBlockProps) {
  const { error } = check;
  if (error?.kind === 'invalid') {
    return (
      <Panel title="2 · Check">
        <Rejection error={error} {...help} />
      </Panel>
    );
  }
  return (
    <>
      <Block title="2 · Check" resources={[check]} skeleton={<Skeleton height={SKELETON_HEIGHT} />}>
        {(data) => (
          <div class="panel-body">
            <Verdict check={data} {...help} />
            <div class="columns">
              <PlanView preview={data.preview} />
              <BeforeAndAfter check={data} />
            </div>
          </div>
        )}
      </Block>
      {check.data?.decoded !== undefined && (
        <Panel title="The transaction">
          <DecodedInstructions decoded={check.data.decoded} />
          <details class="build-more">
            <summary>Signatures, fee and size</summary>
            <DecodedFacts decoded={check.data.decoded} />
          </details>
        </Panel>
      )}
    </>
  );
}

type VerdictProps = Omit<RejectionProps, 'error'> & { readonly check: Check };

/** Whether it would succeed, and what to know before signing. */
function Verdict({ check: { preview, decoded }, ...help }: VerdictProps) {
  const { error, simulated, slot } = preview;
  return (
    <>
      {error === null ? (
        <Message tone="positive" isLive>
          <p>
            <strong>It would succeed.</strong>{' '}
            {simulated ? 'The cluster simulated it' : 'The server’s model executed it'} at slot{' '}
            {formatCount(slot)}.
          </p>
        </Message>
      ) : (
        <SimulatedFailure failure={error} decoded={decoded} {...help} />
      )}
      {previewAlerts(preview).map(({ tone, title, text }) => (
        <Message key={title} tone={tone}>
          <p>
            <strong>{title}.</strong> {text}
          </p>
        </Message>
      ))}
      {decoded === undefined ? (
        <Message tone="warning">
          <p>
            <strong>The transaction cannot be decoded.</strong> Decode it with another tool before
            you sign.
          </p>
        </Message>
      ) : (
        <DecodedWarnings decoded={decoded} />
      )}
    </>
  );
}

function BeforeAndAfter({ check: { preview } }: { readonly check: Check }) {
  const { loan, success } = preview;
  return (
    <div class="build-part">
      {loan !== null && <h3>{success ? 'Before and after' : 'Nothing changes but the fee'}</h3>}
      {loan !== null &&
        (success ? (
          <LoanTable
            label="The loan before and after"
            titles={['Before', 'After']}
            rows={compareLoans([loan.before, loan.after])}
          />
        ) : (
          <LoanTable
            label="The loan, which stays as it is"
            titles={['Now']}
            rows={compareLoans([loan.before])}
          />
        ))}
      <WalletChanges preview={preview} />
    </div>
  );
}

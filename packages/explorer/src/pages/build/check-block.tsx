import { isRejection } from '../../api/failure.ts';
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
import type { ActionName, BuildFields } from '../../routing/build-fields.ts';
import { ChangeTable, type ChangeTableProps } from './change-table.tsx';
import type { Check } from './check.ts';
import { compareLoans } from './loan-changes.ts';
import { PlanView } from './plan-view.tsx';
import { previewAlerts } from './preview-alerts.ts';
import type { LoanRiskState } from './preview-risk.ts';
import { Rejection, type RejectionProps, SimulatedFailure } from './rejection-view.tsx';
import { RiskMessages } from './risk-messages.tsx';
import { comparePositions, isVaultAction, positionAfter, tokenSymbol } from './vault-changes.ts';
import { WalletChanges } from './wallet-changes.tsx';

type CheckBlockProps = Omit<RejectionProps, 'error'> & {
  readonly check: Resource<Check>;
  readonly risk: LoanRiskState;
  readonly fields: BuildFields;
};

const SKELETON_HEIGHT = 420;

/** The second step: the plan, before and after, alerts, and the transaction itself. */
export function CheckBlock({ check, risk, fields, ...help }: CheckBlockProps) {
  const { error } = check;
  if (error !== undefined && isRejection(error)) {
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
            <Verdict check={data} risk={risk} obligation={fields.obligation} {...help} />
            <div class="columns">
              <PlanView preview={data.preview} />
              <BeforeAndAfter check={data} action={fields.action} />
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

type VerdictProps = Omit<RejectionProps, 'error'> & {
  readonly check: Check;
  readonly risk: LoanRiskState;
  /** The loan that the reader came from. */
  readonly obligation: string;
};

/** Whether it would succeed, and what to know before signing. */
function Verdict({ check: { preview, decoded }, risk, obligation, ...help }: VerdictProps) {
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
      {previewAlerts(preview, obligation).map(({ tone, title, text }) => (
        <Message key={title} tone={tone}>
          <p>
            <strong>{title}.</strong> {text}
          </p>
        </Message>
      ))}
      {risk.risk !== undefined && !risk.isLoading && <RiskMessages {...risk.risk} />}
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

type BeforeAndAfterProps = { readonly check: Check; readonly action: ActionName };

function BeforeAndAfter({ check, action }: BeforeAndAfterProps) {
  const { preview } = check;
  const changes = changesOf(check, action);
  return (
    <div class="build-part">
      {changes !== undefined && (
        <>
          <h3>{preview.success ? 'Before and after' : 'Nothing changes but the fee'}</h3>
          <ChangeTable {...changes} />
        </>
      )}
      <WalletChanges preview={preview} />
    </div>
  );
}

/** The loan or the position before and after, or as it stays; undefined if there is none. */
function changesOf({ preview, holding }: Check, action: ActionName): ChangeTableProps | undefined {
  const { loan, success } = preview;
  const titles = success ? ['Before', 'After'] : ['Now'];
  const labelOf = (what: string): string =>
    success ? `The ${what} before and after` : `The ${what}, which stays as it is`;
  if (loan !== null) {
    const rows = compareLoans(success ? [loan.before, loan.after] : [loan.before]);
    return { label: labelOf('loan'), titles, rows };
  }
  if (holding === undefined || !isVaultAction(action)) return undefined;
  const { position, value } = holding;
  const positions = success ? [position, positionAfter(position, preview, action)] : [position];
  const context = { value, symbol: tokenSymbol(preview, action) };
  return { label: labelOf('position'), titles, rows: comparePositions(positions, context) };
}

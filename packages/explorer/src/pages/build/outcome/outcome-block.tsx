import type { ComponentChildren } from 'preact';
import { Panel } from '../../../components/panel.tsx';
import { Signature } from '../../../components/transaction/signature.tsx';
import type { ActionName, BuildFields } from '../../../routing/build-fields.ts';
import { actions } from '../actions.ts';
import { TransactionBytes } from '../sign/transaction-bytes.tsx';
import { isVaultAction } from '../vault-changes.ts';
import { WalletChanges } from '../wallet-changes.tsx';
import { LiveLoan } from './live-loan.tsx';
import { LivePosition } from './live-position.tsx';
import { NothingKnownBefore } from './nothing-known-before.tsx';
import type { Outcome } from './outcome.ts';
import { OutcomeMessage } from './outcome-message.tsx';
import { useOutcome } from './use-outcome.ts';
import type { Sent } from './use-sent.ts';

type OutcomeBlockProps = {
  readonly fields: BuildFields;
  readonly sent: Sent;
  readonly onAction: (action: ActionName) => void;
  readonly onBuildAgain: () => void;
  /** What follows the outcome. */
  readonly children: (kind: Outcome['kind']) => ComponentChildren;
};

/** How often the position is read after a transaction. */
const LIVE_MS = 2_000;

const opposites: Readonly<Record<ActionName, ActionName | undefined>> = {
  deposit: 'withdraw',
  withdraw: 'deposit',
  borrow: 'repay',
  repay: 'borrow',
  multiply: 'deleverage',
  deleverage: 'multiply',
  exit: undefined,
  liquidate: undefined,
  'vault-exit': 'vault-deposit',
  'vault-deposit': 'vault-withdraw',
  'vault-withdraw': 'vault-deposit',
  claim: undefined,
};

/** What became of the transaction, and what it changed, live. */
export function OutcomeBlock({ fields, sent, children, ...act }: OutcomeBlockProps) {
  const { onAction, onBuildAgain } = act;
  const outcome = useOutcome(sent);
  const kind = outcome?.kind ?? 'pending';
  const opposite = opposites[fields.action];
  return (
    <>
      <Panel title="Outcome">
        {outcome !== undefined && <OutcomeMessage outcome={outcome} isSent={!sent.signed} />}
        <p>
          Transaction <Signature {...sent} />
        </p>
        {kind === 'pending' && sent.signed !== undefined && (
          <TransactionBytes
            transaction={sent.signed}
            what="signed transaction"
            help="Your wallet signs and does not send: send it with a node of the cluster before it expires."
          />
        )}
        <div class="button-row">
          {kind === 'landed' && opposite !== undefined && (
            <button type="button" class="button" onClick={() => onAction(opposite)}>
              {actions[opposite].title} next
            </button>
          )}
          {(kind === 'failed' || kind === 'expired') && (
            <button type="button" class="button primary" onClick={onBuildAgain}>
              Build again
            </button>
          )}
        </div>
      </Panel>
      {children(kind)}
      {kind === 'landed' && <WhatChanged fields={fields} sent={sent} />}
    </>
  );
}

/** The position before, as expected, and now. */
function WhatChanged({ fields, sent: { before } }: Pick<OutcomeBlockProps, 'fields' | 'sent'>) {
  const loanId = loanAfter(fields, before);
  const hasShares = isVaultAction(fields.action);
  return (
    <>
      {loanId === '' && !hasShares && (
        <Panel title="What it changed">
          {before === undefined ? (
            <NothingKnownBefore />
          ) : (
            <WalletChanges preview={before.preview} />
          )}
        </Panel>
      )}
      {loanId !== '' && <LiveLoan loanId={loanId} before={before} pollMs={LIVE_MS} />}
      {hasShares && <LivePosition fields={fields} before={before} pollMs={LIVE_MS} />}
    </>
  );
}

/** Empty if there is none, or not any more. */
function loanAfter({ action, obligation }: BuildFields, before: Sent['before']): string {
  const report = before?.preview.loan;
  if (report != null) return report.after?.loanId ?? '';
  return action === 'exit' || action === 'claim' ? '' : obligation;
}

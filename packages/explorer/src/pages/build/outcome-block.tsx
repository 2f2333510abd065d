import { apiRequest, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Message, Panel } from '../../components/panel.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Signature } from '../../components/transaction/signature.tsx';
import { formatCount } from '../../format/number.ts';
import type { ActionName, BuildFields } from '../../routing/build-fields.ts';
import { hrefOf } from '../../routing/location.ts';
import { actions } from './actions.ts';
import { ChangeTable } from './change-table.tsx';
import type { Check } from './check.ts';
import { LivePosition } from './live-position.tsx';
import { compareLoans } from './loan-changes.ts';
import type { Sent } from './sign-panel.tsx';
import { WalletChanges } from './wallet-changes.tsx';

type OutcomeBlockProps = {
  readonly fields: BuildFields;
  readonly sent: Sent;
  /** As it was when it was signed. */
  readonly check: Check;
  readonly onAction: (action: ActionName) => void;
};

/** How often the loan is read after a transaction. */
const LIVE_MS = 2_000;
const TABLE_HEIGHT = 330;

const opposites: Readonly<Record<ActionName, ActionName | undefined>> = {
  deposit: 'withdraw',
  withdraw: 'deposit',
  borrow: 'repay',
  repay: 'borrow',
  'vault-deposit': 'vault-withdraw',
  'vault-withdraw': 'vault-deposit',
  claim: undefined,
};

/** What the transaction changed, live. */
export function OutcomeBlock({ fields, sent, check, onAction }: OutcomeBlockProps) {
  const { action } = fields;
  const { loan } = check.preview;
  const loanId = (loan?.after ?? loan?.before)?.loanId;
  const opposite = opposites[action];
  return (
    <>
      <Panel title="Sent">
        <Message tone="positive" isLive>
          <p>
            <strong>
              {sent.slot === undefined
                ? 'The wallet sent the transaction.'
                : `It landed in slot ${formatCount(sent.slot)}.`}
            </strong>
          </p>
          <p>
            Signature <Signature signature={sent.signature} />
          </p>
        </Message>
        <div class="button-row">
          {opposite !== undefined && (
            <button type="button" class="button" onClick={() => onAction(opposite)}>
              {actions[opposite].title} next
            </button>
          )}
          <a href={hrefOf(`/decode?signature=${sent.signature}`)} data-page="decode">
            Decode it
          </a>
        </div>
        {loanId === undefined && <WalletChanges preview={check.preview} />}
      </Panel>
      {loanId !== undefined && <LiveLoan loanId={loanId} check={check} />}
      {check.holding !== undefined && (
        <LivePosition fields={fields} check={check} pollMs={LIVE_MS} />
      )}
    </>
  );
}

type LiveLoanProps = { readonly loanId: string; readonly check: Check };

function LiveLoan({ loanId, check: { preview } }: LiveLoanProps) {
  const loan = useResource(apiRequest('GET /klend/loans/{pubkey}', { path: { pubkey: loanId } }), {
    pollMs: LIVE_MS,
  });
  return (
    <Block title="The loan now" resources={[loan]} skeleton={<Skeleton height={TABLE_HEIGHT} />}>
      {(now) => (
        <div class="panel-body">
          <ChangeTable
            label="The loan before, as expected, and now"
            titles={['Before', 'Expected', 'Now']}
            rows={compareLoans([preview.loan?.before, preview.loan?.after, now])}
          />
        </div>
      )}
    </Block>
  );
}

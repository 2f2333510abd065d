import { apiRequest, useResource } from '../../../api/resource.ts';
import { Block } from '../../../components/block.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { ChangeTable } from '../change-table.tsx';
import { compareLoans } from '../loan-changes.ts';
import { NothingKnownBefore } from './nothing-known-before.tsx';
import type { FiguresBefore } from './sent-record.ts';

type LiveLoanProps = {
  readonly loanId: string;
  readonly before: FiguresBefore | undefined;
  readonly pollMs: number;
};

const HEIGHT = 330;

/** The loan after a transaction, live. */
export function LiveLoan({ loanId, before, pollMs }: LiveLoanProps) {
  const loan = useResource(apiRequest('GET /klend/loans/{pubkey}', { path: { pubkey: loanId } }), {
    pollMs,
  });
  const report = before?.preview.loan;
  return (
    <Block title="The loan now" resources={[loan]} skeleton={<Skeleton height={HEIGHT} />}>
      {(now) => (
        <div class="panel-body">
          {report == null ? (
            <>
              <ChangeTable label="The loan now" titles={['Now']} rows={compareLoans([now])} />
              <NothingKnownBefore />
            </>
          ) : (
            <ChangeTable
              label="The loan before, as expected, and now"
              titles={['Before', 'Expected', 'Now']}
              rows={compareLoans([report.before, report.after, now])}
            />
          )}
        </div>
      )}
    </Block>
  );
}

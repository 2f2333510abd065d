import { useResource, withoutPast } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { BuildFields } from '../../routing/build-fields.ts';
import { ChangeTable } from './change-table.tsx';
import type { Check } from './check.ts';
import { comparePositions, isVaultAction, positionAfter, tokenSymbol } from './vault-changes.ts';
import { positionIn, positionsRequest, shareValueRequest } from './vault-position.ts';

type LivePositionProps = {
  readonly fields: BuildFields;
  /** As it was when it was signed. */
  readonly check: Check;
  readonly pollMs: number;
};

const HEIGHT = 216;

/** The shares of the wallet after a vault transaction, live. */
export function LivePosition({ fields, check, pollMs }: LivePositionProps) {
  const { action, vault } = fields;
  const { preview, holding } = check;
  const balances = useResource(positionsRequest(fields), { pollMs });
  const metrics = useResource(shareValueRequest(fields), { pollMs });
  if (holding === undefined || !isVaultAction(action)) return null;
  const { position: before } = holding;
  return (
    <Block
      title="The position now"
      resources={[balances, withoutPast(metrics)]}
      skeleton={<Skeleton height={HEIGHT} />}
    >
      {(list, value) => (
        <div class="panel-body">
          <ChangeTable
            label="The position before, as expected, and now"
            titles={['Before', 'Expected', 'Now']}
            rows={comparePositions(
              [before, positionAfter(before, preview, action), positionIn(vault, list)],
              { value, symbol: tokenSymbol(preview, action) },
            )}
          />
        </div>
      )}
    </Block>
  );
}

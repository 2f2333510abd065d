import { useResource, withoutPast } from '../../../api/resource.ts';
import { Block } from '../../../components/block.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import type { BuildFields } from '../../../routing/build-fields.ts';
import { ChangeTable } from '../change-table.tsx';
import { comparePositions, isVaultAction, positionAfter, tokenSymbol } from '../vault-changes.ts';
import { positionIn, positionsRequest, shareValueRequest } from '../vault-position.ts';
import { NothingKnownBefore } from './nothing-known-before.tsx';
import type { FiguresBefore } from './sent-record.ts';

type LivePositionProps = {
  readonly fields: BuildFields;
  readonly before: FiguresBefore | undefined;
  readonly pollMs: number;
};

const HEIGHT = 216;

/** The shares of the wallet after a vault transaction, live. */
export function LivePosition({ fields, before: figures, pollMs }: LivePositionProps) {
  const { action, vault } = fields;
  const balances = useResource(positionsRequest(fields), { pollMs });
  const metrics = useResource(shareValueRequest(fields), { pollMs });
  if (!isVaultAction(action)) return null;
  return (
    <Block
      title="The position now"
      resources={[balances, withoutPast(metrics)]}
      skeleton={<Skeleton height={HEIGHT} />}
    >
      {(list, value) => (
        <div class="panel-body">
          {figures?.holding === undefined ? (
            <>
              <ChangeTable
                label="The position now"
                titles={['Now']}
                rows={comparePositions([positionIn(vault, list)], { value, symbol: 'tokens' })}
              />
              <NothingKnownBefore />
            </>
          ) : (
            <ChangeTable
              label="The position before, as expected, and now"
              titles={['Before', 'Expected', 'Now']}
              rows={comparePositions(
                [
                  figures.holding.position,
                  positionAfter(figures.holding.position, figures.preview, action),
                  positionIn(vault, list),
                ],
                { value, symbol: tokenSymbol(figures.preview, action) },
              )}
            />
          )}
        </div>
      )}
    </Block>
  );
}

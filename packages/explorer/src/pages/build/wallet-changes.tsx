import type { Preview } from '@tidegate/client';
import { Amount } from '../../components/number.tsx';
import { FactList, type FactRow } from '../../components/panel.tsx';
import { shortenAddress } from '../../format/address.ts';
import { solOf } from '../../format/lamports.ts';
import { isMovedToFarm } from './vault-changes.ts';

/** What the wallet has more or less afterwards. */
export function WalletChanges({ preview }: { readonly preview: Preview }) {
  const { tokenChanges, solChangeLamports, feeLamports } = preview;
  const rows: FactRow[] = [
    ...tokenChanges.map(({ mint, symbol, uiChange }) => {
      const name = symbol ?? shortenAddress(mint);
      const value = (
        <>
          <Signed value={uiChange} unit={symbol ?? 'tokens'} />
          {isMovedToFarm(preview, mint) && (
            <span class="weak"> (moved to the farm, still yours)</span>
          )}
        </>
      );
      return { name, value };
    }),
    {
      name: 'SOL',
      hint: 'With the fee and the rent of new accounts',
      value: <Signed value={solOf(solChangeLamports)} unit="SOL" />,
    },
    { name: 'of it the fee', value: <Amount value={solOf(feeLamports)} unit="SOL" /> },
  ];
  return (
    <>
      <h3>Change in the wallet</h3>
      <FactList rows={rows} />
    </>
  );
}

const Signed = ({ value, unit }: { readonly value: string; readonly unit: string }) => (
  <span class="signed">
    {Number(value) > 0 && '+'}
    <Amount value={value} unit={unit} />
  </span>
);

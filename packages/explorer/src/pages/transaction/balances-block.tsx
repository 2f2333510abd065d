import type { TransactionOutcome } from '@tidegate/client';
import { Address } from '../../components/address.tsx';
import { Empty } from '../../components/empty.tsx';
import { Amount } from '../../components/number.tsx';
import { Panel } from '../../components/panel.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { type BalanceRow, balanceRows } from './balance-rows.ts';

const INEXACT = 'the node does not return it exactly';

const columns: readonly Column<BalanceRow>[] = [
  {
    key: 'holder',
    title: 'Holder',
    hint: 'The owner of token accounts; of SOL the account itself',
    cell: ({ holder, isWallet }) => (
      <Address address={holder} {...(isWallet && { page: 'wallet' })} />
    ),
  },
  { key: 'token', title: 'Token', cell: ({ unit }) => unit },
  {
    key: 'before',
    title: 'Before',
    isNumber: true,
    cell: ({ before }) => <Amount value={before} reason={INEXACT} />,
  },
  {
    key: 'after',
    title: 'After',
    isNumber: true,
    cell: ({ after }) => <Amount value={after} reason={INEXACT} />,
  },
  {
    key: 'change',
    title: 'Change',
    isNumber: true,
    cell: ({ change, unit }) => (
      <>
        {Number(change) > 0 && '+'}
        <Amount value={change} unit={unit} reason={INEXACT} />
      </>
    ),
  },
];

/** Balances before and after, as the node recorded them. */
export function BalancesBlock({ outcome }: { readonly outcome: TransactionOutcome }) {
  const rows = balanceRows(outcome);
  return (
    <Panel title="Balance changes">
      {rows === undefined ? (
        <p class="weak">The node returns no balances of this transaction.</p>
      ) : (
        <Table
          id="balances"
          label="Balance changes"
          columns={columns}
          rows={rows}
          keyOf={({ key }) => key}
          empty={<Empty title="No balance changed" />}
        />
      )}
    </Panel>
  );
}

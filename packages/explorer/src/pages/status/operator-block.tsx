import type { Status } from '@tidegate/client';
import type { Resource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Icon } from '../../components/icon.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { hrefOf } from '../../routing/location.ts';
import { type OperatorCheck, operatorChecks } from './operator-checks.ts';

type Row = OperatorCheck & { readonly env: string };

/** Everything that an operator looks at, each with what to do. */
export const OperatorBlock = ({ status }: { readonly status: Resource<Status> }) => (
  <Block
    title="Checks"
    resources={[status]}
    skeleton={<TableSkeleton rows={13} columns={4} />}
    actions={<a href={hrefOf('/docs/guide/operations#alarms')}>Alarms and what to do</a>}
  >
    {({ clusters }) => (
      <Table
        id="checks"
        label="Checks"
        columns={clusters.length > 1 ? [clusterColumn, ...columns] : columns}
        rows={clusters.flatMap((cluster) =>
          operatorChecks(cluster).map((check): Row => ({ ...check, env: cluster.env })),
        )}
        keyOf={({ env, name }) => `${env} ${name}`}
      />
    )}
  </Block>
);

const clusterColumn: Column<Row> = { key: 'cluster', title: 'Cluster', cell: ({ env }) => env };

const columns: readonly Column<Row>[] = [
  { key: 'name', title: 'Check', cell: ({ name }) => name },
  {
    key: 'state',
    title: 'State',
    sortBy: ({ state }) => order.indexOf(state),
    cell: ({ state }) => <State state={state} />,
  },
  {
    key: 'found',
    title: 'Found',
    cell: ({ found }) => <span class="check-text">{found}</span>,
  },
  {
    key: 'action',
    title: 'What to do',
    cell: ({ action }) => <span class="check-text">{action ?? 'Nothing'}</span>,
  },
];

const order: readonly OperatorCheck['state'][] = ['attention', 'off', 'ok'];

function State({ state }: Pick<OperatorCheck, 'state'>) {
  if (state === 'ok') return <span class="check-ok">ok</span>;
  if (state === 'off') return <span class="weak">off</span>;
  return (
    <span class="check-attention">
      <Icon name="warning" /> attention
    </span>
  );
}

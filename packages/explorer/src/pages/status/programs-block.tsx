import type { Status } from '@tidegate/client';
import type { Resource } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { type Column, Table } from '../../components/table.tsx';

type Program = Status['clusters'][number]['programs'][number];

/** Which releases of the programs run, and whose rules figures follow. */
export const ProgramsBlock = ({ status }: { readonly status: Resource<Status> }) => (
  <Block title="Programs" resources={[status]} skeleton={<Empty title="…">…</Empty>}>
    {({ clusters }) => {
      const programs = clusters.flatMap((cluster) => cluster.programs);
      if (programs.length === 0) {
        return <Empty title="Not read yet">The programs of the cluster are not read yet.</Empty>;
      }
      return (
        <Table
          id="programs"
          label="Programs and their releases"
          columns={columns}
          rows={programs}
          keyOf={({ address }) => address}
        />
      );
    }}
  </Block>
);

const columns: readonly Column<Program>[] = [
  {
    key: 'program',
    title: 'Program',
    cell: ({ program, address }) => <Address address={address} name={program} />,
  },
  {
    key: 'release',
    title: 'Release',
    cell: ({ release, unknownSince }) => release ?? `unknown since slot ${unknownSince}`,
  },
  { key: 'rules', title: 'Rules', cell: ({ rules }) => rules ?? '–' },
  { key: 'slot', title: 'Deployed in slot', isNumber: true, cell: ({ deploySlot }) => deploySlot },
  { key: 'hash', title: 'sha256', cell: ({ hash }) => `${hash.slice(0, 16)}…` },
];

import type { Proof } from '@tidegate/client';
import { apiRequest, useResource } from '../../api/resource.ts';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { Notice } from '../../components/notice.tsx';
import { Amount, Unknown } from '../../components/number.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { StatsSkeleton, TableSkeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { Table } from '../../components/table.tsx';
import { exampleColumns, periodColumns, rowColumns, toPeriods } from './proof-columns.tsx';

const POLL_MS = 5_000;

/** What this server has proven of its figures, and what it has not. */
export function ProofPage() {
  const proof = useResource(apiRequest('GET /proof'), { pollMs: POLL_MS });
  const open = proof.data?.counterexamples.filter(({ explanation }) => explanation === null) ?? [];
  return (
    <div class="page">
      <div class="page-title">
        <PageTitle title="Proof" />
      </div>
      {open.length > 0 && (
        <Notice text="A program does something else than this server computes. Figures of these kinds are not proven." />
      )}
      <Block title="Transactions" resources={[proof]} skeleton={<TransactionsSkeleton />}>
        {(data) => <Transactions proof={data} />}
      </Block>
      <Block title="Counterexamples" resources={[proof]} skeleton={<Empty title="…">…</Empty>}>
        {({ counterexamples }) =>
          counterexamples.length === 0 ? (
            <Empty title="No difference was found">All that was replayed has the same bytes.</Empty>
          ) : (
            <Table
              id="counterexamples"
              label="Counterexamples"
              columns={exampleColumns}
              rows={counterexamples}
              keyOf={({ id }) => id}
            />
          )
        }
      </Block>
      <Block
        title="Accounts and outcomes by instruction"
        resources={[proof]}
        skeleton={<TableSkeleton rows={8} columns={rowColumns.length} />}
      >
        {({ rows }) => (
          <Table
            id="rows"
            label="Accounts and outcomes by instruction"
            columns={rowColumns}
            rows={rows}
            keyOf={({ program, release, instruction, kind }) =>
              [program, release, instruction, kind].join(' ')
            }
            empty="Nothing was replayed yet."
          />
        )}
      </Block>
    </div>
  );
}

/** As high as what replaces it. */
const TransactionsSkeleton = () => (
  <>
    <StatsSkeleton labels={['Coverage', 'Proven', 'Differing', 'CPU']} hasNotes />
    <p class="block-body weak small">…</p>
    <TableSkeleton rows={3} columns={periodColumns.length} />
  </>
);

function Transactions({ proof }: { readonly proof: Proof }) {
  const { hour } = proof.transactions;
  const releases = Object.entries(proof.releases).map(([name, release]) => `${name} ${release}`);
  if (proof.state === 'off') {
    return <Empty title="The proof is off">PROOF_CPU_PERCENT is 0.</Empty>;
  }
  return (
    <>
      <Stats>
        <Stat
          label="Coverage"
          hint="Observed transactions that are proven or differ"
          note="last hour"
        >
          {hour.coverage === null ? (
            <Unknown reason="no transaction was observed" />
          ) : (
            `${hour.coverage} %`
          )}
        </Stat>
        <Stat label="Proven" note="last hour">
          <Amount value={hour.proven} />
        </Stat>
        <Stat label="Differing" note="last hour">
          <Amount value={hour.differing} />
        </Stat>
        <Stat
          label="CPU"
          hint="Of replays since the start"
          note={`budget ${proof.cpuBudgetPercent} %`}
        >
          <Amount value={proof.cpuSeconds} unit="s" />
        </Stat>
      </Stats>
      <p class="block-body weak small">{`Rules of ${releases.join(', ')}.`}</p>
      <Table
        id="periods"
        label="Transactions by period"
        columns={periodColumns}
        rows={toPeriods(proof)}
        keyOf={({ name }) => name}
      />
    </>
  );
}

import type { Status } from '@tidegate/client';
import { apiRequest, type Resource, useResource } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { Block } from '../../components/block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Notice } from '../../components/notice.tsx';
import { Amount } from '../../components/number.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { formatCount } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { ClusterBlock } from './cluster-block.tsx';
import { CoverageBlock } from './coverage-block.tsx';
import { OmittedBlock } from './omitted-block.tsx';
import { OperatorBlock } from './operator-block.tsx';
import { ProcessBlock } from './process-block.tsx';
import { ProgramsBlock } from './programs-block.tsx';
import './status.css';

const POLL_MS = 5_000;

/** What this deployment serves: clusters, sources, lag, history, and what is left out. */
export function StatusPage() {
  const status = useResource(apiRequest('GET /status'), { pollMs: POLL_MS });
  // how tall the clusters are depends on their errors, so what is below them appears with them
  const hasData = status.data?.clusters.some(({ slot }) => slot !== null) ?? false;
  return (
    <div class="page">
      <div class="page-title">
        <PageTitle title="Status" />
      </div>
      {status.data?.warnings.map((warning) => (
        <Notice key={warning} text={warning} />
      ))}
      <ClusterBlock status={status} />
      {hasData && (
        <>
          <OperatorBlock status={status} />
          <ProgramsBlock status={status} />
          <CoverageBlock />
          <OmittedBlock status={status} />
        </>
      )}
      {status.data !== undefined && <ServerBlocks status={status} />}
    </div>
  );
}

/** What does not depend on a cluster. */
const ServerBlocks = ({ status }: { readonly status: Resource<Status> }) => (
  <>
    <div class="columns">
      <Block title="Server" resources={[status]} skeleton={<Skeleton height={193} />}>
        {(data) => <ServerFacts status={data} />}
      </Block>
      <Block title="Tokens and limits" resources={[status]} skeleton={<Skeleton height={193} />}>
        {(data) => <TokenFacts status={data} />}
      </Block>
    </div>
    <ProcessBlock />
    {status.data?.demo !== undefined && (
      <Block title="Examples" resources={[status]} skeleton={<Skeleton height={230} />}>
        {({ demo }) => demo && <DemoFacts demo={demo} />}
      </Block>
    )}
  </>
);

const ServerFacts = ({ status }: { readonly status: Status }) => (
  <Facts
    rows={[
      ['Version', status.version],
      ['Node.js', status.node],
      ['Started', <Time key="started" value={status.startedAt} />],
      ['Running for', formatDuration(status.uptimeSeconds * 1000)],
      ['Ready', status.ready ? 'yes' : 'no'],
    ]}
  />
);

function TokenFacts({ status }: { readonly status: Status }) {
  const { tokens, limits } = status;
  const isBuiltIn = tokens.ageMs === null;
  const listed = `${formatCount(tokens.count)}, ${isBuiltIn ? 'built in' : `from ${tokens.source}`}`;
  const read = isBuiltIn ? 'at the start' : `${formatDuration(tokens.ageMs)} ago`;
  return (
    <Facts
      rows={[
        ['Tokens', tokens.fromCopy ? `${listed}, from the last good copy` : listed],
        ['List read', tokens.lastError ?? read],
        ...limits.map(({ policy, quota, windowSeconds }): [string, string] => [
          `Limit: ${policy}`,
          `${formatCount(quota)} units in ${formatDuration(windowSeconds * 1000)}`,
        ]),
        ...(limits.length === 0 ? [['Limits', 'off'] as [string, string]] : []),
      ]}
    />
  );
}

/** Addresses to try; only on an embedded cluster. */
const DemoFacts = ({ demo }: { readonly demo: NonNullable<Status['demo']> }) => (
  <Facts
    rows={[
      ['Wallet', <Address key="wallet" address={demo.wallet} page="wallet" />],
      ['Market', <Address key="market" address={demo.market} page="market" />],
      ['Vault', <Address key="vault" address={demo.vault} page="vault" />],
      ['Loan', <Address key="loan" address={demo.obligation} page="loan" />],
      ['Reserve', <Address key="reserve" address={demo.deposit.reserve} page="reserve" />],
      [
        'Deposit of the examples, into this reserve',
        <Amount key="deposit" value={demo.deposit.amount} unit="tokens" />,
      ],
    ]}
  />
);

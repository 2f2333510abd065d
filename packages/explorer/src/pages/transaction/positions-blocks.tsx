import type {
  DecodedTransaction,
  ObligationSnapshot,
  TransactionOutcome,
  UserVaultPoint,
} from '@tidegate/client';
import type { ComponentChildren } from 'preact';
import { apiRequest, type Resource, useResource } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { Block } from '../../components/block.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { Panel } from '../../components/panel.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import {
  daysAround,
  type LoanSubject,
  loanSubjects,
  pointsAround,
  type VaultSubject,
  vaultSubjects,
} from './positions.ts';

type PositionsProps = {
  readonly outcome: TransactionOutcome;
  readonly decoded: DecodedTransaction;
};

const HEIGHT = 200;
const TITLE = 'State before and after';

/** Recorded states of the loans and vault positions of the transaction, around its time. */
export function PositionsBlocks({ outcome: { blockTime }, decoded }: PositionsProps) {
  const [loans, vaults] = [loanSubjects(decoded), vaultSubjects(decoded)];
  if (blockTime === null || loans.length + vaults.length === 0) {
    const reason =
      blockTime === null
        ? 'The node does not return the time of the block, so no recorded state can be found.'
        : 'Its instructions are about no loan and no vault position, so no state is recorded for it.';
    return (
      <Panel title={TITLE}>
        <p class="weak">{reason}</p>
      </Panel>
    );
  }
  const time = Date.parse(blockTime);
  return (
    <>
      {loans.map((loan) => (
        <LoanBlock key={loan.obligation} loan={loan} time={time} />
      ))}
      {vaults.map((position) => (
        <VaultBlock key={position.vault} position={position} time={time} />
      ))}
    </>
  );
}

type Figure<Point> = {
  readonly name: string;
  readonly value: (point: Point | undefined) => ComponentChildren;
};

const NOT_RECORDED = 'it is not recorded';

const loanFigures: readonly Figure<ObligationSnapshot>[] = [
  {
    name: 'Deposits',
    value: (point) => <Usd value={point?.refreshedStats.userTotalDeposit} reason={NOT_RECORDED} />,
  },
  {
    name: 'Debt',
    value: (point) => <Usd value={point?.refreshedStats.userTotalBorrow} reason={NOT_RECORDED} />,
  },
  {
    name: 'Net value',
    value: (point) => <Usd value={point?.refreshedStats.netAccountValue} reason={NOT_RECORDED} />,
  },
];

const vaultFigures: readonly Figure<UserVaultPoint>[] = [
  {
    name: 'Shares',
    value: (point) => <Amount value={point?.sharesAmount} reason={NOT_RECORDED} />,
  },
  { name: 'Value', value: (point) => <Usd value={point?.usdAmount} reason={NOT_RECORDED} /> },
];

type LoanProps = { readonly loan: LoanSubject; readonly time: number };

function LoanBlock({ loan: { market, obligation }, time }: LoanProps) {
  const path = { marketPubkey: market, obligationPubkey: obligation };
  const history = useResource(
    apiRequest('GET /v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/metrics/history', {
      path,
      query: daysAround(time),
    }),
    { pollMs: 0 },
  );
  const subject = (
    <>
      Loan <Address address={obligation} page="loan" />
    </>
  );
  const points: Resource<readonly ObligationSnapshot[]> = {
    ...history,
    data: history.data?.history,
  };
  const timeOf = ({ timestamp }: ObligationSnapshot) => timestamp;
  return <States {...{ subject, points, time, timeOf, figures: loanFigures }} id={obligation} />;
}

type VaultProps = { readonly position: VaultSubject; readonly time: number };

function VaultBlock({ position: { wallet, vault }, time }: VaultProps) {
  const points = useResource(
    apiRequest('GET /kvaults/users/{userPubkey}/vaults/{vaultPubkey}/metrics/history', {
      path: { userPubkey: wallet, vaultPubkey: vault },
      query: daysAround(time),
    }),
    { pollMs: 0 },
  );
  const subject = (
    <>
      Shares of <Address address={wallet} page="wallet" /> in the vault{' '}
      <Address address={vault} page="vault" />
    </>
  );
  const timeOf = ({ createdOn }: UserVaultPoint) => createdOn;
  return <States {...{ subject, points, time, timeOf, figures: vaultFigures }} id={vault} />;
}

type StatesProps<Point> = {
  readonly id: string;
  readonly subject: ComponentChildren;
  readonly points: Resource<readonly Point[]>;
  readonly time: number;
  readonly timeOf: (point: Point) => string;
  readonly figures: readonly Figure<Point>[];
};

function States<Point>({ id, subject, points, time, timeOf, figures }: StatesProps<Point>) {
  return (
    <Block title={TITLE} resources={[points]} skeleton={<Skeleton height={HEIGHT} />}>
      {(list) => {
        const { before, after } = pointsAround(list, time, timeOf);
        const columns: readonly Column<Figure<Point>>[] = [
          { key: 'figure', title: 'Figure', cell: ({ name }) => name },
          { key: 'before', title: 'Before', isNumber: true, cell: ({ value }) => value(before) },
          { key: 'after', title: 'After', isNumber: true, cell: ({ value }) => value(after) },
        ];
        return (
          <div class="panel-body">
            <p>{subject}</p>
            <Table
              id={`state-${id.slice(0, 4)}`}
              label={TITLE}
              columns={columns}
              rows={figures}
              keyOf={({ name }) => name}
            />
            <p class="weak small">
              Before: <PointTime point={before} timeOf={timeOf} />. After:{' '}
              <PointTime point={after} timeOf={timeOf} />. Interest, prices and other transactions
              of that time are in the difference; the balance changes are those of this one alone.
            </p>
          </div>
        );
      }}
    </Block>
  );
}

type PointTimeProps<Point> = Pick<StatesProps<Point>, 'timeOf'> & {
  readonly point: Point | undefined;
};

const PointTime = <Point,>({ point, timeOf }: PointTimeProps<Point>) =>
  point === undefined ? (
    <>not recorded</>
  ) : (
    <>
      recorded for <Time value={timeOf(point)} />
    </>
  );

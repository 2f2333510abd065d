import { useState } from 'preact/hooks';
import { useVaults } from '../../api/directory.ts';
import { apiRequest, combineResources, mapResource, useResource } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { Block } from '../../components/block.tsx';
import { Empty } from '../../components/empty.tsx';
import { areSettled, LoadingBlock } from '../../components/loading-page.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { TableSkeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { Signature } from '../../components/transaction/signature.tsx';
import { shortenAddress } from '../../format/address.ts';
import {
  type Activity,
  farmActivity,
  lendingActivity,
  mergeActivity,
  vaultActivity,
} from './wallet-activity.ts';
import type { WalletResources } from './wallet-resources.ts';

const ACTIVITY_MS = 60_000;
const PAGE = 25;
const EXPECTED_ROWS = 12;

/** Transactions of the wallet with loans, vaults and farms, newest first. */
export function ActivityTab({ address, markets }: WalletResources) {
  const activity = useActivity(address);
  const vaults = useVaults();
  const [shown, setShown] = useState(PAGE);
  if (!areSettled([activity, vaults])) return <LoadingBlock label="Activity" />;
  const reserves = markets.flatMap((market) => market.reserves ?? []);
  const columns = columnsOf({
    symbols: new Map([
      ...reserves.map((each) => [each.liquidityTokenMint, each.liquidityToken] as const),
      ...(vaults.data ?? []).map(({ state }) => [state.sharesMint, 'shares'] as const),
    ]),
    vaults: new Map(vaults.data?.map((vault) => [vault.address, vault.state.name])),
  });
  return (
    <Block
      title="Activity"
      resources={[activity]}
      skeleton={<TableSkeleton rows={EXPECTED_ROWS} columns={columns.length} />}
    >
      {(lists) => {
        const all = mergeActivity(lists);
        return (
          <>
            <Table
              id="activity"
              label="Activity"
              columns={columns}
              rows={all.slice(0, shown)}
              keyOf={({ key }) => key}
              empty={
                <Empty title="No activity">
                  Nothing is recorded of this address in the lending, vault and farm programs.
                </Empty>
              }
            />
            {all.length > shown && (
              <div class="block-body">
                <button type="button" class="button" onClick={() => setShown(shown + PAGE)}>
                  Show {Math.min(PAGE, all.length - shown)} more of {all.length}
                </button>
              </div>
            )}
          </>
        );
      }}
    </Block>
  );
}

function useActivity(address: string) {
  const options = { pollMs: ACTIVITY_MS };
  const lending = useResource(
    apiRequest('GET /v3/svc-market/users/{userPubkey}/transactions', {
      path: { userPubkey: address },
    }),
    options,
  );
  const path = { pubkey: address };
  const vaults = useResource(
    apiRequest('GET /kvaults/users/{pubkey}/transactions', { path }),
    options,
  );
  const farms = useResource(
    apiRequest('GET /farms/users/{pubkey}/transactions', {
      path,
      query: { noPagination: 'true' },
    }),
    options,
  );
  return combineResources([
    mapResource(lending, lendingActivity),
    mapResource(vaults, vaultActivity),
    mapResource(farms, ({ result }) => farmActivity(result)),
  ]);
}

type Names = {
  /** By mint. */
  readonly symbols: ReadonlyMap<string, string>;
  /** By address. */
  readonly vaults: ReadonlyMap<string, string>;
};

const columnsOf = ({ symbols, vaults }: Names): readonly Column<Activity>[] => [
  { key: 'time', title: 'Time', cell: ({ time }) => <Time value={time} /> },
  { key: 'action', title: 'Action', cell: ({ action }) => action },
  {
    key: 'amount',
    title: 'Amount',
    isNumber: true,
    cell: ({ amount, symbol, mint }) => (
      <Amount value={amount} unit={symbol ?? symbols.get(mint) ?? shortenAddress(mint)} />
    ),
  },
  {
    key: 'value',
    title: 'Value then',
    isNumber: true,
    cell: ({ value }) => <Usd value={value} reason="the price at that time is not known" />,
  },
  {
    key: 'where',
    title: 'Where',
    cell: ({ kind, account }) => (
      <>
        {kind === 'vault' && vaults.has(account) ? '' : `${titles[kind]} `}
        <Address
          address={account}
          name={kind === 'vault' ? vaults.get(account) : undefined}
          page={kind}
          canCopy={kind === 'farm'}
        />
      </>
    ),
  },
  {
    key: 'signature',
    title: 'Signature',
    cell: ({ signature }) => <Signature signature={signature} />,
  },
];

const titles = { loan: 'Loan', vault: 'Vault', reserve: 'Reserve', farm: 'Farm' } as const;

import type { Vault } from '@tidegate/client';
import { useListedMarkets } from '../../api/directory.ts';
import { isFinal } from '../../api/failure.ts';
import { apiRequest, type Resource, useResource } from '../../api/resource.ts';
import { Address } from '../../components/address.tsx';
import { NotFound } from '../../components/empty.tsx';
import { areSettled, LoadingPage } from '../../components/loading-page.tsx';
import { PageTitle } from '../../components/page-title.tsx';
import { isAddress } from '../../format/address.ts';
import { BuildLink } from '../../routing/build-link.tsx';
import { PageLink } from '../../routing/link.tsx';
import type { PageProps } from '../page-props.ts';
import { useAvailable } from './available-tokens.ts';
import { HistoryBlocks } from './history-blocks.tsx';
import { MoneyBlock } from './money-block.tsx';
import { OwnSharesBlock } from './own-shares-block.tsx';
import { FeesBlock, SummaryBlock } from './summary-block.tsx';
import { YieldBlock } from './yield-block.tsx';

const STATE_MS = 60_000;
const METRICS_MS = 5_000;
const ALLOCATIONS_MS = 15_000;

/** One vault: what it earns, where its money is, how it developed. */
export function VaultPage({ parameters }: PageProps) {
  const address = parameters['vault'] ?? '';
  const vault = useResource(
    isAddress(address)
      ? apiRequest('GET /kvaults/vaults/{pubkey}', { path: { pubkey: address } })
      : undefined,
    { pollMs: STATE_MS },
  );
  const { error, data } = vault;
  const isWrong = error !== undefined && isFinal(error);
  if (!isAddress(address) || (isWrong && data === undefined)) {
    return (
      <NotFound
        what={`Vault ${address}`}
        where={
          isAddress(address)
            ? 'This cluster has no vault with this address.'
            : 'This is not an address: 32 bytes in base58, 32 to 44 characters.'
        }
      >
        <PageLink page="vaults">To all vaults</PageLink>
      </NotFound>
    );
  }
  return <VaultDetails address={address} vault={vault} />;
}

type DetailsProps = { readonly address: string; readonly vault: Resource<Vault> };

function VaultDetails({ address, vault }: DetailsProps) {
  const path = { pubkey: address };
  const metrics = useResource(apiRequest('GET /kvaults/vaults/{pubkey}/metrics', { path }), {
    pollMs: METRICS_MS,
  });
  const allocations = useResource(
    apiRequest('GET /kvaults/vaults/{pubkey}/allocations', { path }),
    { pollMs: ALLOCATIONS_MS },
  );
  const markets = useListedMarkets(ALLOCATIONS_MS);
  const available = useAvailable(allocations.data?.allocations);
  if (!areSettled([vault, metrics, allocations, markets, ...available.resources]))
    return <LoadingPage title="Vault" />;
  const reserves = markets.data?.flatMap((market) => market.reserves ?? []) ?? [];
  const mint = vault.data?.state.tokenMint;
  const symbol =
    allocations.data?.allocations.find(({ tokenMint }) => tokenMint === mint)?.symbol ??
    reserves.find(({ liquidityTokenMint }) => liquidityTokenMint === mint)?.liquidityToken ??
    '';
  const shared = {
    address,
    vault,
    metrics,
    allocations,
    reserves,
    available: available.tokens,
    symbol,
  };
  return (
    <div class="page">
      <div class="page-head">
        <div class="page-title">
          <PageTitle title={vault.data?.state.name ?? 'Vault'} />
          <Address address={address} what="vault address" />
        </div>
        <p class="weak page-description">
          Earn vault{symbol === '' ? '' : ` for ${symbol}`}: lends what its holders deposit to
          reserves of lending markets.
        </p>
        <div class="button-row page-actions">
          <BuildLink action="vault-deposit" known={{ vault: address }} class="button">
            Deposit
          </BuildLink>
          <BuildLink action="vault-withdraw" known={{ vault: address }} class="button">
            Withdraw
          </BuildLink>
        </div>
      </div>
      <OwnSharesBlock vault={address} mint={mint} symbol={symbol} />
      <SummaryBlock {...shared} />
      <div class="columns">
        <YieldBlock {...shared} />
        <FeesBlock {...shared} />
      </div>
      <MoneyBlock {...shared} />
      <HistoryBlocks {...shared} />
    </div>
  );
}

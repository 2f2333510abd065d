import type { Portfolio, WalletBalances } from '@tidegate/client';
import { apiRequest, type Resource, useResource } from '../api/resource.ts';
import { connectedWallet } from '../wallets/connected-wallet.ts';

const PORTFOLIO_MS = 10_000;
const BALANCES_MS = 10_000;

/** Address of the connected wallet; undefined without one. */
export const useOwnAddress = (): string | undefined => connectedWallet.value?.address;

/** Positions of the connected wallet. Requests nothing without one. */
export function useOwnPortfolio(): Resource<Portfolio> {
  const pubkey = useOwnAddress();
  const request =
    pubkey === undefined ? undefined : apiRequest('GET /portfolio/{pubkey}', { path: { pubkey } });
  return useResource(request, { pollMs: PORTFOLIO_MS });
}

/** The balance of a token, and of SOL. Requests nothing without a wallet or a token. */
export function useBalances(
  wallet: string | undefined,
  mint: string | undefined,
): Resource<WalletBalances> {
  const request =
    wallet === undefined || mint === undefined
      ? undefined
      : apiRequest('GET /portfolio/{pubkey}/balances', {
          path: { pubkey: wallet },
          query: { mints: mint },
        });
  return useResource(request, { pollMs: BALANCES_MS });
}

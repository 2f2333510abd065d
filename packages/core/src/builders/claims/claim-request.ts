import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import type { ComputeBudget } from '../build.ts';
import {
  type RequestedObligation,
  requireMarket,
  requireMarketReserve,
} from '../lending/lending-request.ts';
import { requireVault } from '../vaults/vault-action-context.ts';

/** A claim of rewards for vault shares or for a loan. */
export type ClaimRequest = ComputeBudget & { readonly wallet: Address } & (
    | { readonly vault: Address }
    | {
        readonly market: Address;
        /** Default: all reserves of the market. */
        readonly reserve?: Address | undefined;
        /** The wallet's loan in the market. Default: the vanilla obligation with id 0. */
        readonly obligation?: RequestedObligation | undefined;
      }
  );

export type ClaimRequestFields = {
  readonly wallet: Address;
  readonly kvault?: Address | undefined;
  readonly market?: Address | undefined;
  readonly reserve?: Address | undefined;
  /** Address of a loan of the wallet in the market. */
  readonly loan?: Address | undefined;
};

/** Accepts either a vault, or a market with an optional reserve and loan. */
export function parseClaimRequest(
  { wallet, kvault, market, reserve, loan }: ClaimRequestFields,
  state: ClusterReader,
): ClaimRequest {
  if (kvault !== undefined && loan !== undefined) {
    throw invalid('loan', 'invalid_value', 'loan must not be given with kvault');
  }
  if (kvault !== undefined && market === undefined && reserve === undefined) {
    return { wallet, vault: requireVault(kvault, state).address };
  }
  if (kvault !== undefined) {
    throw invalid('kvault', 'invalid_value', 'kvault must not be given with market or reserve');
  }
  if (market === undefined) {
    throw invalid('market', 'required', 'market or kvault must be given');
  }
  const obligation = loan && { address: loan };
  if (reserve === undefined) {
    return { wallet, market: requireMarket(state, market).address, obligation };
  }
  requireMarketReserve(state, market, reserve);
  return { wallet, market, reserve, obligation };
}

function invalid(field: string, code: string, message: string): CodedError {
  return new CodedError('INVALID_BODY', { issues: [{ path: [field], code, message }] });
}

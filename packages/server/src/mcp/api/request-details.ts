import { ZERO_ADDRESS } from '@tidegate/core/base';
import { CodedError } from '../../errors.ts';
import type { ApiReading } from './api-reading.ts';
import { Tokens, VaultAccount } from './api-schemas.ts';
import { findReserve } from './catalogue.ts';

type ActionSubject = {
  readonly action: string;
  readonly reserve?: string | undefined;
  readonly vault?: string | undefined;
};

/** What the body of a request does not say, as the server says it. */
export type RequestDetails = {
  /** Of the token that the amount is in, or of the vault's shares. */
  readonly decimals?: number;
  /** The farm of the vault's shares. */
  readonly farm?: string;
};

export async function readRequestDetails(
  reading: ApiReading,
  { action, reserve, vault }: ActionSubject,
): Promise<RequestDetails> {
  if (action === 'claim-rewards') return {};
  if (vault !== undefined) {
    const { state } = await reading.get(VaultAccount, `/kvaults/vaults/${vault}`);
    const { sharesMintDecimals, tokenMintDecimals, vaultFarm } = state;
    const decimals = action === 'vault-withdraw' ? sharesMintDecimals : tokenMintDecimals;
    return vaultFarm === ZERO_ADDRESS ? { decimals } : { decimals, farm: vaultFarm };
  }
  const found = reserve === undefined ? undefined : await findReserve(reading, reserve);
  const mint = found?.reserve.liquidityTokenMint;
  const tokens = await reading.get(Tokens, `/tokens-api/tokens?mint=${mint}`);
  const decimals = tokens.find((token) => token.mint === mint)?.decimals;
  if (decimals !== undefined) return { decimals };
  throw new CodedError('NOT_FOUND', { what: 'token of the reserve', address: reserve ?? '' });
}

import type { Ratio } from '../../../base/numbers/decimal.ts';
import { mulRatio, ratioOfUnits, ZERO_RATIO } from '../../../base/numbers/ratio.ts';
import { usdPerShare } from '../../series/vault-share-sample.ts';
import type { SharePrices } from '../../vaults/vault-pnl.ts';
import type { VaultEventKind } from './history-event.ts';

/** The instruction names by event kind, as the API returns them. */
export const vaultEventInstructions: Readonly<Record<VaultEventKind, string>> = {
  deposit: 'deposit',
  buy: 'buy',
  withdraw: 'withdraw',
  sell: 'sell',
  withdrawFromAvailable: 'withdrawAvailable',
  redeemInKind: 'redeemInKind',
  investIn: 'invest',
  investOut: 'invest',
  shareTransferOut: 'transferOut',
  shareTransferIn: 'transferIn',
  shareBurn: 'burn',
};

/** Amounts in smallest units; null if the event has none. */
export type PricedVaultEvent = {
  readonly kind: VaultEventKind;
  readonly tokenAmount: bigint | null;
  readonly sharesAmount: bigint | null;
  readonly prices: SharePrices;
};

type Decimals = { readonly tokenDecimals: number; readonly sharesDecimals: number };

const directions: Readonly<Partial<Record<VaultEventKind, 'in' | 'out'>>> = {
  investIn: 'in',
  investOut: 'out',
};

/** Whole tokens and shares; prices in USD. */
export type VaultTransaction = {
  readonly instruction: string;
  /** If shares moved without tokens, their value. */
  readonly tokenAmount: Ratio;
  /** Of `invest`: whether tokens enter or leave a reserve. */
  readonly direction: 'in' | 'out' | undefined;
  readonly shares: Ratio;
  readonly tokenPrice: Ratio;
  readonly solPrice: Ratio;
  readonly sharePrice: Ratio;
  readonly usdValue: Ratio;
};

export function viewVaultTransaction(
  { kind, tokenAmount, sharesAmount, prices }: PricedVaultEvent,
  { tokenDecimals, sharesDecimals }: Decimals,
): VaultTransaction {
  const shares =
    sharesAmount === null ? ZERO_RATIO : ratioOfUnits(sharesAmount, BigInt(sharesDecimals));
  const tokens =
    tokenAmount === null
      ? mulRatio(shares, prices.tokensPerShare)
      : ratioOfUnits(tokenAmount, BigInt(tokenDecimals));
  return {
    instruction: vaultEventInstructions[kind],
    direction: directions[kind],
    tokenAmount: tokens,
    shares,
    tokenPrice: prices.tokenPrice,
    solPrice: prices.solPrice,
    sharePrice: usdPerShare(prices),
    usdValue: mulRatio(tokens, prices.tokenPrice),
  };
}

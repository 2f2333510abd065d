import type { Address } from '../../base/encoding/address.ts';
import { userState } from '../../protocol/farms/layout/user-state.ts';
import { obligation } from '../../protocol/klend/layout/obligation.ts';
import { userMetadata } from '../../protocol/klend/layout/user-metadata.ts';
import { tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import { SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import type { WalletAccount } from '../build.ts';

/** A token that a reserve or vault takes. */
export type DepositToken = {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
};

/** Each token once, reserves first. */
export function depositTokens(
  reader: Pick<ClusterReader, 'markets' | 'reservesOf' | 'vaults'>,
): readonly DepositToken[] {
  const reserves = reader.markets().flatMap(({ address }) => reader.reservesOf(address));
  const all = [
    ...reserves.map(({ fields: { liquidity } }) => ({
      mint: liquidity.mintPubkey,
      tokenProgram: liquidity.tokenProgram,
      decimals: Number(liquidity.mintDecimals),
    })),
    ...reader.vaults().map(({ fields }) => ({
      mint: fields.tokenMint,
      tokenProgram: fields.tokenProgram,
      decimals: Number(fields.tokenMintDecimals),
    })),
  ];
  return [...new Map(all.map((token) => [token.mint, token])).values()];
}

/** What the wallet can pay from its token account; 0 if it has none, or if another wallet owns it. */
export function tokenBalance(
  wallet: Address,
  { mint }: Pick<DepositToken, 'mint'>,
  account: WalletAccount | undefined,
): bigint {
  if (account === undefined || !tokenAccount.matches(account)) return 0n;
  const fields = tokenAccount.view(account);
  return fields.mint === mint && fields.owner === wallet ? fields.amount : 0n;
}

/** Base fee and priority fee of a transaction, generously. */
const FEE_LAMPORTS = 1_000_000n;

/**
 * Lamports that a deposit of SOL must leave: rent of every account that a first deposit opens, the minimum of a wallet, and
 * the fee.
 */
export const RESERVED_LAMPORTS =
  [userMetadata, obligation, userState, tokenAccount].reduce(
    (sum, { size }) => sum + rentExemptLamports(size),
    rentExemptLamports(0),
  ) + FEE_LAMPORTS;

/** In lamports. */
export type SolBalance = { readonly amount: bigint; readonly usable: bigint };

/** `usable` can be deposited. An account of a program has nothing that it can pay. */
export function solBalance(account: WalletAccount | undefined): SolBalance {
  const amount = account?.lamports ?? 0n;
  const isPayer = account?.owner === SYSTEM_PROGRAM && amount > RESERVED_LAMPORTS;
  return { amount, usable: isPayer ? amount - RESERVED_LAMPORTS : 0n };
}

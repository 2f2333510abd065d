import type { Address } from '../../../base/encoding/address.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { buy } from '../../../protocol/kvault/instructions/buy.ts';
import { deposit } from '../../../protocol/kvault/instructions/deposit.ts';
import { giveUpPendingFees } from '../../../protocol/kvault/instructions/give-up-pending-fees.ts';
import { invest } from '../../../protocol/kvault/instructions/invest.ts';
import { redeemInKind } from '../../../protocol/kvault/instructions/redeem-in-kind.ts';
import { sell } from '../../../protocol/kvault/instructions/sell.ts';
import { updateReserveAllocation } from '../../../protocol/kvault/instructions/update-reserve-allocation.ts';
import { withdraw } from '../../../protocol/kvault/instructions/withdraw.ts';
import { withdrawFromAvailable } from '../../../protocol/kvault/instructions/withdraw-from-available.ts';
import { withdrawPendingFees } from '../../../protocol/kvault/instructions/withdraw-pending-fees.ts';
import {
  type DescribedCodec,
  type DescriptionContext,
  withDescription,
} from './instruction-description.ts';

const shares = (amount: bigint, mint: Address, words: DescriptionContext): string =>
  amount === U64_MAX ? `all ${words.unit(mint)}` : words.tokens(amount, mint);

export const vaultDescriptions: readonly DescribedCodec[] = [
  ...[deposit, buy].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args }, words) =>
        `Deposit at most ${words.tokens(args.maxAmount, accounts.tokenMint)} into ${words.name(accounts.vaultState)} for shares`,
      { receives: ['userSharesAta'] },
    ),
  ),
  ...[withdraw, sell].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args }, words) =>
        `Give back ${shares(args.sharesAmount, accounts.sharesMint, words)} for ${words.unit(accounts.tokenMint)}, as far as ${words.name(accounts.vaultState)} holds it or has lent it to ${words.name(accounts.reserve)}`,
      { receives: ['userTokenAta'] },
    ),
  ),
  withDescription(
    withdrawFromAvailable,
    ({ accounts, args }, words) =>
      `Give back ${shares(args.sharesAmount, accounts.sharesMint, words)} for ${words.unit(accounts.tokenMint)}, as far as ${words.name(accounts.vaultState)} holds it`,
    { receives: ['userTokenAta'] },
  ),
  withDescription(
    redeemInKind,
    ({ accounts, args }, words) =>
      `Give back ${shares(args.sharesAmount, accounts.sharesMint, words)} for ${words.unit(accounts.ctokenMint)} of ${words.name(accounts.vaultState)}`,
    { receives: ['userCtokenTa'] },
  ),
  withDescription(
    invest,
    ({ accounts }, words) =>
      `Move ${words.unit(accounts.tokenMint)} of ${words.name(accounts.vaultState)} into or out of ${words.name(accounts.reserve)}, as its allocation says`,
    { notes: ['payerTokenAccount'] },
  ),
  withDescription(
    withdrawPendingFees,
    ({ accounts }, words) =>
      `Take the fees that ${words.name(accounts.vaultState)} owes in ${words.unit(accounts.tokenMint)}, as far as it holds them or has lent them to ${words.name(accounts.reserve)}`,
    { receives: ['tokenAta'] },
  ),
  withDescription(
    giveUpPendingFees,
    ({ accounts, args }, words) =>
      `Leave at most ${args.maxAmountToGiveUp} lamports of the fees that ${words.name(accounts.vaultState)} owes to its shares`,
  ),
  withDescription(
    updateReserveAllocation,
    ({ accounts, args }, words) =>
      `Give ${words.name(accounts.reserve)} the weight ${args.weight} in ${words.name(accounts.vaultState)}, with at most ${args.cap} lamports`,
  ),
];

import type { Address } from '../../../base/encoding/address.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { invest, investWithMaxAmount } from '../../../protocol/kvault/instructions/allocation.ts';
import {
  giveUpPendingFees,
  withdrawPendingFees,
} from '../../../protocol/kvault/instructions/rewards-and-fees.ts';
import {
  buy,
  buyWithMinSharesOut,
  deposit,
  depositWithMinSharesOut,
  redeemInKind,
  sell,
  withdraw,
  withdrawFromAvailable,
} from '../../../protocol/kvault/instructions/shares.ts';
import {
  type DescribedCodec,
  type DescriptionContext,
  withDescription,
} from './instruction-description.ts';

const shares = (amount: bigint, mint: Address, context: DescriptionContext): string =>
  amount === U64_MAX ? `all ${context.unit(mint)}` : context.tokens(amount, mint);

export const vaultDescriptions: readonly DescribedCodec[] = [
  ...[deposit, buy].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args }, context) =>
        `Deposit at most ${context.tokens(args.maxAmount, accounts.tokenMint)} into ${context.name(accounts.vaultState)} for shares`,
      { receives: ['userSharesAta'] },
    ),
  ),
  ...[depositWithMinSharesOut, buyWithMinSharesOut].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args }, context) =>
        `Deposit at most ${context.tokens(args.maxAmount, accounts.tokenMint)} into ${context.name(accounts.vaultState)} for at least ${context.tokens(args.minSharesOut, accounts.sharesMint)}`,
      { receives: ['userSharesAta'] },
    ),
  ),
  ...[withdraw, sell].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args }, context) =>
        `Redeem ${shares(args.sharesAmount, accounts.sharesMint, context)} for ${context.unit(accounts.tokenMint)} from the idle funds of ${context.name(accounts.vaultState)} and from ${context.name(accounts.reserve)}`,
      { receives: ['userTokenAta'] },
    ),
  ),
  withDescription(
    withdrawFromAvailable,
    ({ accounts, args }, context) =>
      `Redeem ${shares(args.sharesAmount, accounts.sharesMint, context)} for ${context.unit(accounts.tokenMint)} from the idle funds of ${context.name(accounts.vaultState)}`,
    { receives: ['userTokenAta'] },
  ),
  withDescription(
    redeemInKind,
    ({ accounts, args }, context) =>
      `Redeem ${shares(args.sharesAmount, accounts.sharesMint, context)} for ${context.unit(accounts.ctokenMint)} of ${context.name(accounts.vaultState)}`,
    { receives: ['userCtokenTa'] },
  ),
  withDescription(
    invest,
    ({ accounts }, context) =>
      `Move ${context.unit(accounts.tokenMint)} of ${context.name(accounts.vaultState)} into or out of ${context.name(accounts.reserve)} according to its allocation`,
    { notes: ['payerTokenAccount'] },
  ),
  withDescription(
    investWithMaxAmount,
    ({ accounts, args }, context) =>
      `Move at most ${context.tokens(args.maxAmount, accounts.tokenMint)} of ${context.name(accounts.vaultState)} into or out of ${context.name(accounts.reserve)} according to its allocation`,
    { notes: ['payerTokenAccount'] },
  ),
  withDescription(
    withdrawPendingFees,
    ({ accounts }, context) =>
      `Collect the pending fees of ${context.name(accounts.vaultState)} in ${context.unit(accounts.tokenMint)} from its idle funds and from ${context.name(accounts.reserve)}`,
    { receives: ['tokenAta'] },
  ),
  withDescription(
    giveUpPendingFees,
    ({ accounts, args }, context) =>
      `Waive at most ${args.maxAmountToGiveUp} lamports of the pending fees of ${context.name(accounts.vaultState)}`,
  ),
];

import { lamports } from '../../../base/encoding/branded-fields.ts';
import { u64 } from '../../../base/encoding/layout.ts';
import { emittedEvents } from '../../spl/emitted-events.ts';
import type { Call } from '../../spl/transaction/call-tree.ts';
import { eventAuthority } from '../pda.ts';

/** The first versions of the program emitted no events. */
const emitted = emittedEvents(eventAuthority);

export const depositUserAtaBalance = emitted('DepositUserAtaBalanceEvent', 'cac7acd424ae7a0e', {
  userAtaBalance: lamports,
});

export const depositResult = emitted('DepositResultEvent', '7b40dc0458677fcc', {
  sharesToMint: u64,
  tokenToDeposit: lamports,
  crankFundsToDeposit: lamports,
});

export const sharesToWithdraw = emitted('SharesToWithdrawEvent', '7cdca0f5a6443fc6', {
  sharesAmount: u64,
  userSharesBefore: u64,
});

export const withdrawResult = emitted('WithdrawResultEvent', '14bf0fe7c4316526', {
  sharesToBurn: u64,
  availableToSendToUser: lamports,
  investedToDisinvestCtokens: u64,
  investedLiquidityToSendToUser: lamports,
});

export const redeemInKindResult = emitted('RedeemInKindResultEvent', '1bbf5aa36a7e9a6c', {
  sharesToBurn: u64,
  ctokensToSendToUser: u64,
});

const all = [
  depositUserAtaBalance,
  depositResult,
  sharesToWithdraw,
  withdrawResult,
  redeemInKindResult,
];

/** The name of the event in a self-CPI of the program. */
export function emittedEventName(call: Call): string | undefined {
  return all.find((event) => event.decode(call) !== undefined)?.name;
}

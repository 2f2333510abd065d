import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import { findEmittedEvent } from '../spl/emitted-events.ts';
import {
  createEventReader,
  type EventSource,
  type InstructionEventReader,
  mapToEvent,
} from '../spl/instruction-events.ts';
import { requireMovement, tokenMovements } from '../spl/token-movements.ts';
import { type Call, descendantsOf } from '../spl/transaction/call-tree.ts';
import { depositResult, redeemInKindResult, withdrawResult } from './events/emitted-events.ts';
import { invest, investWithMaxAmount } from './instructions/allocation.ts';
import {
  buy,
  buyWithMinSharesOut,
  deposit,
  depositWithMinSharesOut,
  redeemInKind,
  sell,
  withdraw,
  withdrawFromAvailable,
} from './instructions/shares.ts';
import { managementRows, type VaultManagementBody } from './management.ts';

/** Executed amounts: tokens in base units of the vault's token, collateral in cTokens. */
export type KvaultEvent = EventSource<'kvault'> & (KvaultEventBody | VaultManagementBody);

type KvaultEventBody = { readonly vault: Address } & (Deposit | Withdraw | RedeemInKind | Invest);

type Deposit = {
  readonly kind: 'deposit';
  readonly user: Address;
  readonly tokenMint: Address;
  /** The total that the user paid, including crank funds. */
  readonly tokenAmount: Lamports;
  /** The part for future `invest` calls. Undefined if the program did not emit it. */
  readonly crankAmount: Lamports | undefined;
  readonly sharesAmount: bigint;
};

type Withdraw = {
  readonly kind: 'withdraw';
  readonly user: Address;
  readonly tokenMint: Address;
  /** The total that the user received. */
  readonly tokenAmount: Lamports;
  /** The sources of the amount. Undefined if the program did not emit them. */
  readonly parts: { readonly available: Lamports; readonly invested: Lamports } | undefined;
  readonly sharesAmount: bigint;
  /** The reserve of the instruction and the cTokens redeemed from it. */
  readonly reserve: Address | undefined;
  readonly collateralAmount: bigint;
};

type RedeemInKind = {
  readonly kind: 'redeemInKind';
  readonly user: Address;
  readonly reserve: Address;
  readonly sharesAmount: bigint;
  readonly collateralAmount: bigint;
};

/** Both amounts are 0 if the reserve is at its target. */
type Invest = {
  readonly kind: 'invest';
  readonly payer: Address;
  readonly tokenMint: Address;
  readonly reserve: Address;
  readonly direction: 'into the reserve' | 'out of the reserve' | 'none';
  readonly tokenAmount: Lamports;
  readonly collateralAmount: bigint;
  /** The amount that the payer added so that the vault does not lose by rounding. */
  readonly roundingLossAmount: Lamports;
};

const rows: readonly InstructionEventReader<KvaultEventBody | VaultManagementBody>[] = [
  mapToEvent(deposit, readDeposit),
  mapToEvent(buy, readDeposit),
  mapToEvent(depositWithMinSharesOut, readDeposit),
  mapToEvent(buyWithMinSharesOut, readDeposit),
  mapToEvent(withdraw, ({ accounts }, call) => readWithdraw({ accounts, from: accounts }, call)),
  mapToEvent(sell, ({ accounts }, call) => readWithdraw({ accounts, from: accounts }, call)),
  mapToEvent(withdrawFromAvailable, ({ accounts }, call) =>
    readWithdraw({ accounts, from: undefined }, call),
  ),
  mapToEvent(redeemInKind, readRedeemInKind),
  mapToEvent(invest, readInvest),
  mapToEvent(investWithMaxAmount, readInvest),
  ...managementRows,
];

/** The events of one successful call of the vault program. */
export const readKvaultEvents: (call: Call) => KvaultEvent[] = createEventReader('kvault', rows);

/** Newer variants of an instruction have the same accounts and a limit as an additional argument. */
type AccountsOf<Codec extends { decode(...args: never[]): { readonly accounts: unknown } }> = Pick<
  ReturnType<Codec['decode']>,
  'accounts'
>;

function readDeposit({ accounts }: AccountsOf<typeof deposit>, call: Call): KvaultEventBody {
  const moved = tokenMovements(descendantsOf(call));
  const paid = requireMovement(
    moved.transferred(accounts.userTokenAta, accounts.tokenVault),
    'transfer into the vault',
  );
  const shares = requireMovement(moved.minted(accounts.userSharesAta), 'shares minted');
  const emitted = findEmittedEvent(call, depositResult);
  if (emitted !== undefined) {
    requireEqual(emitted.tokenToDeposit + emitted.crankFundsToDeposit, paid);
    requireEqual(emitted.sharesToMint, shares);
  }
  return {
    kind: 'deposit',
    vault: accounts.vaultState,
    user: accounts.user,
    tokenMint: accounts.tokenMint,
    tokenAmount: toLamports(paid),
    crankAmount: emitted?.crankFundsToDeposit,
    sharesAmount: shares,
  };
}

type WithdrawCall = {
  readonly accounts: ReturnType<typeof withdrawFromAvailable.decode>['accounts'];
  readonly from: { readonly reserve: Address; readonly ctokenVault: Address } | undefined;
};

function readWithdraw({ accounts, from }: WithdrawCall, call: Call): KvaultEventBody {
  const moved = tokenMovements(descendantsOf(call));
  const paid = requireMovement(
    moved.transferred(accounts.tokenVault, accounts.userTokenAta),
    'transfer out of the vault',
  );
  const shares = requireMovement(moved.burned(accounts.userSharesAta), 'shares burned');
  const redeemed = from === undefined ? 0n : (moved.burned(from.ctokenVault) ?? 0n);
  const emitted = findEmittedEvent(call, withdrawResult);
  if (emitted !== undefined) {
    requireEqual(emitted.availableToSendToUser + emitted.investedLiquidityToSendToUser, paid);
    requireEqual(emitted.sharesToBurn, shares);
    requireEqual(emitted.investedToDisinvestCtokens, redeemed);
  }
  return {
    kind: 'withdraw',
    vault: accounts.vaultState,
    user: accounts.user,
    tokenMint: accounts.tokenMint,
    tokenAmount: toLamports(paid),
    parts: emitted && {
      available: emitted.availableToSendToUser,
      invested: emitted.investedLiquidityToSendToUser,
    },
    sharesAmount: shares,
    reserve: from?.reserve,
    collateralAmount: redeemed,
  };
}

function readRedeemInKind(
  { accounts }: ReturnType<typeof redeemInKind.decode>,
  call: Call,
): KvaultEventBody {
  const moved = tokenMovements(call.children);
  const shares = requireMovement(moved.burned(accounts.userSharesTa), 'shares burned');
  const collateral = requireMovement(
    moved.transferred(accounts.ctokenVault, accounts.userCtokenTa),
    'transfer of cTokens',
  );
  const emitted = findEmittedEvent(call, redeemInKindResult);
  if (emitted !== undefined) {
    requireEqual(emitted.sharesToBurn, shares);
    requireEqual(emitted.ctokensToSendToUser, collateral);
  }
  return {
    kind: 'redeemInKind',
    vault: accounts.vaultState,
    user: accounts.user,
    reserve: accounts.reserve,
    sharesAmount: shares,
    collateralAmount: collateral,
  };
}

function readInvest({ accounts }: AccountsOf<typeof invest>, call: Call): KvaultEventBody {
  const { tokenVault, reserveLiquiditySupply, ctokenVault } = accounts;
  const moved = tokenMovements(descendantsOf(call));
  const added = moved.transferred(tokenVault, reserveLiquiditySupply);
  const removed = moved.transferred(reserveLiquiditySupply, tokenVault);
  const collateral = added === undefined ? moved.burned(ctokenVault) : moved.minted(ctokenVault);
  const lost = moved.transferred(accounts.payerTokenAccount, tokenVault);
  const isMoved = added !== undefined || removed !== undefined;
  return {
    kind: 'invest',
    vault: accounts.vaultState,
    payer: accounts.payer,
    tokenMint: accounts.tokenMint,
    reserve: accounts.reserve,
    direction: added !== undefined ? 'into the reserve' : isMoved ? 'out of the reserve' : 'none',
    tokenAmount: toLamports(added ?? removed ?? 0n),
    collateralAmount: isMoved ? requireMovement(collateral, 'cTokens minted or burned') : 0n,
    roundingLossAmount: toLamports(lost ?? 0n),
  };
}

/** Checks that the emitted amount equals the transferred amount. */
function requireEqual(emitted: bigint, moved: bigint): void {
  if (emitted === moved) return;
  const reason = `the vault program emitted ${emitted}, but ${moved} was transferred`;
  throw new CodedError('MALFORMED_DATA', { what: 'transaction record', reason });
}

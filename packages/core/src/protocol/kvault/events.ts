import type { Address } from '../../base/encoding/address.ts';
import { bytesFromHex, concatBytes } from '../../base/encoding/bytes.ts';
import { CodedError } from '../../base/errors.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import {
  type CallDecoder,
  createEventReader,
  type EventSource,
  type InstructionEventReader,
  readsEvent,
} from '../spl/instruction-events.ts';
import { requireMovement, tokenMovements } from '../spl/token-movements.ts';
import { type Call, descendantsOf } from '../spl/transaction/call-tree.ts';
import {
  depositResult,
  findEmittedEvent,
  redeemInKindResult,
  withdrawResult,
} from './events/emitted-events.ts';
import { buy } from './instructions/buy.ts';
import { deposit } from './instructions/deposit.ts';
import { invest } from './instructions/invest.ts';
import { redeemInKind } from './instructions/redeem-in-kind.ts';
import { sell } from './instructions/sell.ts';
import { withdraw } from './instructions/withdraw.ts';
import { withdrawFromAvailable } from './instructions/withdraw-from-available.ts';

/** Executed amounts: tokens in the smallest unit of the vault's token, collateral in cTokens. */
export type KvaultEvent = EventSource<'kvault'> & KvaultEventBody;

type KvaultEventBody = { readonly vault: Address } & (Deposit | Withdraw | RedeemInKind | Invest);

type Deposit = {
  readonly kind: 'deposit';
  readonly user: Address;
  readonly tokenMint: Address;
  /** All that the user paid, crank funds included. */
  readonly tokenAmount: Lamports;
  /** The part that pays for moving the funds. Undefined where the program did not tell it. */
  readonly crankAmount: Lamports | undefined;
  readonly sharesAmount: bigint;
};

type Withdraw = {
  readonly kind: 'withdraw';
  readonly user: Address;
  readonly tokenMint: Address;
  /** All that the user received. */
  readonly tokenAmount: Lamports;
  /** Where that came from. Undefined where the program did not tell it. */
  readonly parts: { readonly available: Lamports; readonly invested: Lamports } | undefined;
  readonly sharesAmount: bigint;
  /** The reserve that it could draw on, and the cTokens redeemed there. */
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

/** Both amounts are 0 when the reserve is where it should be. */
type Invest = {
  readonly kind: 'invest';
  readonly payer: Address;
  readonly tokenMint: Address;
  readonly reserve: Address;
  readonly direction: 'into the reserve' | 'out of the reserve' | 'none';
  readonly tokenAmount: Lamports;
  readonly collateralAmount: bigint;
  /** What the payer added so that the vault loses nothing by rounding. */
  readonly roundingLossAmount: Lamports;
};

const rows: readonly InstructionEventReader<KvaultEventBody>[] = [
  readsEvent(deposit, readDeposit),
  readsEvent(buy, readDeposit),
  readsEvent(newerForm(deposit, '4a7f805004ddc15b'), readDeposit),
  readsEvent(newerForm(buy, '3d8766977c2e90d1'), readDeposit),
  readsEvent(withdraw, ({ accounts }, call) => readWithdraw({ accounts, from: accounts }, call)),
  readsEvent(sell, ({ accounts }, call) => readWithdraw({ accounts, from: accounts }, call)),
  readsEvent(withdrawFromAvailable, ({ accounts }, call) =>
    readWithdraw({ accounts, from: undefined }, call),
  ),
  readsEvent(redeemInKind, readRedeemInKind),
  readsEvent(invest, readInvest),
  readsEvent(newerForm(invest, '875cb88945487607'), readInvest),
];

/** What one successful call of the vault program did. */
export const readKvaultEvents: (call: Call) => KvaultEvent[] = createEventReader('kvault', rows);

function readDeposit({ accounts }: ReturnType<typeof deposit.decode>, call: Call): KvaultEventBody {
  const moved = tokenMovements(descendantsOf(call));
  const paid = requireMovement(
    moved.transferred(accounts.userTokenAta, accounts.tokenVault),
    'transfer into the vault',
  );
  const shares = requireMovement(moved.minted(accounts.userSharesAta), 'shares minted');
  const told = findEmittedEvent(call, depositResult);
  if (told !== undefined) {
    agree(told.tokenToDeposit + told.crankFundsToDeposit, paid);
    agree(told.sharesToMint, shares);
  }
  return {
    kind: 'deposit',
    vault: accounts.vaultState,
    user: accounts.user,
    tokenMint: accounts.tokenMint,
    tokenAmount: toLamports(paid),
    crankAmount: told?.crankFundsToDeposit,
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
  const told = findEmittedEvent(call, withdrawResult);
  if (told !== undefined) {
    agree(told.availableToSendToUser + told.investedLiquidityToSendToUser, paid);
    agree(told.sharesToBurn, shares);
    agree(told.investedToDisinvestCtokens, redeemed);
  }
  return {
    kind: 'withdraw',
    vault: accounts.vaultState,
    user: accounts.user,
    tokenMint: accounts.tokenMint,
    tokenAmount: toLamports(paid),
    parts: told && {
      available: told.availableToSendToUser,
      invested: told.investedLiquidityToSendToUser,
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
  const told = findEmittedEvent(call, redeemInKindResult);
  if (told !== undefined) {
    agree(told.sharesToBurn, shares);
    agree(told.ctokensToSendToUser, collateral);
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

function readInvest({ accounts }: ReturnType<typeof invest.decode>, call: Call): KvaultEventBody {
  const { tokenVault, reserveLiquiditySupply, ctokenVault } = accounts;
  const moved = tokenMovements(descendantsOf(call));
  const added = moved.transferred(tokenVault, reserveLiquiditySupply);
  const taken = moved.transferred(reserveLiquiditySupply, tokenVault);
  const collateral = added === undefined ? moved.burned(ctokenVault) : moved.minted(ctokenVault);
  const lost = moved.transferred(accounts.payerTokenAccount, tokenVault);
  const isMoved = added !== undefined || taken !== undefined;
  return {
    kind: 'invest',
    vault: accounts.vaultState,
    payer: accounts.payer,
    tokenMint: accounts.tokenMint,
    reserve: accounts.reserve,
    direction: added !== undefined ? 'into the reserve' : isMoved ? 'out of the reserve' : 'none',
    tokenAmount: toLamports(added ?? taken ?? 0n),
    collateralAmount: isMoved ? requireMovement(collateral, 'cTokens minted or burned') : 0n,
    roundingLossAmount: toLamports(lost ?? 0n),
  };
}

/** The program has these with a limit as one more argument: the accounts are the same. */
function newerForm<Found>(codec: CallDecoder<Found>, discriminator: string): CallDecoder<Found> {
  return {
    discriminator: bytesFromHex(discriminator),
    decode(program, { accounts, data }) {
      const args = data.subarray(codec.discriminator.length);
      return codec.decode(program, { accounts, data: concatBytes([codec.discriminator, args]) });
    },
  };
}

/** What the program said and what the tokens did are two records of one thing. */
function agree(told: bigint, moved: bigint): void {
  if (told === moved) return;
  const reason = `the vault program told of ${told} where ${moved} moved`;
  throw new CodedError('MALFORMED_DATA', { what: 'record of the transaction', reason });
}

import { sharesToWithdraw, withdrawResult } from '@tidegate/core/protocol/kvault';
import { sell, withdraw, withdrawFromAvailable } from '@tidegate/core/protocol/kvault/instructions';
import { globalConfig, vaultState } from '@tidegate/core/protocol/kvault/layout';
import { type WithdrawEffects, withdrawFromVault } from '@tidegate/core/protocol/kvault/operations';
import type { Call } from '../../runtime/program.ts';
import { readFields, writeFields } from '../../runtime/typed-accounts.ts';
import { anchorFails, type Handler, handles } from '../framework/anchor-program.ts';
import { amountOf } from './account-checks.ts';
import { emit } from './emit-event.ts';
import { type LendingAccounts, redeemFromReserve } from './klend-cpi.ts';
import { checkPayout, checkReleased, payoutBalances } from './payout-checks.ts';
import { burnShares, sendFromVault } from './token-cpi.ts';
import { refreshReserves, vaultMoment } from './vault-reserves.ts';
import { checkAvailablePart, checkReservePart } from './withdraw-accounts.ts';

const UNITS_FROM_AVAILABLE = 55_000;
const UNITS_FROM_RESERVE = 70_000;

export const withdrawHandlers: readonly Handler[] = [
  ...[withdraw, sell].map((codec) =>
    handles(codec, UNITS_FROM_RESERVE, (found, call) => {
      const { accounts, args, remaining } = found;
      checkAvailablePart(call, accounts);
      checkReservePart(call, accounts);
      if (accounts.vaultState !== accounts.reserveVaultState) {
        throw anchorFails(call, 'RequireKeysEqViolated');
      }
      payOut(call, { accounts, from: accounts, shares: args.sharesAmount, remaining });
    }),
  ),
  handles(withdrawFromAvailable, UNITS_FROM_AVAILABLE, ({ accounts, args, remaining }, call) => {
    checkAvailablePart(call, accounts);
    payOut(call, { accounts, from: undefined, shares: args.sharesAmount, remaining });
  }),
];

type Withdrawal = {
  readonly accounts: ReturnType<typeof withdrawFromAvailable.decode>['accounts'];
  /** Pays what the available tokens do not. */
  readonly from: LendingAccounts | undefined;
  readonly shares: bigint;
  readonly remaining: ReturnType<typeof withdraw.decode>['remaining'];
};

/** Unlike for a deposit its events come last. */
function payOut(call: Call, withdrawal: Withdrawal): void {
  const { accounts, shares, from, remaining } = withdrawal;
  const vault = readFields(call, vaultState, accounts.vaultState);
  const userSharesBefore = amountOf(call, accounts.userSharesAta);
  const sharesAmount = shares < userSharesBefore ? shares : userSharesBefore;
  refreshReserves(call, { vault, remaining });
  const effects = withdrawFromVault(vault, vaultMoment(call, { vault, remaining }), {
    shares,
    sharesBalance: userSharesBefore,
    globalConfig: readFields(call, globalConfig, accounts.globalConfig),
    reserve: from?.reserve,
  });
  writeFields(call, vaultState, { address: accounts.vaultState, fields: effects.vault });
  moveTokens(call, withdrawal, effects);
  const { sharesToBurn, availableToSendToUser } = effects;
  const { investedToDisinvestCtokens, investedLiquidityToSendToUser } = effects;
  emit(call, sharesToWithdraw.encode({ sharesAmount, userSharesBefore }));
  emit(
    call,
    withdrawResult.encode({
      sharesToBurn,
      availableToSendToUser,
      investedToDisinvestCtokens,
      investedLiquidityToSendToUser,
    }),
  );
}

function moveTokens(call: Call, { accounts, from }: Withdrawal, effects: WithdrawEffects): void {
  const places = { receiver: accounts.userTokenAta, tokenVault: accounts.tokenVault, ...from };
  const before = payoutBalances(call, places);
  const { investedToDisinvestCtokens: ctokens, sharesToBurn } = effects;
  burnShares(call, accounts, { account: accounts.userSharesAta, amount: sharesToBurn });
  if (from !== undefined && ctokens > 0n) redeemFromReserve(call, from, ctokens);
  checkReleased(amountOf(call, accounts.tokenVault) - before.tokens, effects);
  sendFromVault(call, accounts.vaultState, {
    tokenProgram: accounts.tokenProgram,
    source: accounts.tokenVault,
    mint: accounts.tokenMint,
    destination: accounts.userTokenAta,
    authority: accounts.baseVaultAuthority,
    amount: effects.availableToSendToUser + effects.investedLiquidityToSendToUser,
    decimals: Number(effects.vault.tokenMintDecimals),
  });
  checkPayout(effects, [before, payoutBalances(call, places)]);
}

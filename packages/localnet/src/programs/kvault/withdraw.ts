import { sharesToWithdraw, type VaultRules, withdrawResult } from '@tidegate/core/protocol/kvault';
import { sell, withdraw, withdrawFromAvailable } from '@tidegate/core/protocol/kvault/instructions';
import { globalConfig, vaultState } from '@tidegate/core/protocol/kvault/layout';
import {
  findAllocation,
  sharesToRedeem,
  type WithdrawEffects,
  withdrawFromVault,
} from '@tidegate/core/protocol/kvault/operations';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { emitEvent } from '../framework/emit-event.ts';
import { tokenAmountOf } from './account-checks.ts';
import { type ReserveCpiAccounts, redeemFromReserve } from './klend-cpi.ts';
import { checkPayout, payoutBalances, requireDisinvested } from './payout-checks.ts';
import { checkPermissioningAuthority } from './permissioning-authority.ts';
import { burnShares, transferFromVault } from './token-cpi.ts';
import { readVaultContext, refreshVaultReserves } from './vault-reserves.ts';
import { checkReserveWithdrawAccounts, checkWithdrawAccounts } from './withdraw-accounts.ts';

const UNITS_FROM_AVAILABLE = 55_000;
const UNITS_FROM_RESERVE = 70_000;

export const vaultWithdrawHandlers = (rules: VaultRules): readonly InstructionHandler[] => [
  ...[withdraw, sell].map((codec) =>
    anchorHandler(codec, UNITS_FROM_RESERVE, (decoded, call) => {
      const { accounts, args, remaining } = decoded;
      checkWithdrawAccounts(call, accounts);
      checkReserveWithdrawAccounts(call, accounts);
      if (accounts.vaultState !== accounts.reserveVaultState) {
        throw anchorFailure(call, 'RequireKeysEqViolated');
      }
      const { sharesAmount: shares } = args;
      handleWithdraw(call, { accounts, source: accounts, shares, remaining, rules });
    }),
  ),
  anchorHandler(
    withdrawFromAvailable,
    UNITS_FROM_AVAILABLE,
    ({ accounts, args, remaining }, call) => {
      checkWithdrawAccounts(call, accounts);
      const { sharesAmount: shares } = args;
      handleWithdraw(call, { accounts, source: undefined, shares, remaining, rules });
    },
  ),
];

type Withdrawal = {
  readonly accounts: ReturnType<typeof withdrawFromAvailable.decode>['accounts'];
  /** Covers what the available tokens do not. */
  readonly source: ReserveCpiAccounts | undefined;
  readonly shares: bigint;
  readonly remaining: ReturnType<typeof withdraw.decode>['remaining'];
  readonly rules: VaultRules;
};

/** Unlike for deposits, events come last. */
function handleWithdraw(call: InvokeContext, withdrawal: Withdrawal): void {
  const { accounts, shares, source, rules } = withdrawal;
  const vault = readAccount(call, vaultState, accounts.vaultState);
  const remaining = checkPermissioningAuthority(call, { ...withdrawal, vault });
  const listed = { vault, remaining, rules };
  const userSharesBefore = tokenAmountOf(call, accounts.userSharesAta);
  refreshVaultReserves(call, listed);
  // Releases that refresh the reserves first check both before the order of the reserves.
  if (source !== undefined) findAllocation(vault, source.reserve);
  const sharesAmount = sharesToRedeem({ shares, sharesBalance: userSharesBefore });
  const effects = withdrawFromVault(vault, readVaultContext(call, listed), {
    shares,
    sharesBalance: userSharesBefore,
    globalConfig: readAccount(call, globalConfig, accounts.globalConfig),
    reserve: source?.reserve,
  });
  writeAccount(call, vaultState, { address: accounts.vaultState, fields: effects.vault });
  moveTokens(call, withdrawal, effects);
  const { sharesToBurn, availableToSendToUser } = effects;
  const { investedToDisinvestCtokens, investedLiquidityToSendToUser } = effects;
  emitEvent(call, sharesToWithdraw.encode({ sharesAmount, userSharesBefore }));
  emitEvent(
    call,
    withdrawResult.encode({
      sharesToBurn,
      availableToSendToUser,
      investedToDisinvestCtokens,
      investedLiquidityToSendToUser,
    }),
  );
}

function moveTokens(
  call: InvokeContext,
  { accounts, source }: Withdrawal,
  effects: WithdrawEffects,
): void {
  const payoutAccounts = {
    receiver: accounts.userTokenAta,
    tokenVault: accounts.tokenVault,
    ...source,
  };
  const before = payoutBalances(call, payoutAccounts);
  const { investedToDisinvestCtokens: ctokens, sharesToBurn } = effects;
  burnShares(call, accounts, { account: accounts.userSharesAta, amount: sharesToBurn });
  if (source !== undefined && ctokens > 0n) {
    redeemFromReserve(call, source, { collateralAmount: ctokens });
  }
  requireDisinvested(tokenAmountOf(call, accounts.tokenVault) - before.tokens, effects);
  transferFromVault(call, accounts.vaultState, {
    tokenProgram: accounts.tokenProgram,
    source: accounts.tokenVault,
    mint: accounts.tokenMint,
    destination: accounts.userTokenAta,
    authority: accounts.baseVaultAuthority,
    amount: effects.availableToSendToUser + effects.investedLiquidityToSendToUser,
    decimals: Number(effects.vault.tokenMintDecimals),
  });
  checkPayout(effects, [before, payoutBalances(call, payoutAccounts)]);
}

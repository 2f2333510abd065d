import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import {
  ctokenVault,
  globalConfigAddress,
  redeemInKindResult,
  sharesToWithdraw,
  type VaultRules,
  withdrawResult,
} from '@tidegate/core/protocol/kvault';
import {
  redeemInKind,
  sell,
  withdraw,
  withdrawFromAvailable,
} from '@tidegate/core/protocol/kvault/instructions';
import { globalConfig, vaultState } from '@tidegate/core/protocol/kvault/layout';
import {
  findAllocation,
  redeemInKind as redeem,
  sharesToRedeem,
  type WithdrawEffects,
  withdrawFromVault,
} from '@tidegate/core/protocol/kvault/operations';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { emitEvent, requireEventAuthority } from '../framework/emit-event.ts';
import {
  accountChecks,
  checkPermissioningAuthority,
  readVaultContext,
  refreshVaultReserves,
  requireVaultAccounts,
  TOKEN_PROGRAMS,
  tokenAmountOf,
} from './account-checks.ts';
import {
  burnShares,
  checkPayout,
  payoutBalances,
  type ReserveCpiAccounts,
  redeemFromReserve,
  requireDisinvested,
  transferFromVault,
} from './cpi.ts';

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

type FromAvailable = ReturnType<typeof withdrawFromAvailable.decode>['accounts'];
type FromReserve = ReturnType<typeof withdraw.decode>['accounts'];

/** Checks the accounts of all withdrawals. */
function checkWithdrawAccounts(call: InvokeContext, accounts: FromAvailable): void {
  const check = accountChecks(call, accounts);
  const { user, tokenMint, tokenProgram, sharesMint, sharesTokenProgram } = accounts;
  const vault = check.load('vaultState', vaultState, call.program);
  check.load('globalConfig', globalConfig, call.program);
  check.token('tokenVault');
  check.token('userTokenAta');
  check.token('userSharesAta');
  check.mint('sharesMint');
  check.program('tokenProgram', ...TOKEN_PROGRAMS);
  check.program('sharesTokenProgram', TOKEN_PROGRAM);
  check.program('klendProgram', KLEND_PROGRAM);
  requireVaultAccounts(call, vault, accounts);
  check.seeds('globalConfig', globalConfigAddress(call.program));
  check.tokenTerms('tokenVault', { tokenProgram });
  check.tokenTerms('userTokenAta', { authority: user, mint: tokenMint, tokenProgram });
  check.tokenTerms('userSharesAta', {
    authority: user,
    mint: sharesMint,
    tokenProgram: sharesTokenProgram,
  });
  requireEventAuthority(call, accounts.eventAuthority);
}

/**
 * Checks the accounts of withdrawals from a reserve. The lending program checks the reserve's own
 * accounts.
 */
function checkReserveWithdrawAccounts(call: InvokeContext, accounts: FromReserve): void {
  const check = accountChecks(call, accounts);
  const { reserveVaultState, reserve } = accounts;
  check.load('reserveVaultState', vaultState, call.program);
  check.load('reserve', reserveLayout, KLEND_PROGRAM);
  check.token('ctokenVault');
  check.token('reserveLiquiditySupply');
  check.program('reserveCollateralTokenProgram', TOKEN_PROGRAM);
  check.seeds('ctokenVault', ctokenVault(reserveVaultState, reserve, call.program));
  check.tokenTerms('ctokenVault', { tokenProgram: accounts.reserveCollateralTokenProgram });
  check.address('instructionSysvarAccount', INSTRUCTIONS_SYSVAR);
  requireEventAuthority(call, accounts.outerEventAuthority);
}

const UNITS = 55_000;

export const redeemInKindHandler = (rules: VaultRules): InstructionHandler =>
  anchorHandler(redeemInKind, UNITS, (decoded, call) => handleRedeem(decoded, call, rules));

type RedeemCall = ReturnType<typeof redeemInKind.decode>;

function handleRedeem(
  { accounts, args, remaining }: RedeemCall,
  call: InvokeContext,
  rules: VaultRules,
): void {
  const { decimals } = checkAccounts(call, accounts);
  const vault = readAccount(call, vaultState, accounts.vaultState);
  const listed = {
    vault,
    remaining: checkPermissioningAuthority(call, { vault, remaining, rules }),
    rules,
  };
  refreshVaultReserves(call, listed);
  const userSharesBefore = tokenAmountOf(call, accounts.userSharesTa);
  const { sharesAmount: requested } = args;
  const sharesAmount = requested < userSharesBefore ? requested : userSharesBefore;
  emitEvent(call, sharesToWithdraw.encode({ sharesAmount, userSharesBefore }));
  // Releases that refresh the reserves first check both before the order of the reserves.
  sharesToRedeem({ shares: requested, sharesBalance: userSharesBefore });
  findAllocation(vault, accounts.reserve);
  const effects = redeem(vault, readVaultContext(call, listed), {
    shares: requested,
    sharesBalance: userSharesBefore,
    globalConfig: readAccount(call, globalConfig, accounts.globalConfig),
    reserve: accounts.reserve,
  });
  const { sharesToBurn, ctokensToSendToUser } = effects;
  emitEvent(call, redeemInKindResult.encode({ sharesToBurn, ctokensToSendToUser }));
  writeAccount(call, vaultState, { address: accounts.vaultState, fields: effects.vault });
  burnShares(call, accounts, { account: accounts.userSharesTa, amount: sharesToBurn });
  transferFromVault(call, accounts.vaultState, {
    tokenProgram: accounts.reserveCollateralTokenProgram,
    source: accounts.ctokenVault,
    mint: accounts.ctokenMint,
    destination: accounts.userCtokenTa,
    authority: accounts.baseVaultAuthority,
    amount: ctokensToSendToUser,
    decimals,
  });
}

function checkAccounts(
  call: InvokeContext,
  accounts: RedeemCall['accounts'],
): { readonly decimals: number } {
  const check = accountChecks(call, accounts);
  const { user, ctokenMint, sharesMint, reserveCollateralTokenProgram: tokenProgram } = accounts;
  const vault = check.load('vaultState', vaultState, call.program);
  check.load('globalConfig', globalConfig, call.program);
  const { collateral } = check.load('reserve', reserveLayout, KLEND_PROGRAM);
  check.token('ctokenVault');
  check.token('userCtokenTa');
  const { decimals } = check.mint('ctokenMint');
  check.token('userSharesTa');
  check.mint('sharesMint');
  check.program('reserveCollateralTokenProgram', TOKEN_PROGRAM);
  check.program('sharesTokenProgram', TOKEN_PROGRAM);
  check.program('klendProgram', KLEND_PROGRAM);
  requireVaultAccounts(call, vault, accounts);
  check.seeds('globalConfig', globalConfigAddress(call.program));
  const expected = ctokenVault(accounts.vaultState, accounts.reserve, call.program);
  check.seeds('ctokenVault', expected);
  check.tokenTerms('ctokenVault', { mint: ctokenMint, tokenProgram });
  check.tokenTerms('userCtokenTa', { authority: user, mint: ctokenMint, tokenProgram });
  check.address('ctokenMint', collateral.mintPubkey);
  check.tokenTerms('userSharesTa', {
    authority: user,
    mint: sharesMint,
    tokenProgram: accounts.sharesTokenProgram,
  });
  requireEventAuthority(call, accounts.eventAuthority);
  return { decimals };
}

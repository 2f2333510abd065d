import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import {
  ctokenVault,
  globalConfigAddress,
  redeemInKindResult,
  sharesToWithdraw,
  type VaultRules,
} from '@tidegate/core/protocol/kvault';
import { redeemInKind } from '@tidegate/core/protocol/kvault/instructions';
import { globalConfig, vaultState } from '@tidegate/core/protocol/kvault/layout';
import {
  findAllocation,
  redeemInKind as redeem,
  sharesToRedeem,
} from '@tidegate/core/protocol/kvault/operations';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { emitEvent, requireEventAuthority } from '../framework/emit-event.ts';
import { accountChecks, tokenAmountOf } from './account-checks.ts';
import { checkPermissioningAuthority } from './permissioning-authority.ts';
import { burnShares, transferFromVault } from './token-cpi.ts';
import { requireVaultAccounts } from './vault-checks.ts';
import { readVaultContext, refreshVaultReserves } from './vault-reserves.ts';

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

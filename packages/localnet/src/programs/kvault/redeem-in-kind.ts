import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import {
  ctokenVault,
  globalConfigAddress,
  redeemInKindResult,
  sharesToWithdraw,
} from '@tidegate/core/protocol/kvault';
import { redeemInKind } from '@tidegate/core/protocol/kvault/instructions';
import { globalConfig, vaultState } from '@tidegate/core/protocol/kvault/layout';
import { redeemInKind as redeem } from '@tidegate/core/protocol/kvault/operations';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { Call } from '../../runtime/program.ts';
import { readFields, writeFields } from '../../runtime/typed-accounts.ts';
import { type Handler, handles } from '../framework/anchor-program.ts';
import { accountChecks, amountOf } from './account-checks.ts';
import { emit } from './emit-event.ts';
import { burnShares, sendFromVault } from './token-cpi.ts';
import { requireEventAuthority, requireLinks } from './vault-checks.ts';
import { refreshReserves, vaultMoment } from './vault-reserves.ts';

const UNITS = 55_000;

export const redeemInKindHandler: Handler = handles(redeemInKind, UNITS, payInKind);

type RedeemCall = ReturnType<typeof redeemInKind.decode>;

function payInKind({ accounts, args, remaining }: RedeemCall, call: Call): void {
  const { decimals } = checkAccounts(call, accounts);
  const vault = readFields(call, vaultState, accounts.vaultState);
  refreshReserves(call, { vault, remaining });
  const userSharesBefore = amountOf(call, accounts.userSharesTa);
  const { sharesAmount: asked } = args;
  const sharesAmount = asked < userSharesBefore ? asked : userSharesBefore;
  emit(call, sharesToWithdraw.encode({ sharesAmount, userSharesBefore }));
  const effects = redeem(vault, vaultMoment(call, { vault, remaining }), {
    shares: asked,
    sharesBalance: userSharesBefore,
    globalConfig: readFields(call, globalConfig, accounts.globalConfig),
    reserve: accounts.reserve,
  });
  const { sharesToBurn, ctokensToSendToUser } = effects;
  emit(call, redeemInKindResult.encode({ sharesToBurn, ctokensToSendToUser }));
  writeFields(call, vaultState, { address: accounts.vaultState, fields: effects.vault });
  burnShares(call, accounts, { account: accounts.userSharesTa, amount: sharesToBurn });
  sendFromVault(call, accounts.vaultState, {
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
  call: Call,
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
  requireLinks(call, vault, accounts);
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

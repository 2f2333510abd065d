import { addSf, type Sf, sfFromInt } from '../../../base/fixed.ts';
import { reserve as reserveLayout } from '../../../protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '../../../protocol/klend/program.ts';
import { kvaultRefuses } from '../../../protocol/kvault/errors.ts';
import { invest } from '../../../protocol/kvault/instructions/invest.ts';
import { reserveWhitelistEntry } from '../../../protocol/kvault/layout/reserve-whitelist-entry.ts';
import { type VaultState, vaultState } from '../../../protocol/kvault/layout/vault-state.ts';
import { type Exchanges, vaultHoldings } from '../../../protocol/kvault/math/holdings.ts';
import {
  type InvestEffects,
  invest as planInvestment,
} from '../../../protocol/kvault/operations/invest.ts';
import { issueRewards } from '../../../protocol/kvault/operations/refresh-vault.ts';
import { ctokenVault, reserveWhitelistEntryAddress } from '../../../protocol/kvault/pda.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '../../../protocol/spl/programs.ts';
import type { Call } from '../../runtime/program.ts';
import { readFields, writeFields } from '../../runtime/typed-accounts.ts';
import { anchorFails, type Handler, handles } from '../anchor-program.ts';
import { accountChecks, amountOf, TOKEN_PROGRAMS } from './account-checks.ts';
import { depositToReserve, redeemFromReserve } from './lending-calls.ts';
import { refreshReserves, vaultMoment } from './reserves.ts';
import { transfer } from './token-calls.ts';
import { requireLinks } from './vault-checks.ts';

const UNITS = 80_000;

export const investHandler: Handler = handles(invest, UNITS, moveToTarget);

type InvestCall = ReturnType<typeof invest.decode>;

function moveToTarget({ accounts, remaining }: InvestCall, call: Call): void {
  const { decimals, whitelisted } = checkAccounts(call, accounts);
  const vault = readFields(call, vaultState, accounts.vaultState);
  const reserves = { vault, remaining };
  refreshReserves(call, reserves);
  const before = balances(call, accounts);
  const moment = vaultMoment(call, reserves);
  const held = holdingsTotal(issueRewards(vault, call.time.unix), moment.exchanges);
  const effects = planInvestment(vault, moment, { reserve: accounts.reserve, whitelisted });
  writeFields(call, vaultState, { address: accounts.vaultState, fields: effects.vault });
  logEffects(call, effects);
  const booked = holdingsTotal(effects.vault, moment.exchanges);
  moveTokens(call, accounts, { effects, decimals });
  refreshReserves(call, reserves);
  const left = holdingsTotal(effects.vault, vaultMoment(call, reserves).exchanges);
  checkBalances(call, effects, [before, balances(call, accounts)]);
  // What is owed in fees is the same before and after, so that the net worth falls where this does.
  if (left < held || left < booked) {
    throw kvaultRefuses('AUMDecreasedAfterInvest', 'the vault is worth less than before');
  }
}

function logEffects(call: Call, effects: InvestEffects): void {
  const { direction, liquidityAmount, collateralAmount, roundingLoss } = effects;
  const name = direction === 'add' ? 'Add' : 'Subtract';
  call.log(
    `InvestEffects direction=${name} liquidity_amount=${liquidityAmount}, collateral_amount=${collateralAmount}, rounding_loss=${roundingLoss}`,
  );
}

/** The lamport that rounding takes is paid first, by whoever calls. */
function moveTokens(
  call: Call,
  accounts: InvestCall['accounts'],
  { effects, decimals }: { readonly effects: InvestEffects; readonly decimals: number },
): void {
  if (effects.roundingLoss > 0n) {
    transfer(call, {
      tokenProgram: accounts.tokenProgram,
      source: accounts.payerTokenAccount,
      mint: accounts.tokenMint,
      destination: accounts.tokenVault,
      authority: accounts.payer,
      amount: effects.roundingLoss,
      decimals,
    });
  }
  if (effects.liquidityAmount === 0n) return;
  if (effects.direction === 'add') depositToReserve(call, accounts, effects.liquidityAmount);
  else redeemFromReserve(call, accounts, effects.collateralAmount);
}

type Balances = { readonly tokens: bigint; readonly ctokens: bigint; readonly supply: bigint };

const balances = (call: Call, accounts: InvestCall['accounts']): Balances => ({
  tokens: amountOf(call, accounts.tokenVault),
  ctokens: amountOf(call, accounts.ctokenVault),
  supply: amountOf(call, accounts.reserveLiquiditySupply),
});

function checkBalances(
  call: Call,
  { direction, liquidityAmount, collateralAmount, roundingLoss }: InvestEffects,
  [before, after]: readonly [Balances, Balances],
): void {
  const sign = direction === 'add' ? 1n : -1n;
  const isBooked =
    after.tokens === before.tokens - sign * liquidityAmount + roundingLoss &&
    after.ctokens === before.ctokens + sign * collateralAmount &&
    after.supply === before.supply + sign * liquidityAmount;
  if (!isBooked) throw anchorFails(call, 'RequireEqViolated');
}

function holdingsTotal(vault: VaultState, exchanges: Exchanges): Sf {
  const { available, investedTotal } = vaultHoldings(vault, exchanges);
  return addSf(sfFromInt(available), investedTotal);
}

function checkAccounts(
  call: Call,
  accounts: InvestCall['accounts'],
): { readonly decimals: number; readonly whitelisted: boolean } {
  const check = accountChecks(call, accounts);
  const { payer, reserve, tokenMint, reserveWhitelistEntry: entryAddress } = accounts;
  check.token('payerTokenAccount');
  const vault = check.load('vaultState', vaultState, call.program);
  check.token('tokenVault');
  const { decimals } = check.mint('tokenMint');
  check.token('ctokenVault');
  check.load('reserve', reserveLayout, KLEND_PROGRAM);
  const entry =
    entryAddress === undefined ? undefined : readFields(call, reserveWhitelistEntry, entryAddress);
  check.program('klendProgram', KLEND_PROGRAM);
  check.program('reserveCollateralTokenProgram', TOKEN_PROGRAM);
  check.program('tokenProgram', ...TOKEN_PROGRAMS);
  check.tokenTerms('payerTokenAccount', { authority: payer, mint: tokenMint });
  requireLinks(call, vault, accounts);
  check.seeds('ctokenVault', ctokenVault(accounts.vaultState, reserve, call.program));
  check.tokenTerms('ctokenVault', { tokenProgram: accounts.reserveCollateralTokenProgram });
  if (entry !== undefined) {
    check.seeds('reserveWhitelistEntry', reserveWhitelistEntryAddress(reserve, call.program));
  }
  check.address('instructionSysvarAccount', INSTRUCTIONS_SYSVAR);
  return { decimals, whitelisted: entry?.whitelistInvest === 1 };
}

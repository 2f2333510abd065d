import {
  addressToBytes,
  addSf,
  bytesFromText,
  findProgramAddress,
  type ProgramAddress,
  type Sf,
  sfFromInt,
} from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { reserve as reserveLayout } from '@tidegate/core/protocol/klend/layout';
import {
  ctokenVault,
  kvaultRejection,
  reserveWhitelistEntryAddress,
  type VaultRules,
} from '@tidegate/core/protocol/kvault';
import {
  invest,
  investWithMaxAmount,
  updateReserveAllocation,
  updateReserveAllocationV2,
} from '@tidegate/core/protocol/kvault/instructions';
import {
  reserveWhitelistEntry,
  type VaultState,
  vaultState,
} from '@tidegate/core/protocol/kvault/layout';
import {
  type AllocationUpdate,
  type InvestEffects,
  issueRewards,
  invest as planInvestment,
  requireAllocationAdmin,
  updateReserveAllocation as update,
  type VaultContext,
  valueHoldings,
} from '@tidegate/core/protocol/kvault/operations';
import {
  INSTRUCTIONS_SYSVAR,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { customError } from '../../runtime/transaction-errors.ts';
import { readAccount, writeAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { createTokenPda } from '../framework/create-token-pda.ts';
import {
  accountChecks,
  readVaultContext,
  refreshVaultReserves,
  requireVaultAccounts,
  TOKEN_PROGRAMS,
  tokenAmountOf,
} from './account-checks.ts';
import { depositToReserve, redeemFromReserve, transferFromUser } from './cpi.ts';

const INVEST_UNITS = 80_000;

export const investHandlers = (rules: VaultRules): readonly InstructionHandler[] => [
  anchorHandler(invest, INVEST_UNITS, (decoded, call) => handleInvest(decoded, call, rules)),
  ...(rules.limitInstructions === 'present' ? [investWithMaxAmount] : []).map((codec) =>
    anchorHandler(codec, INVEST_UNITS, (decoded, call) => handleInvest(decoded, call, rules)),
  ),
];

type InvestCall = Pick<ReturnType<typeof invest.decode>, 'accounts' | 'remaining'> & {
  readonly args: { readonly maxAmount?: bigint };
};

function handleInvest(
  { accounts, args, remaining }: InvestCall,
  call: InvokeContext,
  rules: VaultRules,
): void {
  const { decimals, whitelisted } = checkInvestAccounts(call, accounts);
  const vault = readAccount(call, vaultState, accounts.vaultState);
  const reserves = { vault, remaining, rules };
  refreshVaultReserves(call, reserves);
  const before = readBalances(call, accounts);
  const context = readVaultContext(call, reserves);
  const totalBefore = holdingsTotal(issueRewards(vault, call.time.unix), context);
  const effects = planInvestment(vault, context, {
    reserve: accounts.reserve,
    whitelisted,
    ...args,
  });
  writeAccount(call, vaultState, { address: accounts.vaultState, fields: effects.vault });
  logEffects(call, effects);
  const expectedTotal = holdingsTotal(effects.vault, context);
  moveTokens(call, accounts, { effects, decimals, rules });
  refreshVaultReserves(call, reserves);
  const totalAfter = holdingsTotal(effects.vault, readVaultContext(call, reserves));
  checkBalances(call, effects, [before, readBalances(call, accounts)]);
  // Pending fees do not change, so the net value falls if this does.
  if (totalAfter < totalBefore || totalAfter < expectedTotal) {
    throw kvaultRejection('AUMDecreasedAfterInvest', 'the vault is worth less than before');
  }
}

function logEffects(call: InvokeContext, effects: InvestEffects): void {
  const { direction, liquidityAmount, collateralAmount, roundingLoss } = effects;
  const name = direction === 'add' ? 'Add' : 'Subtract';
  call.log(
    `InvestEffects direction=${name} liquidity_amount=${liquidityAmount}, collateral_amount=${collateralAmount}, rounding_loss=${roundingLoss}`,
  );
}

type TokenMoves = {
  readonly effects: InvestEffects;
  readonly decimals: number;
  readonly rules: VaultRules;
};

/** The payer covers the rounding loss first. */
function moveTokens(
  call: InvokeContext,
  accounts: InvestCall['accounts'],
  { effects, decimals, rules }: TokenMoves,
): void {
  if (effects.roundingLoss > 0n) {
    transferFromUser(call, {
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
  const { liquidityAmount, collateralAmount } = effects;
  const dataSize = rules.investCallSize;
  if (effects.direction === 'add') {
    depositToReserve(call, accounts, { liquidityAmount, dataSize });
  } else {
    redeemFromReserve(call, accounts, { collateralAmount, dataSize });
  }
}

type Balances = { readonly tokens: bigint; readonly ctokens: bigint; readonly supply: bigint };

const readBalances = (call: InvokeContext, accounts: InvestCall['accounts']): Balances => ({
  tokens: tokenAmountOf(call, accounts.tokenVault),
  ctokens: tokenAmountOf(call, accounts.ctokenVault),
  supply: tokenAmountOf(call, accounts.reserveLiquiditySupply),
});

function checkBalances(
  call: InvokeContext,
  { direction, liquidityAmount, collateralAmount, roundingLoss }: InvestEffects,
  [before, after]: readonly [Balances, Balances],
): void {
  const sign = direction === 'add' ? 1n : -1n;
  const isExpected =
    after.tokens === before.tokens - sign * liquidityAmount + roundingLoss &&
    after.ctokens === before.ctokens + sign * collateralAmount &&
    after.supply === before.supply + sign * liquidityAmount;
  if (!isExpected) throw anchorFailure(call, 'RequireEqViolated');
}

function holdingsTotal(vault: VaultState, context: VaultContext): Sf {
  const { available, investedTotal } = valueHoldings(vault, context);
  return addSf(sfFromInt(available), investedTotal);
}

function checkInvestAccounts(
  call: InvokeContext,
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
    entryAddress === undefined ? undefined : readAccount(call, reserveWhitelistEntry, entryAddress);
  check.program('klendProgram', KLEND_PROGRAM);
  check.program('reserveCollateralTokenProgram', TOKEN_PROGRAM);
  check.program('tokenProgram', ...TOKEN_PROGRAMS);
  check.tokenTerms('payerTokenAccount', { authority: payer, mint: tokenMint });
  requireVaultAccounts(call, vault, accounts);
  check.seeds('ctokenVault', ctokenVault(accounts.vaultState, reserve, call.program));
  check.tokenTerms('ctokenVault', { tokenProgram: accounts.reserveCollateralTokenProgram });
  if (entry !== undefined) {
    check.seeds('reserveWhitelistEntry', reserveWhitelistEntryAddress(reserve, call.program));
  }
  check.address('instructionSysvarAccount', INSTRUCTIONS_SYSVAR);
  return { decimals, whitelisted: entry?.whitelistInvest === 1 };
}

const ALLOCATION_UNITS = 30_000;

export const updateReserveAllocationHandlers = (
  rules: VaultRules,
): readonly InstructionHandler[] => [
  anchorHandler(updateReserveAllocation, ALLOCATION_UNITS, ({ accounts, args }, call) =>
    updateAllocation(accounts, args, call),
  ),
  ...(rules.limitInstructions === 'present' ? [updateReserveAllocationV2] : []).map((codec) =>
    anchorHandler(codec, ALLOCATION_UNITS, ({ accounts, args }, call) => {
      const { weight, cap, ctokenAllocationCap: ctokenCap } = args;
      updateAllocation(accounts, { weight, cap, ctokenCap }, call);
    }),
  ),
];

type UpdateCall = ReturnType<typeof updateReserveAllocation.decode>;
type UpdateTerms = Pick<AllocationUpdate, 'weight' | 'cap' | 'ctokenCap'>;

function updateAllocation(
  accounts: UpdateCall['accounts'],
  terms: UpdateTerms,
  call: InvokeContext,
): void {
  const { bump, whitelisted } = checkAllocationAccounts(call, accounts);
  const vault = readAccount(call, vaultState, accounts.vaultState);
  const { liquidity } = readAccount(call, reserveLayout, accounts.reserve);
  requireAllocationAdmin(vault, accounts);
  if (liquidity.mintPubkey !== vault.tokenMint) throw anchorFailure(call, 'RequireEqViolated');
  const fields = update(vault, {
    signer: accounts.signer,
    reserve: accounts.reserve,
    ctokenVault: accounts.ctokenVault,
    ctokenVaultBump: bump,
    ...terms,
    whitelisted,
  });
  writeAccount(call, vaultState, { address: accounts.vaultState, fields });
}

const ACCOUNT_SYSVAR_MISMATCH = 3015;

function checkAllocationAccounts(
  call: InvokeContext,
  accounts: UpdateCall['accounts'],
): { readonly bump: number; readonly whitelisted: boolean } {
  const check = accountChecks(call, accounts);
  const { baseVaultAuthority, reserveCollateralMint, reserve } = accounts;
  const { reserveWhitelistEntry: entryAddress } = accounts;
  const vault = check.load('vaultState', vaultState, call.program);
  check.mint('reserveCollateralMint');
  const { collateral } = check.load('reserve', reserveLayout, KLEND_PROGRAM);
  const entry =
    entryAddress === undefined ? undefined : readAccount(call, reserveWhitelistEntry, entryAddress);
  check.program('reserveCollateralTokenProgram', TOKEN_PROGRAM);
  check.program('systemProgram', SYSTEM_PROGRAM);
  if (accounts.rent !== RENT_SYSVAR) throw customError(ACCOUNT_SYSVAR_MISMATCH);
  const derived = ctokenVaultAddress(call, accounts);
  check.seeds('ctokenVault', derived.address);
  const isCreated = call.account(accounts.ctokenVault).owner !== SYSTEM_PROGRAM;
  if (!isCreated) {
    createTokenPda(call, {
      address: accounts.ctokenVault,
      payer: accounts.signer,
      mint: reserveCollateralMint,
      authority: baseVaultAuthority,
      tokenProgram: accounts.reserveCollateralTokenProgram,
    });
  }
  check.token('ctokenVault');
  check.tokenTerms('ctokenVault', {
    authority: baseVaultAuthority,
    mint: reserveCollateralMint,
    tokenProgram: accounts.reserveCollateralTokenProgram,
  });
  requireVaultAccounts(call, vault, { baseVaultAuthority });
  check.address('reserveCollateralMint', collateral.mintPubkey);
  const isOfProgram = call.account(reserveCollateralMint).owner === TOKEN_PROGRAM;
  check.require(isOfProgram, 'ConstraintMintTokenProgram', 'reserveCollateralMint');
  if (entry !== undefined) {
    check.seeds('reserveWhitelistEntry', reserveWhitelistEntryAddress(reserve, call.program));
  }
  return { bump: derived.bump, whitelisted: entry?.whitelistAddAllocation === 1 };
}

/** With its bump, which the vault stores. */
const ctokenVaultAddress = (
  call: InvokeContext,
  { vaultState: vault, reserve }: UpdateCall['accounts'],
): ProgramAddress =>
  findProgramAddress(
    [bytesFromText('ctoken_vault'), addressToBytes(vault), addressToBytes(reserve)],
    call.program,
  );

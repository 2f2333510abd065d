import {
  addressToBytes,
  bytesFromText,
  findProgramAddress,
  type ProgramAddress,
} from '@tidegate/core/base';
import {
  sharesMint as sharesMintAddress,
  tokenVault as tokenVaultAddress,
  type VaultRules,
} from '@tidegate/core/protocol/kvault';
import { initVault } from '@tidegate/core/protocol/kvault/instructions';
import { vaultState } from '@tidegate/core/protocol/kvault/layout';
import { initVault as createVault } from '@tidegate/core/protocol/kvault/operations';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { customError } from '../../runtime/transaction-errors.ts';
import { writeEncodedAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';
import { createMintPda, createTokenPda } from '../framework/create-token-pda.ts';
import { accountChecks, TOKEN_PROGRAMS } from './account-checks.ts';
import { transferFromUser } from './token-cpi.ts';

const UNITS = 60_000;
const ACCOUNT_SYSVAR_MISMATCH = 3015;

export const initVaultHandler = (rules: VaultRules): InstructionHandler =>
  anchorHandler(initVault, UNITS, (decoded, call) => handleInitVault(decoded, call, rules));

function handleInitVault(
  { accounts }: ReturnType<typeof initVault.decode>,
  call: InvokeContext,
  rules: VaultRules,
): void {
  const { decimals, authorityBump } = checkAndCreateAccounts(call, accounts);
  const { adminAuthority, tokenVault, baseTokenMint, tokenProgram } = accounts;
  const effects = createVault(
    {
      vaultAdminAuthority: adminAuthority,
      tokenMint: baseTokenMint,
      tokenMintDecimals: BigInt(decimals),
      tokenVault,
      tokenProgram,
      baseVaultAuthority: accounts.baseVaultAuthority,
      baseVaultAuthorityBump: BigInt(authorityBump),
      sharesMint: accounts.sharesMint,
      sharesMintDecimals: BigInt(decimals),
    },
    { time: call.time, rules },
  );
  const { vault: fields, tokenToDeposit, crankFundsToDeposit } = effects;
  const data = vaultState.encode(fields);
  writeEncodedAccount(call, { address: accounts.vaultState, fields, data });
  transferFromUser(call, {
    tokenProgram,
    source: accounts.adminTokenAccount,
    mint: baseTokenMint,
    destination: tokenVault,
    authority: adminAuthority,
    amount: tokenToDeposit + crankFundsToDeposit,
    decimals,
  });
}

type Accounts = ReturnType<typeof initVault.decode>['accounts'];

function checkAndCreateAccounts(
  call: InvokeContext,
  accounts: Accounts,
): { readonly decimals: number; readonly authorityBump: number } {
  const check = accountChecks(call, accounts);
  const { adminAuthority: payer, baseTokenMint, tokenProgram } = accounts;
  requireZeroedVault(call, accounts);
  const { decimals } = check.mint('baseTokenMint');
  check.program('systemProgram', SYSTEM_PROGRAM);
  if (accounts.rent !== RENT_SYSVAR) throw customError(ACCOUNT_SYSVAR_MISMATCH);
  check.program('tokenProgram', ...TOKEN_PROGRAMS);
  check.program('sharesTokenProgram', TOKEN_PROGRAM);
  const authority = baseAuthority(call, accounts);
  check.seeds('baseVaultAuthority', authority.address);
  check.seeds('tokenVault', tokenVaultAddress(accounts.vaultState, call.program));
  createTokenPda(call, {
    address: accounts.tokenVault,
    payer,
    mint: baseTokenMint,
    authority: authority.address,
    tokenProgram,
  });
  const isOfProgram = call.account(baseTokenMint).owner === tokenProgram;
  check.require(isOfProgram, 'ConstraintMintTokenProgram', 'baseTokenMint');
  check.seeds('sharesMint', sharesMintAddress(accounts.vaultState, call.program));
  const address = accounts.sharesMint;
  createMintPda(call, { address, payer, authority: authority.address, decimals });
  check.token('adminTokenAccount');
  check.tokenTerms('adminTokenAccount', { authority: payer, mint: baseTokenMint });
  return { decimals, authorityBump: authority.bump };
}

/** The caller has created the account with the vault's size. */
function requireZeroedVault(call: InvokeContext, accounts: Accounts): void {
  const { owner, data } = call.account(accounts.vaultState);
  if (owner !== call.program) throw anchorFailure(call, 'AccountOwnedByWrongProgram', 'vaultState');
  const discriminator = data.subarray(0, vaultState.discriminator.length);
  if (data.length < vaultState.size || discriminator.some((byte) => byte !== 0)) {
    throw anchorFailure(call, 'ConstraintZero', 'vaultState');
  }
}

/** With its bump, which the vault stores. */
const baseAuthority = (call: InvokeContext, { vaultState: vault }: Accounts): ProgramAddress =>
  findProgramAddress([bytesFromText('authority'), addressToBytes(vault)], call.program);

import type { Address } from '@tidegate/core/base';
import {
  farmVault as farmVaultAddress,
  farmVaultsAuthority as vaultsAuthorityAddress,
} from '@tidegate/core/protocol/farms';
import {
  depositToFarmVault,
  withdrawFromFarmVault,
  withdrawSlashedAmount,
} from '@tidegate/core/protocol/farms/instructions';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import {
  depositToFarmVault as depositToVault,
  withdrawFromFarmVault as withdrawFromVault,
  withdrawSlashedAmount as withdrawSlashed,
} from '@tidegate/core/protocol/farms/operations';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { anchorHandler, type InstructionHandler } from '../framework/anchor-program.ts';
import { readFarm, writeFarm } from './farm-accounts.ts';
import { rejectRemainingAccounts, requireConstraint, requireFarmRule } from './farm-constraints.ts';
import { logOperation } from './farm-logs.ts';
import { checkTokenAccount, viewTokenAccount } from './farm-token-accounts.ts';
import { transferStake } from './farm-transfers.ts';

const UNITS = 20_000;

export const farmVaultHandlers: readonly InstructionHandler[] = [
  anchorHandler(depositToFarmVault, UNITS, ({ accounts, args: { amount }, remaining }, call) => {
    const { farmState, farmVault, depositor, depositorAta } = accounts;
    const farm = readFarm(call, farmState);
    requireConstraint(call, farm.farmAdmin === depositor, ['ConstraintAddress', 'depositor']);
    checkVault(call, farm, accounts);
    const { mint } = viewTokenAccount(call, depositorAta);
    const reason = 'the token account is of another mint than the farm';
    requireFarmRule(mint === farm.token.mint, 'UserAtaFarmTokenMintMissmatch', reason);
    const slot = { slot: 'depositorAta', address: depositorAta };
    checkTokenAccount(call, slot, { authority: depositor, mint, tokenProgram: TOKEN_PROGRAM });
    const after = depositToVault(farm, amount);
    rejectRemainingAccounts(remaining);
    logOperation(call, `deposit_to_farm_vault amount=${amount}`);
    writeFarm(call, farmState, after);
    const moved = { source: depositorAta, destination: farmVault, authority: depositor };
    transferStake(call, { ...moved, amount });
  }),
  anchorHandler(withdrawFromFarmVault, UNITS, ({ accounts, args, remaining }, call) => {
    const { farmState, withdrawAuthority, withdrawerTokenAccount: destination } = accounts;
    const farm = readFarm(call, farmState);
    const isAuthority = farm.withdrawAuthority === withdrawAuthority;
    requireConstraint(call, isAuthority, ['ConstraintHasOne', 'farmState']);
    const slot = { slot: 'withdrawerTokenAccount', address: destination };
    const { mint } = farm.token;
    const terms = { authority: withdrawAuthority, mint, tokenProgram: TOKEN_PROGRAM };
    checkTokenAccount(call, slot, terms);
    checkVaultAndAuthority(call, farm, accounts);
    rejectRemainingAccounts(remaining);
    logOperation(call, `withdraw_from_farm_vault amount=${args.amount}`);
    const { farm: after, amount } = withdrawFromVault(farm, args.amount);
    writeFarm(call, farmState, after);
    payFromVault(call, accounts, { destination, amount });
  }),
  anchorHandler(withdrawSlashedAmount, UNITS, ({ accounts, remaining }, call) => {
    const { farmState, slashedAmountSpillAddress: destination } = accounts;
    const farm = readFarm(call, farmState);
    const isSpill = farm.slashedAmountSpillAddress === destination;
    requireConstraint(call, isSpill, ['ConstraintHasOne', 'farmState']);
    const slot = { slot: 'slashedAmountSpillAddress', address: destination };
    checkTokenAccount(call, slot, { mint: farm.token.mint, tokenProgram: TOKEN_PROGRAM });
    checkVaultAndAuthority(call, farm, accounts);
    rejectRemainingAccounts(remaining);
    const { farm: after, amount } = withdrawSlashed(farm);
    writeFarm(call, farmState, after);
    if (amount > 0n) payFromVault(call, accounts, { destination, amount });
  }),
];

type VaultAccounts = {
  readonly farmState: Address;
  readonly farmVault: Address;
  readonly tokenProgram: Address;
};
type PayingAccounts = VaultAccounts & { readonly farmVaultsAuthority: Address };

function checkVault(call: InvokeContext, farm: FarmState, accounts: VaultAccounts): void {
  const { farmVault: address, tokenProgram } = accounts;
  const { delegateTag, closeAuthorityTag } = viewTokenAccount(call, address);
  const isTokenProgram = tokenProgram === TOKEN_PROGRAM;
  requireConstraint(call, isTokenProgram, ['InvalidProgramId', 'tokenProgram']);
  requireConstraint(call, farm.farmVault === address, ['ConstraintHasOne', 'farmState']);
  const derived = farmVaultAddress(accounts.farmState, farm.token.mint, call.program);
  requireConstraint(call, address === derived, ['ConstraintSeeds', 'farmVault']);
  const closable = 'somebody may close the farm vault';
  requireFarmRule(delegateTag === 0, 'FarmVaultHasDelegate', 'the farm vault has a delegate');
  requireFarmRule(closeAuthorityTag === 0, 'FarmVaultHasCloseAuthority', closable);
}

function checkVaultAndAuthority(
  call: InvokeContext,
  farm: FarmState,
  accounts: PayingAccounts,
): void {
  const { farmVaultsAuthority: authority } = accounts;
  const isLinked = farm.farmVaultsAuthority === authority;
  requireConstraint(call, isLinked, ['ConstraintHasOne', 'farmState']);
  checkVault(call, farm, accounts);
  const isDerived = authority === vaultsAuthorityAddress(accounts.farmState, call.program);
  requireConstraint(call, isDerived, ['ConstraintSeeds', 'farmVaultsAuthority']);
}

function payFromVault(
  call: InvokeContext,
  { farmVault: source, farmVaultsAuthority: authority }: PayingAccounts,
  paid: { readonly destination: Address; readonly amount: bigint },
): void {
  transferStake(call, { source, authority, ...paid });
}

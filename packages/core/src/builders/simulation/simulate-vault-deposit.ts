import { CodedError } from '../../base/errors.ts';
import { initializeUser } from '../../protocol/farms/operations/initialize-user.ts';
import { stake } from '../../protocol/farms/operations/stake.ts';
import { kvaultRejection } from '../../protocol/kvault/errors.ts';
import { depositToVault } from '../../protocol/kvault/operations/deposit-to-vault.ts';
import type { BuildContext } from '../build.ts';
import { decodeFarm, farmContextOf, readStake, type StakeContext } from '../farms/stake-context.ts';
import { decodeVault, vaultRatesAtSlot } from '../vaults/vault-at-slot.ts';
import {
  planVaultDeposit,
  type VaultDepositPlan,
  vaultDepositBuilder,
} from '../vaults/vault-deposit-builder.ts';
import type { VaultDepositRequest } from '../vaults/vault-request.ts';
import { isWrappedSol, readWalletToken } from '../wallet/token-accounts.ts';
import { requireTokenBalance } from './program-rejections.ts';
import { runSimulation } from './run-simulation.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';
import type { TokenDelta } from './wallet-changes.ts';

/** An error code of Anchor, the framework of the vault program. */
const ACCOUNT_NOT_INITIALIZED = 3012;

/** Simulates a vault deposit and its stake at the state's slot. */
export function simulateVaultDeposit(
  request: VaultDepositRequest,
  context: BuildContext,
): SimulationOutcome {
  const build = vaultDepositBuilder.build(request, context);
  const deposit = planVaultDeposit(request, context);
  const wrapped = isWrappedSol(deposit.target.token) ? request.amount : 0n;
  const overflow = kvaultRejection('MathOverflow', 'a number overflows');
  return runSimulation({ build, context, wrapped, overflow }, () =>
    runDeposit(deposit, wrapped, context),
  );
}

function runDeposit(
  { target, amount, stake: shareStake }: VaultDepositPlan,
  wrapped: bigint,
  context: BuildContext,
): TokenDelta[] {
  const { token, shares } = target;
  const held = readWalletToken(token, context);
  if (held === undefined && !isWrappedSol(token)) throw missingAccountError(token.label);
  const rates = vaultRatesAtSlot(target, context.state, 0n);
  const effects = depositToVault(decodeVault(target), rates, amount);
  const paid = effects.tokenToDeposit + effects.crankFundsToDeposit;
  const balance = (held?.amount ?? 0n) + wrapped;
  requireTokenBalance({ balance, required: paid }, token.tokenProgram);
  const minted = effects.sharesToMint;
  const unstaked = readWalletToken(shares, context)?.amount ?? 0n;
  if (shareStake !== undefined) stakeShares(shareStake, unstaked + minted, context);
  return [
    { token, added: wrapped - paid },
    { token: shares, added: shareStake === undefined ? minted : -unstaked },
  ];
}

/** Throws the rejection of the farm, if any. */
function stakeShares(shareStake: StakeContext, amount: bigint, context: BuildContext): void {
  const { wallet, farm, delegatee } = shareStake;
  const farmContext = farmContextOf(shareStake, context.state);
  const user = readStake(shareStake, context);
  const newUser = { farmState: farm.address, owner: wallet, delegatee, bump: 0 };
  const position =
    user === undefined
      ? initializeUser(decodeFarm(shareStake), newUser, farmContext)
      : { farm: decodeFarm(shareStake), user };
  stake(position, amount, farmContext);
}

function missingAccountError(label: string): CodedError {
  const reason = `the wallet has no account for ${label}`;
  const name = 'AccountNotInitialized';
  const code = ACCOUNT_NOT_INITIALIZED;
  return new CodedError('PROGRAM_REFUSES', { program: 'kvault', code, name, reason });
}

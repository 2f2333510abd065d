import { CodedError } from '../../base/errors.ts';
import { initializeUser } from '../../protocol/farms/operations/initialize-user.ts';
import { stake } from '../../protocol/farms/operations/stake.ts';
import { kvaultRejection } from '../../protocol/kvault/errors.ts';
import { depositToVault } from '../../protocol/kvault/operations/deposit-to-vault.ts';
import type { BuildContext } from '../build.ts';
import { decodeFarm, farmTimeOf, readStake, type StakeContext } from '../farms/stake-context.ts';
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

/** Of the framework that the vault program is written with. */
const ACCOUNT_NOT_INITIALIZED = 3012;

/** What the vault and the farm would do with a deposit at the state's slot. */
export function simulateVaultDeposit(
  request: VaultDepositRequest,
  scene: BuildContext,
): SimulationOutcome {
  const build = vaultDepositBuilder.build(request, scene);
  const deposit = planVaultDeposit(request, scene);
  const wrapped = isWrappedSol(deposit.place.token) ? request.amount : 0n;
  const overflow = kvaultRejection('MathOverflow', 'a number does not fit');
  return runSimulation({ build, scene, wrapped, overflow }, () => run(deposit, wrapped, scene));
}

function run(
  { place, amount, stake: into }: VaultDepositPlan,
  wrapped: bigint,
  scene: BuildContext,
): TokenDelta[] {
  const { token, shares } = place;
  const held = readWalletToken(token, scene);
  if (held === undefined && !isWrappedSol(token)) throw noAccount(token.label);
  const moment = vaultRatesAtSlot(place, scene.state, 0n);
  const effects = depositToVault(decodeVault(place), moment, amount);
  const paid = effects.tokenToDeposit + effects.crankFundsToDeposit;
  requireTokenBalance({ has: (held?.amount ?? 0n) + wrapped, needs: paid }, token.tokenProgram);
  const minted = effects.sharesToMint;
  const loose = readWalletToken(shares, scene)?.amount ?? 0n;
  if (into !== undefined) stakeShares(into, loose + minted, scene);
  return [
    { token, added: wrapped - paid },
    { token: shares, added: into === undefined ? minted : -loose },
  ];
}

/** Refuses what the farm refuses. */
function stakeShares(into: StakeContext, amount: bigint, scene: BuildContext): void {
  const { wallet, farm, delegatee } = into;
  const moment = farmTimeOf(into, scene.state);
  const user = readStake(into, scene);
  const who = { farmState: farm.address, owner: wallet, delegatee, bump: 0 };
  const position =
    user === undefined
      ? initializeUser(decodeFarm(into), who, moment)
      : { farm: decodeFarm(into), user };
  stake(position, amount, moment);
}

function noAccount(label: string): CodedError {
  const reason = `the wallet has no account for ${label}`;
  const name = 'AccountNotInitialized';
  const code = ACCOUNT_NOT_INITIALIZED;
  return new CodedError('PROGRAM_REFUSES', { program: 'kvault', code, name, reason });
}

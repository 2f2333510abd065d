import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { READ, WRITE } from '#core/base/solana/instruction.ts';
import { harvestReward } from '#core/protocol/farms/instructions/harvest-reward.ts';
import { initializeUser } from '#core/protocol/farms/instructions/initialize-user.ts';
import { stake } from '#core/protocol/farms/instructions/stake.ts';
import { unstake } from '#core/protocol/farms/instructions/unstake.ts';
import { withdrawUnstakedDeposits } from '#core/protocol/farms/instructions/withdraw-unstaked-deposits.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { treasuryVault, userStateAddress } from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { lendingMarketAuthority } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { deposit } from '#core/protocol/kvault/instructions/deposit.ts';
import { withdraw } from '#core/protocol/kvault/instructions/withdraw.ts';
import { withdrawFromAvailable } from '#core/protocol/kvault/instructions/withdraw-from-available.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { eventAuthority, globalConfigAddress } from '#core/protocol/kvault/pda.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import {
  INSTRUCTIONS_SYSVAR,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '#core/protocol/spl/programs.ts';
import type { FlowContext } from './flow-context.ts';
import { amountArgument, type FlowInstructionBuilder } from './flow-lending-instructions.ts';

/** More shares than anyone has: everything is withdrawn. */
const WITHDRAWS_ALL = '43-vault-withdraw-usdc-all';

export function flowVault(scene: FlowContext) {
  const address = toAddress(scene.parameters.vault ?? '');
  return { ...scene.read(vaultState, address), address };
}

const present = (address: Address) => (address === ZERO_ADDRESS ? undefined : address);

function vaultAccounts(scene: FlowContext) {
  const vault = flowVault(scene);
  return {
    user: scene.user,
    vaultState: vault.address,
    globalConfig: globalConfigAddress(),
    tokenVault: vault.tokenVault,
    tokenMint: vault.tokenMint,
    baseVaultAuthority: vault.baseVaultAuthority,
    sharesMint: vault.sharesMint,
    userTokenAta: scene.ata(vault.tokenMint),
    userSharesAta: scene.ata(vault.sharesMint),
    klendProgram: KLEND_PROGRAM,
    tokenProgram: vault.tokenProgram,
    sharesTokenProgram: TOKEN_PROGRAM,
    eventAuthority: eventAuthority(),
    program: KVAULT_PROGRAM,
  };
}

function allocations(scene: FlowContext) {
  return flowVault(scene).vaultAllocationStrategy.filter(({ reserve }) => reserve !== ZERO_ADDRESS);
}

function vaultReserves(scene: FlowContext) {
  const reserves = allocations(scene).map(({ reserve }) => scene.reserveAt(reserve));
  return [
    ...reserves.map(({ address }) => ({ address, role: WRITE }) as const),
    ...reserves.map(({ lendingMarket }) => ({ address: lendingMarket, role: READ }) as const),
  ];
}

/** Whole tokens, as the flow's file has them, to the smallest unit. */
function inSmallestUnit(tokens: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = tokens.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

const vaultDeposit: FlowInstructionBuilder = (scene) => {
  const decimals = Number(flowVault(scene).tokenMintDecimals);
  return deposit.build(KVAULT_PROGRAM, {
    accounts: vaultAccounts(scene),
    args: { maxAmount: toLamports(inSmallestUnit(scene.parameters.amount ?? '', decimals)) },
    remaining: vaultReserves(scene),
  });
};

const vaultWithdrawAvailable: FlowInstructionBuilder = (scene, found) => {
  const all = scene.flow.name === WITHDRAWS_ALL;
  return withdrawFromAvailable.build(KVAULT_PROGRAM, {
    accounts: vaultAccounts(scene),
    args: { sharesAmount: all ? U64_MAX : amountArgument(found, 'sharesAmount') },
    remaining: vaultReserves(scene),
  });
};

/** From which reserve is the client's choice: the one in which the vault has most comes first. */
const vaultWithdraw: FlowInstructionBuilder = (scene, found) => {
  const leg = found.before.filter(({ programAddress }) => programAddress === KVAULT_PROGRAM).length;
  const allocation = [...allocations(scene)]
    .sort((a, b) => Number(b.ctokenAllocation - a.ctokenAllocation))
    .at(leg);
  if (allocation === undefined) throw new Error(`${scene.flow.name} has too many withdrawals`);
  const reserve = scene.reserveAt(allocation.reserve);
  const vault = vaultAccounts(scene);
  return withdraw.build(KVAULT_PROGRAM, {
    accounts: {
      ...vault,
      reserveVaultState: vault.vaultState,
      reserve: reserve.address,
      ctokenVault: allocation.ctokenVault,
      lendingMarket: reserve.lendingMarket,
      lendingMarketAuthority: lendingMarketAuthority(reserve.lendingMarket),
      reserveLiquiditySupply: reserve.liquidity.supplyVault,
      reserveCollateralMint: reserve.collateral.mintPubkey,
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      outerEventAuthority: vault.eventAuthority,
      outerProgram: vault.program,
    },
    args: { sharesAmount: amountArgument(found, 'sharesAmount') },
    remaining: vaultReserves(scene),
  });
};

/** The farm that a flow is about and whose stake in it: a wallet's shares, or an obligation. */
function farmOf(scene: FlowContext) {
  const { side, vault, symbol = '' } = scene.parameters;
  const reserve = vault === undefined ? scene.reserveOf(symbol) : undefined;
  const ofReserve = side === 'debtFarm' ? reserve?.farmDebt : reserve?.farmCollateral;
  const address = ofReserve ?? flowVault(scene).vaultFarm;
  const delegatee = vault === undefined ? scene.obligation : scene.user;
  const farm = scene.read(farmState, address);
  return {
    farm,
    accounts: {
      owner: scene.user,
      userState: userStateAddress(address, delegatee),
      farmState: address,
      farmVault: farm.farmVault,
      farmVaultsAuthority: farm.farmVaultsAuthority,
      scopePrices: present(farm.scopePrices),
    },
  };
}

const newFarmUser: FlowInstructionBuilder = (scene) =>
  initializeUser.build(FARMS_PROGRAM, {
    accounts: {
      ...farmOf(scene).accounts,
      authority: scene.user,
      payer: scene.user,
      delegatee: scene.user,
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
    },
    args: {},
  });

const stakeAll: FlowInstructionBuilder = (scene) => {
  const { farm, accounts } = farmOf(scene);
  return stake.build(FARMS_PROGRAM, {
    accounts: {
      ...accounts,
      userAta: scene.ata(farm.token.mint),
      tokenMint: farm.token.mint,
      tokenProgram: TOKEN_PROGRAM,
    },
    args: { amount: U64_MAX },
  });
};

const unstakeShares: FlowInstructionBuilder = (scene, found) => {
  const all = scene.flow.name === WITHDRAWS_ALL;
  return unstake.build(FARMS_PROGRAM, {
    accounts: farmOf(scene).accounts,
    args: {
      stakeSharesScaled: all ? U64_MAX * 10n ** 18n : amountArgument(found, 'stakeSharesScaled'),
    },
  });
};

const takeUnstaked: FlowInstructionBuilder = (scene) => {
  const { farm, accounts } = farmOf(scene);
  return withdrawUnstakedDeposits.build(FARMS_PROGRAM, {
    accounts: {
      ...accounts,
      userAta: scene.ata(farm.token.mint),
      tokenProgram: TOKEN_PROGRAM,
    },
    args: {},
  });
};

const harvest: FlowInstructionBuilder = (scene, found) => {
  const { farm, accounts } = farmOf(scene);
  const rewardIndex = amountArgument(found, 'rewardIndex');
  const reward = farm.rewardInfos[Number(rewardIndex)];
  if (reward === undefined) throw new Error(`${scene.flow.name} harvests no reward of the farm`);
  return harvestReward.build(FARMS_PROGRAM, {
    accounts: {
      ...accounts,
      payer: scene.user,
      globalConfig: farm.globalConfig,
      rewardMint: reward.token.mint,
      userRewardTokenAccount: scene.ata(reward.token.mint),
      rewardsVault: reward.rewardsVault,
      rewardsTreasuryVault: treasuryVault(farm.globalConfig, reward.token.mint),
      tokenProgram: reward.token.tokenProgram,
    },
    args: { rewardIndex },
  });
};

export const flowVaultInstructions: Readonly<Record<string, FlowInstructionBuilder>> = {
  deposit: vaultDeposit,
  withdraw: vaultWithdraw,
  withdrawFromAvailable: vaultWithdrawAvailable,
};

export const flowFarmInstructions: Readonly<Record<string, FlowInstructionBuilder>> = {
  initializeUser: newFarmUser,
  stake: stakeAll,
  unstake: unstakeShares,
  withdrawUnstakedDeposits: takeUnstaked,
  harvestReward: harvest,
};

import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { READ, WRITE } from '#core/base/solana/instruction.ts';
import { harvestReward } from '#core/protocol/farms/instructions/rewards.ts';
import {
  initializeUser,
  stake,
  unstake,
  withdrawUnstakedDeposits,
} from '#core/protocol/farms/instructions/staking.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { treasuryVault, userStateAddress } from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { lendingMarketAuthority } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import {
  deposit,
  withdraw,
  withdrawFromAvailable,
} from '#core/protocol/kvault/instructions/shares.ts';
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

/** Requests more shares than the wallet has, which withdraws everything. */
const WITHDRAWS_ALL = '43-vault-withdraw-usdc-all';

export function flowVault(context: FlowContext) {
  const address = toAddress(context.parameters.vault ?? '');
  return { ...context.read(vaultState, address), address };
}

const present = (address: Address) => (address === ZERO_ADDRESS ? undefined : address);

function vaultAccounts(context: FlowContext) {
  const vault = flowVault(context);
  return {
    user: context.user,
    vaultState: vault.address,
    globalConfig: globalConfigAddress(),
    tokenVault: vault.tokenVault,
    tokenMint: vault.tokenMint,
    baseVaultAuthority: vault.baseVaultAuthority,
    sharesMint: vault.sharesMint,
    userTokenAta: context.ata(vault.tokenMint),
    userSharesAta: context.ata(vault.sharesMint),
    klendProgram: KLEND_PROGRAM,
    tokenProgram: vault.tokenProgram,
    sharesTokenProgram: TOKEN_PROGRAM,
    eventAuthority: eventAuthority(),
    program: KVAULT_PROGRAM,
  };
}

function allocations(context: FlowContext) {
  return flowVault(context).vaultAllocationStrategy.filter(
    ({ reserve }) => reserve !== ZERO_ADDRESS,
  );
}

function vaultReserves(context: FlowContext) {
  const reserves = allocations(context).map(({ reserve }) => context.reserveAt(reserve));
  return [
    ...reserves.map(({ address }) => ({ address, role: WRITE }) as const),
    ...reserves.map(({ lendingMarket }) => ({ address: lendingMarket, role: READ }) as const),
  ];
}

/** Converts whole tokens, as in the flow's file, to smallest units. */
function toSmallestUnits(tokens: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = tokens.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

const vaultDeposit: FlowInstructionBuilder = (context) => {
  const decimals = Number(flowVault(context).tokenMintDecimals);
  return deposit.build(KVAULT_PROGRAM, {
    accounts: vaultAccounts(context),
    args: { maxAmount: toLamports(toSmallestUnits(context.parameters.amount ?? '', decimals)) },
    remaining: vaultReserves(context),
  });
};

const vaultWithdrawAvailable: FlowInstructionBuilder = (context, recorded) => {
  const isAll = context.flow.name === WITHDRAWS_ALL;
  return withdrawFromAvailable.build(KVAULT_PROGRAM, {
    accounts: vaultAccounts(context),
    args: { sharesAmount: isAll ? U64_MAX : amountArgument(recorded, 'sharesAmount') },
    remaining: vaultReserves(context),
  });
};

/** The client withdraws first from the reserve with the largest allocation. */
const vaultWithdraw: FlowInstructionBuilder = (context, recorded) => {
  const index = recorded.before.filter(
    ({ programAddress }) => programAddress === KVAULT_PROGRAM,
  ).length;
  const allocation = [...allocations(context)]
    .sort((a, b) => Number(b.ctokenAllocation - a.ctokenAllocation))
    .at(index);
  if (allocation === undefined) throw new Error(`${context.flow.name} has too many withdrawals`);
  const reserve = context.reserveAt(allocation.reserve);
  const vault = vaultAccounts(context);
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
    args: { sharesAmount: amountArgument(recorded, 'sharesAmount') },
    remaining: vaultReserves(context),
  });
};

/** The farm of a flow, and the stake of the wallet or of its obligation. */
function farmOf(context: FlowContext) {
  const { side, vault, symbol = '' } = context.parameters;
  const reserve = vault === undefined ? context.reserveOf(symbol) : undefined;
  const reserveFarm = side === 'debtFarm' ? reserve?.farmDebt : reserve?.farmCollateral;
  const address = reserveFarm ?? flowVault(context).vaultFarm;
  const delegatee = vault === undefined ? context.obligation : context.user;
  const farm = context.read(farmState, address);
  return {
    farm,
    accounts: {
      owner: context.user,
      userState: userStateAddress(address, delegatee),
      farmState: address,
      farmVault: farm.farmVault,
      farmVaultsAuthority: farm.farmVaultsAuthority,
      scopePrices: present(farm.scopePrices),
    },
  };
}

const newFarmUser: FlowInstructionBuilder = (context) =>
  initializeUser.build(FARMS_PROGRAM, {
    accounts: {
      ...farmOf(context).accounts,
      authority: context.user,
      payer: context.user,
      delegatee: context.user,
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
    },
    args: {},
  });

const stakeAll: FlowInstructionBuilder = (context) => {
  const { farm, accounts } = farmOf(context);
  return stake.build(FARMS_PROGRAM, {
    accounts: {
      ...accounts,
      userAta: context.ata(farm.token.mint),
      tokenMint: farm.token.mint,
      tokenProgram: TOKEN_PROGRAM,
    },
    args: { amount: U64_MAX },
  });
};

const unstakeShares: FlowInstructionBuilder = (context, recorded) => {
  const isAll = context.flow.name === WITHDRAWS_ALL;
  return unstake.build(FARMS_PROGRAM, {
    accounts: farmOf(context).accounts,
    args: {
      stakeSharesScaled: isAll
        ? U64_MAX * 10n ** 18n
        : amountArgument(recorded, 'stakeSharesScaled'),
    },
  });
};

const withdrawUnstaked: FlowInstructionBuilder = (context) => {
  const { farm, accounts } = farmOf(context);
  return withdrawUnstakedDeposits.build(FARMS_PROGRAM, {
    accounts: {
      ...accounts,
      userAta: context.ata(farm.token.mint),
      tokenProgram: TOKEN_PROGRAM,
    },
    args: {},
  });
};

const harvest: FlowInstructionBuilder = (context, recorded) => {
  const { farm, accounts } = farmOf(context);
  const rewardIndex = amountArgument(recorded, 'rewardIndex');
  const reward = farm.rewardInfos[Number(rewardIndex)];
  if (reward === undefined) throw new Error(`${context.flow.name} harvests no reward of the farm`);
  return harvestReward.build(FARMS_PROGRAM, {
    accounts: {
      ...accounts,
      payer: context.user,
      globalConfig: farm.globalConfig,
      rewardMint: reward.token.mint,
      userRewardTokenAccount: context.ata(reward.token.mint),
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
  withdrawUnstakedDeposits: withdrawUnstaked,
  harvestReward: harvest,
};

import { bytes, u8, u16, u32, u64 } from '../../../base/encoding/layout.ts';
import {
  instruction,
  optionalRead,
  read,
  sign,
  signWrite,
  write,
} from '../../../base/solana/instruction.ts';

/** Creates a farm in a zeroed account of the farm's size, with the token account for its stakes. */
export const initializeFarm = instruction({
  name: 'initializeFarm',
  discriminator: 'fc1cb9acf44a75a5',
  accounts: {
    farmAdmin: signWrite,
    farmState: write,
    globalConfig: read,
    farmVault: write,
    farmVaultsAuthority: read,
    tokenMint: read,
    tokenProgram: read,
    systemProgram: read,
    rent: read,
  },
  args: {},
});

/** Creates a farm whose stakes the delegate sets. It holds no staked tokens. */
export const initializeFarmDelegated = instruction({
  name: 'initializeFarmDelegated',
  discriminator: 'fa546519334dcc5b',
  accounts: {
    farmAdmin: signWrite,
    farmDelegate: sign,
    farmState: write,
    globalConfig: read,
    farmVaultsAuthority: read,
    systemProgram: read,
    rent: read,
  },
  args: {},
});

/** Issues the farm's rewards up to now. */
export const refreshFarm = instruction({
  name: 'refreshFarm',
  discriminator: 'd6838ab790c2ac2a',
  accounts: {
    farmState: write,
    scopePrices: optionalRead,
  },
  args: {},
});

/** Changes one setting. `mode` is its index in `FARM_CONFIG_MODES`, the list is the encoded new value. */
export const updateFarmConfig = instruction({
  name: 'updateFarmConfig',
  discriminator: 'd6b0bcf4cb3be6cf',
  accounts: {
    signer: signWrite,
    farmState: write,
    scopePrices: optionalRead,
  },
  args: { mode: u16 },
  list: { count: u32, item: u8 },
});

/** Makes the pending admin of a farm its admin. */
export const updateFarmAdmin = instruction({
  name: 'updateFarmAdmin',
  discriminator: '142588137aef2482',
  accounts: {
    pendingFarmAdmin: signWrite,
    farmState: write,
  },
  args: {},
});

/** Sets the second authority that may set stakes. Only the global admin may. */
export const updateSecondDelegatedAuthority = instruction({
  name: 'updateSecondDelegatedAuthority',
  discriminator: '7f1a06b5cbf87540',
  accounts: {
    globalAdmin: signWrite,
    farmState: write,
    globalConfig: read,
    newSecondDelegatedAuthority: read,
  },
  args: {},
});

/** Adds tokens to all active stakes. Only the farm admin may. */
export const depositToFarmVault = instruction({
  name: 'depositToFarmVault',
  discriminator: '83a6405e6cd572b7',
  accounts: {
    depositor: sign,
    farmState: write,
    farmVault: write,
    depositorAta: write,
    tokenProgram: read,
  },
  args: { amount: u64 },
});

/** Takes tokens from all stakes. Taking all of them freezes the farm. */
export const withdrawFromFarmVault = instruction({
  name: 'withdrawFromFarmVault',
  discriminator: '165280fa564f7c4e',
  accounts: {
    withdrawAuthority: signWrite,
    farmState: write,
    withdrawerTokenAccount: write,
    farmVault: write,
    farmVaultsAuthority: read,
    tokenProgram: read,
  },
  args: { amount: u64 },
});

/** Pays the penalties of early withdrawals to the farm's spill address. Anybody can call it. */
export const withdrawSlashedAmount = instruction({
  name: 'withdrawSlashedAmount',
  discriminator: 'cad9434aac168cd8',
  accounts: {
    crank: signWrite,
    farmState: write,
    slashedAmountSpillAddress: write,
    farmVault: write,
    farmVaultsAuthority: read,
    tokenProgram: read,
  },
  args: {},
});

/** The settings of the global config. The index is the value of `mode`. */
export const farmsGlobalConfigModes = ['SetPendingGlobalAdmin', 'SetTreasuryFeeBps'] as const;

/** Creates a global config in a zeroed account of its size. */
export const initializeGlobalConfig = instruction({
  name: 'initializeGlobalConfig',
  discriminator: '71d87a83e1d11637',
  accounts: {
    globalAdmin: signWrite,
    globalConfig: write,
    treasuryVaultsAuthority: read,
    systemProgram: read,
  },
  args: {},
});

/** The value is an address, or a number in its first 8 bytes. */
export const updateGlobalConfig = instruction({
  name: 'updateGlobalConfig',
  discriminator: 'a45482bd6f3afac8',
  accounts: {
    globalAdmin: sign,
    globalConfig: write,
  },
  args: { mode: u8, value: bytes(32) },
});

/** Makes the pending admin of the global config its admin. */
export const updateGlobalConfigAdmin = instruction({
  name: 'updateGlobalConfigAdmin',
  discriminator: 'b85717c19ceeaf77',
  accounts: {
    pendingGlobalAdmin: sign,
    globalConfig: write,
  },
  args: {},
});

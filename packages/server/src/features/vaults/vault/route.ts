import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CodedError, formatSf, toAddress } from '@tidegate/core/base';
import { sortByCreation, type VaultReport, viewVault } from '@tidegate/core/views/vaults';
import { type Static, Type } from 'typebox';
import { defineOperation } from '../../../http/operation.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import type { FeatureContext } from '../../feature-context.ts';
import { Vault, type VaultAllocation, type VaultState } from './schema.ts';

export const vaultRoutes =
  ({ clusters }: Pick<FeatureContext, 'clusters'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const facts = { tag: 'earn', keptWhile: () => clusters.version() } as const;

    app.get(
      '/kvaults/vaults',
      defineOperation(
        {
          ...facts,
          operationId: 'listVaults',
          summary: 'Earn vaults',
          description: 'The accounts as they are stored, the oldest vault first.',
          weight: 5,
          statuses: [400, 500],
        },
        { answer: Type.Array(Vault) },
      ),
      async () => {
        const { reader } = clusters.select(undefined);
        return sortByCreation(reader.vaults()).map((vault) => toJson(viewVault(vault)));
      },
    );

    app.get(
      '/kvaults/vaults/:pubkey',
      defineOperation(
        {
          ...facts,
          operationId: 'getVault',
          summary: 'One earn vault',
          description:
            'Amounts are lamports of its token; free places of the strategy are left out.',
          weight: 1,
          statuses: [400, 404, 500],
        },
        { params: Type.Object({ pubkey: AddressString }), answer: Vault },
      ),
      async ({ params }) => {
        const address = toAddress(params.pubkey);
        const vault = clusters.select(undefined).reader.vault(address);
        if (vault === undefined) throw new CodedError('NOT_FOUND', { what: 'vault', address });
        return toJson(viewVault(vault));
      },
    );
  };

function toJson(vault: VaultReport): Static<typeof Vault> {
  return { address: vault.address, state: stateJson(vault), programId: vault.program };
}

function stateJson({ fields, name, allocations }: VaultReport): Static<typeof VaultState> {
  return {
    vaultAdminAuthority: fields.vaultAdminAuthority,
    baseVaultAuthority: fields.baseVaultAuthority,
    baseVaultAuthorityBump: Number(fields.baseVaultAuthorityBump),
    tokenMint: fields.tokenMint,
    tokenMintDecimals: Number(fields.tokenMintDecimals),
    tokenVault: fields.tokenVault,
    tokenProgram: fields.tokenProgram,
    sharesMint: fields.sharesMint,
    sharesMintDecimals: Number(fields.sharesMintDecimals),
    tokenAvailable: String(fields.tokenAvailable),
    sharesIssued: String(fields.sharesIssued),
    availableCrankFunds: String(fields.availableCrankFunds),
    performanceFeeBps: Number(fields.performanceFeeBps),
    managementFeeBps: Number(fields.managementFeeBps),
    lastFeeChargeTimestamp: Number(fields.lastFeeChargeTimestamp),
    prevAum: formatSf(fields.prevAumSf),
    pendingFees: formatSf(fields.pendingFeesSf),
    vaultAllocationStrategy: allocations.map(allocationJson),
    minDepositAmount: String(fields.minDepositAmount),
    minWithdrawAmount: String(fields.minWithdrawAmount),
    minInvestAmount: String(fields.minInvestAmount),
    minInvestDelaySlots: Number(fields.minInvestDelaySlots),
    crankFundFeePerReserve: String(fields.crankFundFeePerReserve),
    pendingAdmin: fields.pendingAdmin,
    cumulativeEarnedInterest: formatSf(fields.cumulativeEarnedInterestSf),
    cumulativeMgmtFees: formatSf(fields.cumulativeMgmtFeesSf),
    cumulativePerfFees: formatSf(fields.cumulativePerfFeesSf),
    name,
    vaultLookupTable: fields.vaultLookupTable,
    vaultFarm: fields.vaultFarm,
    creationTimestamp: Number(fields.creationTimestamp),
    allocationAdmin: fields.allocationAdmin,
  };
}

function allocationJson(place: VaultReport['allocations'][number]): Static<typeof VaultAllocation> {
  return {
    reserve: place.reserve,
    ctokenVault: place.ctokenVault,
    targetAllocationWeight: Number(place.targetAllocationWeight),
    tokenAllocationCap: String(place.tokenAllocationCap),
    ctokenVaultBump: Number(place.ctokenVaultBump),
    ctokenAllocation: String(place.ctokenAllocation),
    lastInvestSlot: String(place.lastInvestSlot),
    tokenTargetAllocation: formatSf(place.tokenTargetAllocationSf),
  };
}

import { toAddress } from '#core/base/encoding/address.ts';
import type { Build, BuildContext, Builder } from '#core/builders/build.ts';
import { claimBuilder } from '#core/builders/claims/claim-builder.ts';
import type { ClaimRequest } from '#core/builders/claims/claim-request.ts';
import { simulateClaim } from '#core/builders/simulation/simulate-claim.ts';
import { simulateVaultDeposit } from '#core/builders/simulation/simulate-vault-deposit.ts';
import { simulateVaultWithdraw } from '#core/builders/simulation/simulate-vault-withdraw.ts';
import type { SimulationOutcome } from '#core/builders/simulation/simulation-outcome.ts';
import { vaultDepositBuilder } from '#core/builders/vaults/vault-deposit-builder.ts';
import {
  parseVaultDepositRequest,
  parseVaultWithdrawRequest,
  type VaultDepositRequest,
  type VaultWithdrawRequest,
} from '#core/builders/vaults/vault-request.ts';
import { vaultWithdrawBuilder } from '#core/builders/vaults/vault-withdraw-builder.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { loadExampleContext } from '../builders/load-build-context.ts';
import { goldenReader } from '../golden/golden-reader.ts';
import { FlowContext, readGoldenClusterFile } from './flow-context.ts';
import { type FlowSnapshot, flowSnapshots } from './flow-snapshots.ts';

type VaultAsk =
  | { readonly kind: 'deposit'; readonly request: VaultDepositRequest }
  | { readonly kind: 'withdraw'; readonly request: VaultWithdrawRequest }
  | { readonly kind: 'claim'; readonly request: ClaimRequest };

export type VaultFlow = FlowSnapshot & {
  /** Of its file. */
  readonly number: number;
  readonly name: string;
  readonly state: ClusterReader;
  readonly ask: VaultAsk;
};

/** What the flows cannot say: the client staked wherever it could, but in this one. */
const NOT_STAKED = '47-vault-deposit-usdc-no-stake';

/** More than anyone has, which the client takes for everything. */
const EVERYTHING = '100000000';

/** Flows of vaults and of claims, as requests to us. */
export function vaultFlows(): VaultFlow[] {
  const cluster = readGoldenClusterFile();
  return flowSnapshots().flatMap((placed) => {
    const { flow, accounts } = placed;
    const scene = new FlowContext(flow, { cluster, accounts });
    const state = goldenReader({ at: placed.at, accounts });
    const ask = askOf(scene, state);
    if (ask === undefined) return [];
    return { ...placed, number: Number(flow.name.slice(0, 2)), name: flow.name, state, ask };
  });
}

function askOf(scene: FlowContext, state: ClusterReader): VaultAsk | undefined {
  const { flow, user: wallet, facts } = scene;
  const { amount = '', symbol = '', vault } = facts;
  const kvault = toAddress(vault ?? wallet);
  if (flow.operation === 'vault-deposit') {
    const request = parseVaultDepositRequest({ wallet, kvault, amount }, state);
    const stake = flow.name === NOT_STAKED ? false : undefined;
    return { kind: 'deposit', request: { ...request, stake } };
  }
  if (flow.operation === 'vault-withdraw') {
    const shares = amount === EVERYTHING ? 'U64::MAX' : amount;
    const request = parseVaultWithdrawRequest({ wallet, kvault, amount: shares }, state);
    return { kind: 'withdraw', request };
  }
  if (flow.operation !== 'claim') return undefined;
  if (vault !== undefined) return { kind: 'claim', request: { wallet, vault: kvault } };
  const { market } = scene;
  const reserve = scene.reserveOf(symbol).address;
  return { kind: 'claim', request: { wallet, market, reserve } };
}

export const buildVaultFlow = (flow: VaultFlow): Build => asked(flow).build();

/** In how many rounds its accounts are read. */
export const countVaultFlowReads = (flow: VaultFlow): number => asked(flow).reads;

export const previewVaultFlow = (flow: VaultFlow): SimulationOutcome => asked(flow).forecast();

function asked(flow: VaultFlow) {
  switch (flow.ask.kind) {
    case 'deposit':
      return through(vaultDepositBuilder, simulateVaultDeposit)(flow.ask.request, flow);
    case 'withdraw':
      return through(vaultWithdrawBuilder, simulateVaultWithdraw)(flow.ask.request, flow);
    case 'claim':
      return through(claimBuilder, simulateClaim)(flow.ask.request, flow);
  }
}

const through =
  <Request>(
    builder: Builder<Request>,
    forecast: (request: Request, scene: BuildContext) => SimulationOutcome,
  ) =>
  (request: Request, flow: VaultFlow) => {
    const { scene, reads } = loadExampleContext(builder, request, flow);
    return {
      reads,
      build: () => builder.build(request, scene),
      forecast: () => forecast(request, scene),
    };
  };

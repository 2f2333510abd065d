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

type VaultFlowRequest =
  | { readonly kind: 'deposit'; readonly request: VaultDepositRequest }
  | { readonly kind: 'withdraw'; readonly request: VaultWithdrawRequest }
  | { readonly kind: 'claim'; readonly request: ClaimRequest };

export type VaultFlow = FlowSnapshot & {
  /** The number at the start of the file name. */
  readonly number: number;
  readonly name: string;
  readonly state: ClusterReader;
  readonly request: VaultFlowRequest;
};

/** The recordings do not show it: the client staked in every flow except this one. */
const NOT_STAKED = '47-vault-deposit-usdc-no-stake';

/** More than any balance; the client treats it as the whole balance. */
const EVERYTHING = '100000000';

/** The recorded vault and claim flows, as requests to our builders. */
export function vaultFlows(): VaultFlow[] {
  const cluster = readGoldenClusterFile();
  return flowSnapshots().flatMap((snapshot) => {
    const { flow, accounts } = snapshot;
    const context = new FlowContext(flow, { cluster, accounts });
    const state = goldenReader({ at: snapshot.at, accounts });
    const request = requestOf(context, state);
    if (request === undefined) return [];
    return { ...snapshot, number: Number(flow.name.slice(0, 2)), name: flow.name, state, request };
  });
}

function requestOf(context: FlowContext, state: ClusterReader): VaultFlowRequest | undefined {
  const { flow, user: wallet, parameters } = context;
  const { amount = '', symbol = '', vault } = parameters;
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
  const { market } = context;
  const reserve = context.reserveOf(symbol).address;
  return { kind: 'claim', request: { wallet, market, reserve } };
}

export const buildVaultFlow = (flow: VaultFlow): Build => loadFlow(flow).build();

/** How many rounds of account reads the build takes. */
export const countVaultFlowReads = (flow: VaultFlow): number => loadFlow(flow).reads;

export const previewVaultFlow = (flow: VaultFlow): SimulationOutcome => loadFlow(flow).preview();

function loadFlow(flow: VaultFlow) {
  switch (flow.request.kind) {
    case 'deposit':
      return flowLoader(vaultDepositBuilder, simulateVaultDeposit)(flow.request.request, flow);
    case 'withdraw':
      return flowLoader(vaultWithdrawBuilder, simulateVaultWithdraw)(flow.request.request, flow);
    case 'claim':
      return flowLoader(claimBuilder, simulateClaim)(flow.request.request, flow);
  }
}

const flowLoader =
  <Request>(
    builder: Builder<Request>,
    simulate: (request: Request, context: BuildContext) => SimulationOutcome,
  ) =>
  (request: Request, flow: VaultFlow) => {
    const { context, reads } = loadExampleContext(builder, request, flow);
    return {
      reads,
      build: () => builder.build(request, context),
      preview: () => simulate(request, context),
    };
  };

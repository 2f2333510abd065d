import type { Address } from '#core/base/encoding/address.ts';
import { formatUnits } from '#core/base/numbers/decimal.ts';
import type { LendingRequest } from '#core/builders/lending/lending-request.ts';
import type { GoldenFlow } from '../golden/golden.ts';
import type { FlowSnapshot } from './flow-snapshots.ts';
import { lendingFlows } from './lending-flows.ts';
import { vaultFlows } from './vault-flows.ts';

/** A golden flow as an HTTP request. */
export type FlowRequest = FlowSnapshot & {
  /** The number at the start of the file name. */
  readonly number: number;
  readonly name: string;
  readonly wallet: Address;
  /** Path of the operation that returns a transaction. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** Flows with a path: vanilla loans, and shares that are always staked. */
export function flowRequests(): FlowRequest[] {
  return [...lendingRequests(), ...vaultRequests()].sort((a, b) => a.number - b.number);
}

const isPlain = (loan: LendingRequest['obligation']): boolean =>
  loan !== undefined && 'kind' in loan && loan.kind === 'vanilla' && loan.id === 0;

function lendingRequests(): FlowRequest[] {
  return lendingFlows()
    .filter(({ request: { obligation } }) => isPlain(obligation))
    .map(({ flow, at, accounts, number, name, intent, request, state }) => {
      const { wallet, market, reserve, amount } = request;
      const decimals = Number(state.reserve(reserve)?.fields.liquidity.mintDecimals);
      const text = amount === 'all' ? 'U64::MAX' : formatUnits(amount, decimals);
      const body = { wallet, market, reserve, amount: text };
      return { flow, at, accounts, number, name, wallet, path: `/ktx/klend/${intent}`, body };
    });
}

function vaultRequests(): FlowRequest[] {
  return vaultFlows().flatMap(({ flow, at, accounts, number, name, state, request }) => {
    const { wallet } = request.request;
    const base = { flow, at, accounts, number, name, wallet };
    if (request.kind === 'claim')
      return { ...base, path: '/ktx/farms/claim', body: claimBody(request) };
    const { vault } = request.request;
    const fields = state.vault(vault)?.fields;
    if (request.kind === 'withdraw') {
      const { shares = 0n } = request.request;
      const decimals = Number(fields?.sharesMintDecimals);
      const amount = shares === 'all' ? '18446744073709551615' : formatUnits(shares, decimals);
      const body = { wallet, kvault: vault, amount };
      return { ...base, path: '/ktx/kvault/withdraw', body };
    }
    if (request.request.stake === false) return [];
    const amount = formatUnits(request.request.amount, Number(fields?.tokenMintDecimals));
    return { ...base, path: '/ktx/kvault/deposit', body: { wallet, kvault: vault, amount } };
  });
}

type ClaimFlowRequest = Extract<
  ReturnType<typeof vaultFlows>[number]['request'],
  { readonly kind: 'claim' }
>;

function claimBody({ request }: ClaimFlowRequest): Readonly<Record<string, unknown>> {
  const { wallet } = request;
  if ('vault' in request) return { wallet, kvault: request.vault };
  return { wallet, market: request.market, reserve: request.reserve };
}

/** The program error of a failed flow: the instruction index and the code. */
export function flowProgramError({ err }: GoldenFlow): readonly [number, number] | undefined {
  const { InstructionError } = (err ?? {}) as { InstructionError?: [number, { Custom: number }] };
  return InstructionError && [InstructionError[0], InstructionError[1].Custom];
}

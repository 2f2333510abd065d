import type { Address } from '#core/base/encoding/address.ts';
import { formatUnits } from '#core/base/numbers/decimal.ts';
import type { GoldenFlow } from '../golden/golden.ts';
import type { FlowSnapshot } from './flow-snapshots.ts';
import { lendingFlows } from './lending-flows.ts';
import { vaultFlows } from './vault-flows.ts';

/** A golden flow as somebody would ask for it over HTTP. */
export type FlowRequest = FlowSnapshot & {
  /** Of its file. */
  readonly number: number;
  readonly name: string;
  readonly wallet: Address;
  /** Of the transaction form. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** The plain loan of a wallet, and shares that are staked wherever they can be: nothing else has a path. */
export function flowRequests(): FlowRequest[] {
  return [...lendingAsked(), ...vaultsAsked()].sort((a, b) => a.number - b.number);
}

function lendingAsked(): FlowRequest[] {
  return lendingFlows()
    .filter(({ request: { obligation } }) => obligation?.kind === 'vanilla' && obligation.id === 0)
    .map(({ flow, at, accounts, number, name, intent, request, state }) => {
      const { wallet, market, reserve, amount } = request;
      const decimals = Number(state.reserve(reserve)?.fields.liquidity.mintDecimals);
      const text = amount === 'all' ? 'U64::MAX' : formatUnits(amount, decimals);
      const body = { wallet, market, reserve, amount: text };
      return { flow, at, accounts, number, name, wallet, path: `/ktx/klend/${intent}`, body };
    });
}

function vaultsAsked(): FlowRequest[] {
  return vaultFlows().flatMap(({ flow, at, accounts, number, name, state, request }) => {
    const { wallet } = request.request;
    const placed = { flow, at, accounts, number, name, wallet };
    if (request.kind === 'claim')
      return { ...placed, path: '/ktx/farms/claim', body: claimBody(request) };
    const { vault } = request.request;
    const fields = state.vault(vault)?.fields;
    if (request.kind === 'withdraw') {
      const { shares } = request.request;
      const decimals = Number(fields?.sharesMintDecimals);
      const amount = shares === 'all' ? '18446744073709551615' : formatUnits(shares, decimals);
      const body = { wallet, kvault: vault, amount };
      return { ...placed, path: '/ktx/kvault/withdraw', body };
    }
    if (request.request.stake === false) return [];
    const amount = formatUnits(request.request.amount, Number(fields?.tokenMintDecimals));
    return { ...placed, path: '/ktx/kvault/deposit', body: { wallet, kvault: vault, amount } };
  });
}

type ClaimAsk = Extract<
  ReturnType<typeof vaultFlows>[number]['request'],
  { readonly kind: 'claim' }
>;

function claimBody({ request }: ClaimAsk): Readonly<Record<string, unknown>> {
  const { wallet } = request;
  if ('vault' in request) return { wallet, kvault: request.vault };
  return { wallet, market: request.market, reserve: request.reserve };
}

/** The program's own failure of a refused flow: number of the instruction, and code. */
export function flowProgramError({ err }: GoldenFlow): readonly [number, number] | undefined {
  const { InstructionError } = (err ?? {}) as { InstructionError?: [number, { Custom: number }] };
  return InstructionError && [InstructionError[0], InstructionError[1].Custom];
}

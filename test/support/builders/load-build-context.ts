import type { Address } from '#core/base/encoding/address.ts';
import type { Build, BuildContext, Builder, WalletAccount } from '#core/builders/build.ts';

/** What can be read, and what is known without reading. */
export type BuildInputs = Omit<BuildContext, 'accounts'> & {
  readonly accounts: Pick<ReadonlyMap<Address, WalletAccount>, 'get'>;
};

export type LoadedContext = {
  readonly context: BuildContext;
  /** In how many rounds. */
  readonly reads: number;
};

/** A scene with everything read that the builder asks for. */
export function loadExampleContext<Request>(
  builder: Pick<Builder<Request>, 'requiredAccounts'>,
  request: Request,
  { accounts, ...known }: BuildInputs,
): LoadedContext {
  const read = new Map<Address, WalletAccount | undefined>();
  const context: BuildContext = { ...known, accounts: read };
  for (let reads = 0; reads < 5; reads++) {
    const needs = builder.requiredAccounts(request, context);
    if (needs.length === 0) return { context, reads };
    for (const address of needs) read.set(address, accounts.get(address));
  }
  throw new Error('the builder always asks for more');
}

export const buildFromInputs = <Request>(
  builder: Builder<Request>,
  request: Request,
  readable: BuildInputs,
): Build => builder.build(request, loadExampleContext(builder, request, readable).context);

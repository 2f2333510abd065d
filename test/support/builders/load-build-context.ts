import type { Address } from '#core/base/encoding/address.ts';
import type { Build, Builder, Scene, WalletAccount } from '#core/builders/build.ts';

/** What can be read, and what is known without reading. */
export type Readable = Omit<Scene, 'accounts'> & {
  readonly accounts: Pick<ReadonlyMap<Address, WalletAccount>, 'get'>;
};

export type ReadScene = {
  readonly scene: Scene;
  /** In how many rounds. */
  readonly reads: number;
};

/** A scene with everything read that the builder asks for. */
export function readScene<Request>(
  builder: Pick<Builder<Request>, 'needs'>,
  request: Request,
  { accounts, ...known }: Readable,
): ReadScene {
  const read = new Map<Address, WalletAccount | undefined>();
  const scene: Scene = { ...known, accounts: read };
  for (let reads = 0; reads < 5; reads++) {
    const needs = builder.needs(request, scene);
    if (needs.length === 0) return { scene, reads };
    for (const address of needs) read.set(address, accounts.get(address));
  }
  throw new Error('the builder always asks for more');
}

export const buildFrom = <Request>(
  builder: Builder<Request>,
  request: Request,
  readable: Readable,
): Build => builder.build(request, readScene(builder, request, readable).scene);

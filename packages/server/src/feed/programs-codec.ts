import { toAddress, toSlot } from '@tidegate/core/base';
import { isProgramName, type ProgramName } from '@tidegate/core/protocol/releases';
import { type Static, Type } from 'typebox';
import type { ClusterPrograms } from '../programs/cluster-programs.ts';

const SlotText = Type.String({ pattern: '^[0-9]+$' });

/** Programs of a cluster in the header of a feed message. */
export const Programs = Type.Object({
  deployed: Type.Array(
    Type.Object({
      program: Type.String(),
      address: Type.String(),
      deploySlot: SlotText,
      authority: Type.Optional(Type.String()),
      size: Type.Integer({ minimum: 0 }),
      hash: Type.String(),
      release: Type.Optional(
        Type.Object({
          version: Type.String(),
          by: Type.Union([Type.Literal('hash'), Type.Literal('deploySlot'), Type.Literal('model')]),
        }),
      ),
    }),
  ),
  releases: Type.Array(
    Type.Object({ program: Type.String(), version: Type.String(), from: SlotText }),
  ),
  upgrades: Type.Array(
    Type.Object({ program: Type.String(), count: Type.Integer({ minimum: 0 }) }),
  ),
});

export const encodePrograms = ({
  deployed,
  releases,
  upgrades,
}: ClusterPrograms): Static<typeof Programs> => ({
  deployed: deployed.map(({ deploySlot, authority, release, ...rest }) => ({
    ...rest,
    deploySlot: `${deploySlot}`,
    ...(authority && { authority }),
    ...(release && { release }),
  })),
  releases: releases.map(({ from, ...rest }) => ({ ...rest, from: `${from}` })),
  upgrades: [...upgrades],
});

/** Without programs that only a later release of the writer knows. */
export const decodePrograms = ({
  deployed,
  releases,
  upgrades,
}: Static<typeof Programs>): ClusterPrograms => ({
  deployed: deployed.filter(isKnown).map(({ address, deploySlot, ...rest }) => ({
    ...rest,
    address: toAddress(address),
    deploySlot: toSlot(BigInt(deploySlot)),
    authority: rest.authority === undefined ? undefined : toAddress(rest.authority),
    release: rest.release,
  })),
  releases: releases
    .filter(isKnown)
    .map(({ from, ...rest }) => ({ ...rest, from: toSlot(BigInt(from)) })),
  upgrades: upgrades.filter(isKnown),
});

const isKnown = <Of extends { readonly program: string }>(
  each: Of,
): each is Of & { readonly program: ProgramName } => isProgramName(each.program);

import { type Static, Type } from 'typebox';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString, NullableString, U64String } from '../../http/schemas/primitives.ts';
import {
  NO_PROGRAMS,
  rulesVersion,
  unknownSince,
  upgradesOf,
} from '../../programs/cluster-programs.ts';

export const ProgramStatusJson = Type.Object({
  program: Type.String({ description: '`klend`, `kvault`, `farms` or `scope`' }),
  address: describe(AddressString, 'Address of the program'),
  release: describe(NullableString, 'The known release that runs; null if it is not known'),
  identifiedBy: describe(
    NullableString,
    '`hash` of its executable, `deploySlot` on mainnet, `model` of an embedded cluster; null if the release is not known',
  ),
  unknownSince: describe(
    NullableString,
    'Slot since which a release runs that is not known; null if it is known',
  ),
  rules: describe(
    NullableString,
    'The release whose rules figures follow; null for the oracle program, which has one set of rules',
  ),
  deploySlot: describe(U64String, 'Slot of the last deployment'),
  hash: Type.String({ description: 'sha256 of the executable without the zeros at its end' }),
  size: Type.Integer({ description: 'Bytes of the executable' }),
  authority: describe(NullableString, 'Who can upgrade the program; null if nobody can any more'),
  upgrades: Type.Integer({ description: 'Upgrades that were seen since the start' }),
});

/** The programs that are read so far. */
export function programStatusJson({
  programs = () => NO_PROGRAMS,
  reader,
}: Cluster): Static<typeof ProgramStatusJson>[] {
  const { deployed, upgrades } = programs();
  const rules = reader.rulesAt(reader.at().slot);
  return deployed.map((each) => ({
    program: each.program,
    address: each.address,
    release: each.release?.version ?? null,
    identifiedBy: each.release?.by ?? null,
    unknownSince: unknownSince(each)?.toString() ?? null,
    rules: rulesVersion(each.program, rules) ?? null,
    deploySlot: each.deploySlot.toString(),
    hash: each.hash,
    size: each.size,
    authority: each.authority ?? null,
    upgrades: upgradesOf(upgrades, each.program),
  }));
}

import type { Shape } from '#core/base/encoding/layout.ts';
import type { AccountCodec, RawAccount } from '#core/base/solana/account.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { goldenCluster } from '../test/support/golden/golden.ts';
import { compare, type Pair } from './compare/compare-tasks.ts';
import { generateObligations } from './generated/generated-obligations.ts';
import { sized } from './smoke.ts';

export type DecodeInput = {
  readonly reserves: readonly RawAccount[];
  readonly obligations: readonly RawAccount[];
  readonly vaultStates: readonly RawAccount[];
};

const OBLIGATIONS = sized(5000, 50);
/** The SDK gets only the first ones; it has no address cache. */
const COMPARED = sized(100, 10);
const VIEW_TARGET = 100;
const DECODE_TARGET = 10;

/** Longer field lists are only counted. */
const LISTED = 32;
/** The SDK represents padding differently; the other fields are newer than the SDK. */
const NOT_IN_THE_SDK =
  /padding|^tailBorrowOrders|\b(permissionedOps|depositCap|ctokenAllocationCap|fixedTermRolloverWindowDurationDays)$/i;

const comparedFields = new Map<string, string>();

const accounts = [...goldenCluster().accounts.values()];
/** All owners differ, as in a real market: recent keys decode faster. */
const obligations = generateObligations(ofKind(obligation), OBLIGATIONS);
const ours: DecodeInput = {
  reserves: ofKind(reserve),
  obligations,
  vaultStates: ofKind(vaultState),
};
const theirs: DecodeInput = { ...ours, obligations: obligations.slice(0, COMPARED) };

await compare({
  ours: { module: '../decode/tidegate-decoding.ts', name: 'decodeTasks', input: ours },
  theirs: { module: '../peers/sdk.js', name: 'decodeTasks', input: theirs },
  pairs: [
    { name: 'Reserve, view', ours: 'viewReserve', theirs: 'reserve', target: VIEW_TARGET },
    { name: 'Obligation, view', ours: 'viewObligation', theirs: 'obligation', target: VIEW_TARGET },
    { name: 'VaultState, view', ours: 'viewVaultState', theirs: 'vaultState', target: VIEW_TARGET },
    { name: 'Obligation, view of its positions', ours: 'viewPositions', theirs: 'obligation' },
    { name: 'Reserve, whole', ours: 'decodeReserve', theirs: 'reserve', target: DECODE_TARGET },
    {
      name: 'Obligation, whole',
      ours: 'decodeObligation',
      theirs: 'obligation',
      target: DECODE_TARGET,
    },
    {
      name: 'VaultState, whole',
      ours: 'decodeVaultState',
      theirs: 'vaultState',
      target: DECODE_TARGET,
    },
  ],
  check,
});
for (const [name, fields] of comparedFields) console.log(`${name}: ${fields}`);

function ofKind<S extends Shape>(kind: AccountCodec<S>): RawAccount[] {
  return accounts.filter(kind.matches).map(({ owner, data }) => ({ owner, data }));
}

/** Throws unless both sides decode the same values. */
function check(ours: readonly unknown[], theirs: readonly unknown[], { name }: Pair): void {
  const paths = new Set<string>();
  theirs.forEach((decoded, index) => {
    const other = leavesOf(decoded);
    for (const [path, text] of leavesOf(ours[index])) {
      if (NOT_IN_THE_SDK.test(path)) continue;
      if (other.get(path) !== text) {
        throw new Error(`${name}: ${path} is ${text}, the SDK says ${other.get(path)}`);
      }
      paths.add(path);
    }
  });
  const listed = paths.size > LISTED ? `${paths.size} fields` : [...paths].join(', ');
  comparedFields.set(name, `${listed}; equal in ${theirs.length} accounts`);
}

/** The leaves of a value as strings, by path. Bytes are one leaf. */
function leavesOf(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map([[path.join('.'), `${value}`]]);
  const items = ArrayBuffer.isView(value) ? [...(value as Uint8Array)] : value;
  if (Array.isArray(items) && typeof items[0] === 'number') {
    return new Map([[path.join('.'), items.join(' ')]]);
  }
  return new Map(
    Object.entries(items).flatMap(([name, part]) => [...leavesOf(part, [...path, name])]),
  );
}
